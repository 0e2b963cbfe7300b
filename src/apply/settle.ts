import { inDoubt, type NextTurn, type Outcome } from '../model/outcome.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, KindName, Plan, PlannedRequest } from '../model/plan.generated.ts';
import { outcomesDocument } from './apply-plan.ts';

/** An action that may have been carried out. */
export interface Doubtful {
  readonly id: string;
  /** Digest of its request. */
  readonly request: string;
}

/**
 * - `not_needed`: a fresh plan has no such action, so its goal is reached. Right after it was sent that means: it was carried out.
 * - `needed`: a fresh plan has the same request still before it.
 * - `unknown`: the fresh plan does not know: its kind or item was not read, or the tenant is in a third state.
 */
export type Settlement = 'not_needed' | 'needed' | 'unknown';

export interface SettleTerms {
  readonly digestOf: (request: PlannedRequest) => string;
  /** The kinds that the files manage: about others a plan says nothing. */
  readonly managed: ReadonlySet<KindName>;
}

/**
 * What a fresh plan says about actions of unknown outcome, by id. Requests are compared, not ids: of a large change that takes
 * several requests (`#add`, `#add-2`), what is left is numbered anew.
 */
export function settle(
  doubtful: readonly Doubtful[],
  fresh: Plan,
  { digestOf, managed }: SettleTerms,
): Map<string, Settlement> {
  const planned = new Map(fresh.actions.map((action) => [digestOf(action.request), action]));
  const changes = new Set(fresh.actions.map(({ id }) => changeOf(id)));
  return new Map(
    doubtful.map(({ id, request }) => {
      const same = planned.get(request);
      if (same !== undefined) return [id, isFromReading(same) ? 'needed' : 'unknown'];
      return [id, changes.has(changeOf(id)) || !isTold(id, fresh, managed) ? 'unknown' : 'not_needed'];
    }),
  );
}

/** The change that an action is a part of. */
function changeOf(id: string): string {
  return id.replace(/(#[a-z]+)-\d+$/, '$1');
}

/** What cannot be compared is sent whether it is needed or not. */
function isFromReading({ reason }: Action): boolean {
  return reason !== 'unreadable' && reason !== 'rotated';
}

/** Differences that leave an item without an action. */
const openDifferences = new Set(['LIVE_MISSING', 'LIVE_DIFFERENT', 'LIVE_DUPLICATE']);

/** Whether a plan that has no action for an id means that there is none to do. Ids are `kind/key`, some with `#` and a part behind. */
function isTold(id: string, { summary, left_out, findings, selection }: Plan, managed: ReadonlySet<KindName>): boolean {
  const kind = [...managed].find((name) => id.startsWith(`${name}/`));
  if (kind === undefined || summary.unreadable.includes(kind)) return false;
  const isPartOf = (item: string) => id === item || id.startsWith(`${item}#`);
  // Of a kind of which one item was asked for, the rest is what was not read.
  const isRest = !selection.only.some(isPartOf) || selection.except.includes(kind);
  const isAbout = ({ kind: of, key }: { readonly kind: KindName; readonly key: string }) =>
    of === kind && ((key === '*' && isRest) || isPartOf(`${kind}/${key}`));
  return !left_out.some(isAbout) && !findings.some((finding) => openDifferences.has(finding.code) && isAbout(finding));
}

/** What a fresh plan, made right after a run, makes of its outcomes. All are ids of actions. */
export interface SettledRun {
  readonly document: OutcomesDocument;
  /** Whose outcome it told. */
  readonly told: ReadonlySet<string>;
  /** Those among them that were not carried out, */
  readonly undone: ReadonlySet<string>;
  /** and those that may be sent once more. */
  readonly again: ReadonlySet<string>;
  /** Not attempted, and still needed. */
  readonly waiting: ReadonlySet<string>;
}

/** What is still unknown of a run, read again right after it: `not_needed` then means that it was carried out. */
export function settleRun(
  { plan, outcomes }: Pick<OutcomesDocument, 'plan' | 'outcomes'>,
  fresh: Plan,
  turns: ReadonlyMap<string, NextTurn>,
  terms: SettleTerms,
): SettledRun {
  const outcomeOf = new Map(outcomes.map(({ id, outcome }) => [id, outcome]));
  const withOutcome = (wanted: Outcome['outcome']): Doubtful[] =>
    plan.actions
      .filter(({ id }) => outcomeOf.get(id) === wanted)
      .map(({ id, request }) => ({ id, request: terms.digestOf(request) }));
  const settlements = settle(withOutcome('unknown'), fresh, terms);
  const planned = new Set(fresh.actions.map(({ request }) => terms.digestOf(request)));
  const settledAs = (wanted: Settlement) =>
    [...settlements].filter(([, settlement]) => settlement === wanted).map(([id]) => id);
  const undone = settledAs('needed');
  return {
    document: outcomesDocument(
      plan,
      outcomes.map((outcome) => settled(outcome, settlements.get(outcome.id) ?? 'unknown', turns.get(outcome.id))),
    ),
    told: new Set([...undone, ...settledAs('not_needed')]),
    undone: new Set(undone),
    again: new Set(undone.filter((id) => turns.get(id)?.ready)),
    waiting: new Set(withOutcome('not_attempted').flatMap(({ id, request }) => (planned.has(request) ? [id] : []))),
  };
}

function settled(outcome: Outcome, settlement: Settlement, turn: NextTurn | undefined): Outcome {
  if (settlement === 'unknown') return outcome;
  // What was said of a try that had no effect, or the second one, is no concern of who reads that all is well.
  if (settlement === 'not_needed')
    return { ...outcome, outcome: 'done', message: 'verified by reading: it was carried out' };
  const why = turn === undefined || turn.ready ? null : turn.why;
  const said = outcome.message?.replace(inDoubt, '') ?? null;
  return {
    ...outcome,
    outcome: 'failed',
    message: [said, why, 'verified by reading: it was not carried out'].filter((part) => part !== null).join('; '),
  };
}
