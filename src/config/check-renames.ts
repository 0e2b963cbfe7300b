import { type Place, placeText } from '../diagnostics/source-text.ts';
import { type JoinedSection, namePlace, placeBelow } from './declared.ts';
import { stateOf, withoutOldName } from './desired-items.ts';
import type { Report } from './errors/problem.ts';
import { locate } from './yaml/yaml-file.ts';

/**
 * Reports each `renamed_from` that names no other item, or one that the files need for something else. The texts do not
 * show the name: it may come from a variable, and the excerpt shows its place.
 */
export function checkRenames({ declared }: JoinedSection, report: Report): void {
  const byKey = new Map(declared.map((item) => [item.key, item]));
  const firsts = new Map<string, Place>();
  for (const item of declared) {
    const { renamedFrom = null } = withoutOldName(item.value);
    if (renamedFrom === null) continue;
    const { file, pointer } = placeBelow(item, '/renamed_from');
    const at = locate(file, pointer).value;
    const refuse = (message: string, hint: string) => report({ code: 'CONFIG_RENAME', message, hint, at });
    const [other, first] = [byKey.get(renamedFrom), firsts.get(renamedFrom)];
    if (stateOf(item.value) === 'absent')
      refuse('An absent item cannot be renamed.', 'delete "renamed_from" or "absent: true"');
    else if (item.nameBelow !== '/name')
      refuse('The item is identified by its id, so its "name" alone renames it.', 'delete "renamed_from"');
    else if (other === item)
      refuse('The item has this name in the files.', 'write its name on the tenant, or delete "renamed_from"');
    else if (other !== undefined)
      refuse(
        `This name is also declared at ${placeText(namePlace(other))}. A name that a rename frees cannot be used again in the same apply.`,
        'rename in an apply of its own first, then delete "renamed_from" and declare the other item',
      );
    else if (first !== undefined)
      refuse(
        `Another item is renamed from this name as well, at ${placeText(first)}. An item has one new name.`,
        'delete one of the two',
      );
    firsts.set(renamedFrom, first ?? at);
  }
}
