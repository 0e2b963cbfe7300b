import type { Fields } from '../model/field.ts';
import type { CanonicalItem } from '../model/kind.ts';

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

/** The item with a complete identity, which comes first; null if no part of an identity can be left out. */
export function canonicalFrom<Desired>(
  fields: Fields,
  names: readonly string[],
): ((item: unknown) => CanonicalItem<Desired>) | null {
  if (names.every((name) => fields[name]?.none === undefined)) return null;
  return (item) => {
    const identity = names.map((name) => [name, (item as Item)[name] ?? fields[name]?.none]);
    const value = { ...Object.fromEntries(identity), ...(item as Item) } as Desired;
    return { value, writtenAt: (pointer) => pointer };
  };
}
