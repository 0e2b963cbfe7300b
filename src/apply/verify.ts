import { hasDiagnostic } from '../diagnostics/has-diagnostic.ts';
import type { Clock } from '../model/clock.ts';
import type { Outcome } from '../model/outcome.ts';
import type { OutcomesDocument, Verification } from '../model/outcomes.generated.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { outcomesDocument } from './apply-plan.ts';
import { type Comparison, compareFresh, type FreshPlan, freshPlan, type ManagedKinds } from './compare-fresh.ts';

export interface VerifyOptions {
  readonly managed: ManagedKinds;
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>;
  readonly signal: AbortSignal;
  /** Makes the plan again for the items of these actions. Rejects with an error that has a diagnostic if they cannot be read. */
  readonly planAgain: (about: readonly Action[]) => Promise<Plan>;
  /** Ids of actions whose response showed the stored item as it was sent: that response was their reading. */
  readonly shown: ReadonlySet<string>;
  /** Ids of actions whose response showed something else than what was sent. */
  readonly contradicted: ReadonlySet<string>;
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

/** No reading begins later than this many milliseconds after the first one has ended. */
const longestMs = 15_000;

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
  if (done.size === 0) return { document, changed: [] };
  if (!options.isWanted) {
    const verified = done.size - unshown.length;
    const verification: Verification = {
      result: 'skipped',
      verified,
      not_as_intended: [],
      not_verifiable: [],
      message: null,
    };
    return { document: { ...document, verification }, changed: [] };
  }
  const readable = unshown.filter(canBeRead);
  const found = await readUntilIntended(readable, plan.actions, options);
  const unread = [...unshown.filter((action) => !canBeRead(action)), ...found.unread];
  // Where nothing can be read, the response is all there is.
  const isContradicted = ({ id }: Action) => options.contradicted.has(id);
  const notVerifiable = unread.filter((action) => !isContradicted(action)).map(({ id }) => id);
  const open = [...found.open, ...unread.filter(isContradicted)];
  return concluded(document, { ...found, open }, notVerifiable, done.size);
}

/** What is sent whether it is needed or not is planned again whatever the tenant has. */
function canBeRead({ reason }: Action): boolean {
  return reason !== 'unreadable' && reason !== 'rotated';
}

interface Found {
  /** What is not as intended. */
  readonly open: readonly Action[];
  /** What nothing can read. */
  readonly unread: readonly Action[];
  /** What the last reading failed for. */
  readonly failed: readonly Action[];
  /** Why the last reading failed, or null. */
  readonly failure: string | null;
}

async function readUntilIntended(
  actions: readonly Action[],
  planned: readonly Action[],
  options: VerifyOptions,
): Promise<Found> {
  const { planAgain, managed, clock, signal } = options;
  let found: Found = { open: [], unread: [], failed: actions, failure: null };
  let firstAt: number | null = null;
  for (const wait of [...waits, null]) {
    const left = [...found.open, ...found.failed];
    // Under a small quota, one reading can take longer than a service needs to show a write.
    if (left.length === 0 || (firstAt !== null && clock.monotonic() - firstAt > longestMs)) break;
    try {
      signal.throwIfAborted();
      const fresh = freshPlan(await planAgain(left), planned);
      firstAt ??= clock.monotonic();
      found = compareAll(left, fresh, managed, found);
      if (found.open.length + found.failed.length > 0 && wait !== null) await clock.sleep(wait, signal);
    } catch (error) {
      if (signal.aborted) return { ...found, failure: 'interrupted before everything was read' };
      if (!hasDiagnostic(error)) throw error;
      found = { ...found, failure: error.message };
    }
  }
  return found;
}

function compareAll(actions: readonly Action[], fresh: FreshPlan, managed: ManagedKinds, before: Found): Found {
  const compared = actions.map((action) => ({ action, comparison: compareFresh(action, fresh, managed) }));
  const inState = (...states: readonly Comparison['state'][]) =>
    compared.filter(({ comparison }) => states.includes(comparison.state)).map(({ action }) => action);
  const unread = inState('unread');
  // An incomplete plan is one that a reading failed for: it may succeed the next time.
  const [failing, never] = fresh.plan.complete ? [[], unread] : [unread, []];
  // A reading that fails does not refute the one before it.
  const wasOpen = new Set(before.open);
  const failed = failing.filter((action) => !wasOpen.has(action));
  const why = compared.flatMap(({ comparison }) => (comparison.state === 'unread' ? [comparison.why] : []))[0];
  return {
    open: [...inState('unchanged', 'changed'), ...failing.filter((action) => wasOpen.has(action))],
    unread: [...before.unread, ...never],
    failed,
    failure: failing.length === 0 ? null : (why ?? null),
  };
}

function concluded(
  document: OutcomesDocument,
  { open, failed, failure }: Found,
  notVerifiable: readonly string[],
  done: number,
): Verified {
  const { plan, outcomes } = document;
  const ids = new Set(open.map(({ id }) => id));
  const changed = outcomes.filter(({ id }) => ids.has(id)).map(notIntended);
  const byId = new Map(changed.map((outcome) => [outcome.id, outcome]));
  const verified = done - notVerifiable.length - open.length - failed.length;
  const verification: Verification = {
    result: resultOf({ verified, open: open.length, failed: failed.length, unread: notVerifiable.length }),
    verified,
    not_as_intended: open.map(({ id }) => id),
    not_verifiable: [...notVerifiable],
    message: failed.length === 0 && open.length === 0 ? null : failure,
  };
  const resolved = outcomes.map((outcome) => byId.get(outcome.id) ?? outcome);
  return { document: { ...outcomesDocument(plan, resolved), verification }, changed };
}

type Counts = Readonly<Record<'verified' | 'open' | 'failed' | 'unread', number>>;

function resultOf({ verified, open, failed, unread }: Counts): Verification['result'] {
  if (open > 0) return 'not_as_intended';
  if (failed > 0) return 'not_read';
  return verified === 0 && unread > 0 ? 'not_verifiable' : 'verified';
}

/** The service confirmed it, and the tenant does not show it: it was not carried out, or another client undid it. */
function notIntended({ id, status }: Outcome): Outcome {
  const confirmed = status === null ? '' : `status ${status}, but `;
  const message = `${confirmed}a reading does not show it: it was not carried out, or another client has changed it since`;
  return { id, outcome: 'unknown', status, message };
}
