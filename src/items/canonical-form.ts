import type { CanonicalItem } from '../model/kind.ts';
import type { Resource } from '../model/resource.ts';
import { jsonPointer, pointerPath } from '../values/json-pointer.ts';
import { hasField, withSets } from './members.ts';
import { valueIn, withTexts } from './references.ts';
import { shortLists, writtenElements } from './short-sets.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * The one form of an item: with a complete identity, which comes first, references as texts, and elements as sorted lists.
 * Null if items have one form only.
 *
 *   { client: { id: c1 }, audience: a }  ->  { client: id:c1, audience: a, subject_type: client }
 *   { client: Web }, where files write it in place of a selector  ->  { resource: api, selector: client:Web }
 */
export function canonicalFrom<Desired>(
  description: Pick<Resource, 'key' | 'fields' | 'resources'>,
): ((item: unknown) => CanonicalItem<Desired>) | null {
  const { key: names } = description;
  const fields = withSets(description, true);
  const lists = shortLists(description);
  const referring = Object.entries(fields).filter(
    ([name, field]) => !lists.has(name) && hasField(field, ({ ref }) => ref !== undefined),
  );
  if (referring.length + lists.size === 0 && names.every((name) => fields[name]?.none === undefined)) return null;
  const last = names.at(-1) ?? '';
  const { field: other = '' } = fields[last]?.ref?.as ?? {};
  return (item) => {
    const { [other]: named, ...others } = item as Item;
    const isOther = other !== '' && named !== undefined;
    const written = isOther ? { ...others, [last]: valueIn(item, last, fields[last]) } : (item as Item);
    const identity = names.flatMap((name) => {
      const own = written[name] ?? fields[name]?.none;
      return own === undefined ? [] : [[name, own]];
    });
    const references = referring.flatMap(([name, field]) =>
      name in written ? [[name, withTexts(field, written[name], written)]] : [],
    );
    const sets = new Map(
      [...lists].flatMap(([list, short]) =>
        list in written ? [[list, writtenElements(list, short, written[list])] as const] : [],
      ),
    );
    const elements = [...sets].map(([list, all]) => [list, all.map(({ element }) => element)]);
    const value = Object.fromEntries([...identity, ...Object.entries(written), ...references, ...elements]) as Desired;
    return {
      value,
      writtenAt(pointer) {
        const [list = '', index, ...below] = pointerPath(pointer);
        const found = index === undefined ? undefined : sets.get(list)?.[Number(index)];
        if (found === undefined) return isOther && pointer === `/${last}` ? `/${other}` : pointer;
        return found.isShort ? found.pointer : found.pointer + jsonPointer(...below);
      },
    };
  };
}
