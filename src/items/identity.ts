import type { Fields } from '../model/field.ts';
import type { CanonicalItem } from '../model/kind.ts';
import { hasField } from './members.ts';
import { valueIn, withTexts } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

/** The identity of items, from the fields that are marked for it. */
export interface Identity {
  readonly names: readonly string[];
  /** `oauth_authentication_api/client/default`; empty if an item has none. */
  nameOf(item: unknown): string;
}

export function identityOf(fields: Fields): Identity {
  const names = Object.keys(fields).filter((name) => fields[name]?.identity);
  const nameOf = (item: unknown) => {
    const values = names.map((name) => String((item as Item)[name] ?? fields[name]?.none ?? ''));
    const first = values.findIndex((value) => value !== '');
    return first < 0 ? '' : values.slice(first).join('/');
  };
  return { names, nameOf };
}

/**
 * The one form of an item: with a complete identity, which comes first, and references as texts. Null if items have one form
 * only.
 *
 *   { client: { id: c1 }, audience: a }  ->  { client: id:c1, audience: a, subject_type: client }
 *   { client: Web }, where files write it in place of a selector  ->  { resource: api, selector: client:Web }
 */
export function canonicalFrom<Desired>(
  fields: Fields,
  names: readonly string[],
): ((item: unknown) => CanonicalItem<Desired>) | null {
  const referring = Object.entries(fields).filter(([, field]) => hasField(field, ({ ref }) => ref !== undefined));
  if (referring.length === 0 && names.every((name) => fields[name]?.none === undefined)) return null;
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
    const value = { ...Object.fromEntries(identity), ...written, ...Object.fromEntries(references) } as Desired;
    return { value, writtenAt: (pointer) => (isOther && pointer === `/${last}` ? `/${other}` : pointer) };
  };
}
