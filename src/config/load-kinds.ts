import type { AnyKind, LazyKind } from '../model/kind.ts';

/** A kind, or what loads it. */
export type KindSource = AnyKind | LazyKind;

/** The kinds of these names, beside those that are loaded already. */
export async function loadKinds(names: ReadonlySet<string>, kinds: readonly KindSource[]): Promise<readonly AnyKind[]> {
  const loading = kinds.map((kind) => ('load' in kind ? names.has(kind.name) && kind.load() : kind));
  return (await Promise.all(loading)).filter((kind) => kind !== false);
}
