import { problem } from '../diagnostics/problem.ts';
import { locationText } from '../diagnostics/source-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DesiredItem } from '../model/kind.ts';
import type { KindDescription } from '../model/resource.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { thousands } from '../values/thousands.ts';
import { repeats } from './members.ts';
import { elementsNamed } from './own-elements.ts';
import { elementKey, type SetElement, type ShortSet, shortLists } from './short-sets.ts';

/** What a schema cannot say of sets: fields name declared elements; of short ones, no element twice, none both there and absent, no more than an item can have. */
export function checkSets(
  description: Pick<KindDescription, 'noun' | 'resources' | 'fields'>,
  item: DesiredItem<object>,
  report: (diagnostic: Diagnostic) => void,
): void {
  if (item.state !== 'present') return;
  const { noun, resources } = description;
  const keysOf = (list: string, short: ShortSet) =>
    ((memberOf(item.value, list) ?? []) as readonly SetElement[]).map(elementKey(short));
  for (const { set, name, pointer } of elementsNamed(description.fields, item.value)) {
    const { key: [only = ''] = [] } = resources[set] ?? {};
    const declared = memberOf(item.value, set);
    if (Array.isArray(declared) && declared.some((one) => memberOf(one, only) === name)) continue;
    const message = `No element of ${set} of this ${noun.one} has the ${only} "${name}".`;
    report({
      ...problem('CONFIG_UNKNOWN_VALUE', message, `declare it in ${set}, or correct the ${only}`),
      source: item.at(pointer),
    });
  }
  const lists = shortLists(description);
  for (const [list, short] of lists) {
    const keys = keysOf(list, short);
    const { maxItems = Number.POSITIVE_INFINITY, noun: elements = noun } = short.set;
    if (keys.length > maxItems)
      report({ ...tooMany(thousands(maxItems), elements.many, noun), source: item.at(`/${list}`) });
    for (const found of repeats(item, list, keys, (index) => jsonPointer(list, index))) report(found);
  }
  for (const [name, { absent = '', noun: elements = noun }] of Object.entries(resources)) {
    const short = lists.get(absent);
    if (short === undefined) continue;
    const present = new Map(keysOf(name, short).map((key, index) => [key, index]));
    for (const [index, key] of keysOf(absent, short).entries()) {
      const wanted = present.get(key);
      if (wanted === undefined) continue;
      const first = locationText(item.at(jsonPointer(name, wanted)));
      const message = `This ${elements.one} is in both ${name} (${first}) and ${absent} of the same ${noun.one}.`;
      const source = item.at(jsonPointer(absent, index));
      report({ ...problem('CONFIG_CONTRADICTION', message, 'remove it from one of the two lists'), source });
    }
  }
}

/** One request contains all of them. */
function tooMany(most: string, elements: string, { one, many }: KindDescription['noun']) {
  return problem(
    'CONFIG_TOO_LONG',
    `More than ${most} ${elements} are listed here. A ${one} can have ${most}, and one request is for ${most}.`,
    `list fewer: divide ${elements} among several ${many}, and leave out absent ones that the ${one} cannot get`,
  );
}
