import type { AnyKind, KindName, KnownKind, LazyKind } from '../model/kind.ts';
import { once } from '../values/memoized.ts';
import { registry } from './registry.generated.ts';

const loaded = new Map<KindName, AnyKind>();

/** The kinds, in the order in which plans and reports name them. */
export const kinds: readonly LazyKind[] = registry.map((kind) => ({
  ...kind,
  load: once(async () => {
    const complete = await kind.load();
    loaded.set(kind.name, complete);
    return complete;
  }),
}));

/** All of them, loaded. */
export function allKinds(): Promise<readonly AnyKind[]> {
  return Promise.all(kinds.map(({ load }) => load()));
}

/** All of them, as far as they are loaded. */
export function knownKinds(): readonly KnownKind[] {
  return kinds.map((kind) => loaded.get(kind.name) ?? kind);
}
