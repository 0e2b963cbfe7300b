import type { AnyKind } from '../model/kind.ts';
import type { Perform } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';
import type { Reader } from '../model/reader.ts';

/** Adds what the kind knows to the message of a failed action: which live item has the identity, and how to fix it. */
export function explaining(perform: Perform, kinds: readonly AnyKind[], reader: Reader): Perform {
  return async (action) => {
    const outcome = await perform(action);
    const kind = kinds.find(({ name }) => name === action.kind);
    if (kind === undefined || outcome.outcome === 'done' || outcome.message === null) return outcome;
    const holder = action.action === 'create' && outcome.status === 409 ? await readBack(kind, reader, action) : null;
    const remedy = kind.remedy?.(action, outcome.message) ?? null;
    return { ...outcome, message: [outcome.message, holder, remedy].filter((part) => part !== null).join('; ') };
  };
}

/** An explanation that cannot be had is not worth ending a run for. */
async function readBack(kind: AnyKind, reader: Reader, action: Action): Promise<string | null> {
  const holder = await kind.readBack?.(reader, action).catch(() => null);
  return holder ? `conflict: ${holder}; run plan again` : null;
}
