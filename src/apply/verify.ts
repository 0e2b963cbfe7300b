import type { Clock } from '../model/clock.ts';
import type { Outcome } from '../model/outcome.ts';
import type { OutcomesDocument, Verification } from '../model/outcomes.generated.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { outcomesDocument } from './apply-plan.ts';
import { type Comparison, compareFresh, freshPlan, type ManagedKinds } from './compare-fresh.ts';
import { type ItemToRead, itemsToRead } from './items-to-read.ts';

export interface VerifyOptions {
  readonly managed: ManagedKinds;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  /** Makes the plan again for these items. Rejects with an error that has a diagnostic if they cannot be read. */
  readonly planAgain: (items: readonly ItemToRead[]) => Promise<Plan>;
  /** Ids of actions whose response showed the stored item as it was sent: that response was their reading. */
  readonly shown: ReadonlySet<string>;
  /** False with --no-verify. */
  readonly isWanted: boolean;
}

export interface Verified {
  readonly document: OutcomesDocument;
  /** The outcomes that the reading changed. */
  readonly changed: readonly Outcome[];
}

/** Waits before each further reading, in milliseconds: a service may show a write only after a while. */
const waits = [250, 500, 1000, 2000, 4000, 7000] as const;

/**
 * Reads what an apply wrote and plans it again: what is in effect needs no action any more. Only what no response has
 * shown is read, and read again for up to 15 seconds while it is not as intended.
 *
 *   delete p   204   the listing lacks p          verified
 *   delete q   204   the listing still has q      unknown
 *   update r   200, with r as it was sent         verified without a reading
 */
export async function verify(document: OutcomesDocument, options: VerifyOptions): Promise<Verified> {
  const { plan, outcomes } = document;
  const done = new Set(outcomes.filter(({ outcome }) => outcome === 'done').map(({ id }) => id));
  const unshown = plan.actions.filter(({ id }) => done.has(id) && !options.shown.has(id));
  const base = { verified: done.size - unshown.length, not_as_intended: [], not_verifiable: [], message: null };
  const as = (verification: Verification): Verified => ({ document: { ...document, verification }, changed: [] });
  if (done.size === 0) return { document, changed: [] };
  if (!options.isWanted) return as({ ...base, result: 'skipped' });
  const readable = unshown.filter(canBeRead);
  try {
    const found = await readUntilIntended(readable, options);
    if (found.failure !== null) return as({ ...base, result: 'not_read', message: found.failure });
    const notVerifiable = [...unshown.filter((action) => !canBeRead(action)), ...found.unread].map(({ id }) => id);
    return concluded(document, found.open, {
      result: 'verified',
      verified: done.size - notVerifiable.length - found.open.length,
      not_as_intended: found.open.map(({ id }) => id),
      not_verifiable: notVerifiable,
      message: null,
    });
  } catch (error) {
    if (!options.signal.aborted && !hasDiagnostic(error)) throw error;
    const message = options.signal.aborted ? 'interrupted before everything was read' : (error as Error).message;
    return as({ ...base, result: 'not_read', message });
  }
}

/** What is sent whether it is needed or not is planned again whatever the tenant has. */
function canBeRead({ reason }: Action): boolean {
  return reason !== 'unreadable' && reason !== 'rotated';
}

interface Found {
  readonly open: readonly Action[];
  /** What nothing can read. */
  readonly unread: readonly Action[];
  /** Why the last reading failed, or null. */
  readonly failure: string | null;
}

const actionOf = ({ action }: { readonly action: Action }) => action;

async function readUntilIntended(
  actions: readonly Action[],
  { planAgain, managed, clock, signal }: VerifyOptions,
): Promise<Found> {
  const unread: Action[] = [];
  let open = actions;
  let failure: string | null = null;
  for (const wait of [...waits, null]) {
    if (open.length === 0) break;
    signal.throwIfAborted();
    const fresh = freshPlan(await planAgain(itemsToRead(open)));
    const compared = open.map((action) => ({ action, comparison: compareFresh(action, fresh, managed) }));
    const reasons = compared.flatMap(({ comparison }) => (comparison.state === 'unread' ? [comparison.why] : []));
    // An incomplete plan is one that a reading failed for: it may succeed the next time.
    failure = fresh.plan.complete ? null : (reasons[0] ?? null);
    const isOver = ({ state }: Comparison) => state === 'reached' || (state === 'unread' && failure === null);
    unread.push(
      ...compared.filter(({ comparison: { state } }) => state === 'unread' && failure === null).map(actionOf),
    );
    open = compared.filter(({ comparison }) => !isOver(comparison)).map(actionOf);
    if (open.length > 0 && wait !== null) await clock.sleep(wait, signal);
  }
  return { open, unread, failure };
}

function concluded(document: OutcomesDocument, open: readonly Action[], verification: Verification): Verified {
  const { plan, outcomes } = document;
  const ids = new Set(open.map(({ id }) => id));
  const changed = outcomes.filter(({ id }) => ids.has(id)).map(notIntended);
  const byId = new Map(changed.map((outcome) => [outcome.id, outcome]));
  const result =
    open.length > 0
      ? 'not_as_intended'
      : verification.verified === 0 && verification.not_verifiable.length > 0
        ? 'not_verifiable'
        : 'verified';
  return {
    document: {
      ...outcomesDocument(
        plan,
        outcomes.map((outcome) => byId.get(outcome.id) ?? outcome),
      ),
      verification: { ...verification, result },
    },
    changed,
  };
}

/** The service confirmed it, and the tenant does not show it: it was not carried out, or another client undid it. */
function notIntended({ id, status }: Outcome): Outcome {
  const confirmed = status === null ? '' : `status ${status}, but `;
  const message = `${confirmed}a reading does not show it: it was not carried out, or another client has changed it since`;
  return { id, outcome: 'unknown', status, message };
}

function hasDiagnostic(error: unknown): boolean {
  return error instanceof Error && 'diagnostic' in error;
}
