import type { Diagnostic } from '../model/diagnostic.ts';
import type { Fields } from '../model/field.ts';
import type { DesiredItem } from '../model/kind.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { isListOfKeys, type Placed, valuesIn } from './members.ts';

/**
 * A rule that a schema cannot express: two elements of a list do not have one key. An element that has nothing else may
 * be repeated.
 */
export function checkLists(fields: Fields, item: DesiredItem<object>, report: (diagnostic: Diagnostic) => void): void {
  if (item.state !== 'present') return;
  for (const placed of valuesIn(fields, item.value)) {
    if (Array.isArray(placed.value) && !isListOfKeys(placed.field))
      for (const found of repeats(item, placed, placed.value)) report(found);
  }
}

function repeats(item: DesiredItem, { field: { key }, path }: Placed, list: readonly unknown[]): Diagnostic[] {
  if (key === undefined) return [];
  const firsts = new Map<unknown, number>();
  return list.flatMap((one, index): Diagnostic[] => {
    const name = memberOf(one, key);
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, index);
      return [];
    }
    const { file, line, column } = item.at(jsonPointer(...path, first, key));
    const source = item.at(jsonPointer(...path, index, key));
    const message = `"${String(name)}" is listed twice in ${path.join('.')}, first at ${file}:${line}:${column}.`;
    const hint = 'remove one of the two entries';
    return [{ code: 'CONFIG_DUPLICATE_ELEMENT', severity: 'error', message, hint, source }];
  });
}
