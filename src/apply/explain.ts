import type { AnyKind } from '../model/kind.ts';
import type { PerformedAction } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';
import type { Reader } from '../model/reader.ts';

/** Describes the live item that has the identity of an action; null if it is not known. */
type HolderOf = (action: Action) => string | null;

/**
 * Adds what the kind knows to the message of a failed action: which live item has the identity, and how to fix it. A
 * kind is read once, after its first conflict, however many creates are refused: creates are sent together.
 */
export function openExplanations(
  kinds: readonly AnyKind[],
  reader: Reader,
): (action: Action, performed: PerformedAction) => Promise<PerformedAction> {
  const holders = new Map<string, Promise<HolderOf>>();
  const holderOf = async (kind: AnyKind, action: Action): Promise<string | null> => {
    const reading = holders.get(kind.name) ?? readHolders(kind, reader);
    holders.set(kind.name, reading);
    const holder = (await reading)(action);
    return holder === null ? null : `conflict: ${holder}; run plan again`;
  };
  return async (action, { refusal, ...performed }) => {
    const { outcome, status, message } = performed;
    const kind = kinds.find(({ name }) => name === action.kind);
    if (kind === undefined || outcome === 'done' || outcome === 'conflict' || message === null) return performed;
    const holder = action.action === 'create' && status === 409 ? await holderOf(kind, action) : null;
    const fix = kind.fix?.(action, refusal === undefined ? message : `${message}; ${refusal}`) ?? null;
    return { ...performed, message: [message, holder, fix].filter((part) => part !== null).join('; ') };
  };
}

/** An explanation that cannot be had is not worth ending a run for. */
async function readHolders({ readBack }: AnyKind, reader: Reader): Promise<HolderOf> {
  const none: HolderOf = () => null;
  return (await readBack?.(reader).catch(() => none)) ?? none;
}
