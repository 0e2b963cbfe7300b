import { expect } from 'vitest';
import { applyPlan } from '../../src/apply/apply-plan.ts';
import { type Knowledge, type KnowledgeOptions, openKnowledge } from '../../src/apply/knowledge.ts';
import type { ApplyPlanOptions } from '../../src/apply/pipeline.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { PerformedAction } from '../../src/model/outcome.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import type { ItemSource } from '../../src/model/snapshot.ts';
import { operations } from '../../src/service/event-streams/description.generated.ts';
import { memberOf } from '../../src/values/json-pointer.ts';
import { buildPlan } from './build-plan.ts';
import { type FakeClock, startFakeClock } from './fake-clock.ts';

/**
 * What a tenant makes of one try of an action.
 *
 * - `done`: carried out and confirmed; `{ lateMs }`: readings show it later
 * - `lost`: carried out, and the response did not arrive; `broken`: neither
 * - `refused`: with status 400
 * - `ignored`: confirmed, and not carried out
 * - `accepted`: only accepted; `{ goneMs }`: and readings show it so much later
 * - `changed`: carried out and confirmed, and somebody else changed it at once
 */
export type Try =
  | 'done'
  | 'lost'
  | 'broken'
  | 'refused'
  | 'ignored'
  | 'accepted'
  | 'changed'
  | { readonly lateMs: number }
  | { readonly goneMs: number };

export interface ScriptedApply {
  readonly tries?: Readonly<Record<string, readonly Try[]>>;
  readonly kinds?: readonly AnyKind[];
  readonly mostTries?: number;
  /** How long each reading takes. */
  readonly readMs?: number;
  readonly plans?: (plan: Plan) => Plan;
  readonly options?: Partial<ApplyPlanOptions>;
  readonly knowledge?: Partial<KnowledgeOptions>;
  readonly clock?: FakeClock;
}

export const kindRead = (name: string, reading: Partial<AnyKind['reading']> = {}) =>
  ({ name, operations: [], reading: { operations: [], each: false, ...reading } }) as unknown as AnyKind;

/** How the items of an invented kind are read. */
export const listedBy = (more: object = {}): ItemSource<unknown> =>
  ({ list: operations.list, nameOf: () => '', ...more }) as ItemSource<unknown>;

/** What snapshots prefer, where the lists of all kinds have so many pages. */
export const preferring =
  (pages: () => number): KnowledgeOptions['prefersList'] =>
  ({ get, filterOf }, requests) =>
    (get === undefined && filterOf === undefined) || pages() <= Math.min(16, requests);

export const someKinds: readonly AnyKind[] = [
  kindRead('rate_limit_policies', { source: listedBy({ filterOf: () => ({}) }) }),
  kindRead('event_streams', { source: listedBy({ get: operations.get }) }),
  {
    ...kindRead('roles', { each: true }),
    access: ({ action, request }: Action) => {
      const pairs = (memberOf(request.body, 'permissions') ?? []) as string[];
      return action === 'add' ? { grants: pairs } : action === 'remove' ? { revokes: pairs } : {};
    },
  },
  kindRead('prompts', { each: true }),
];

/** What happened, in order: `send KEY`, `read KIND/KEY …`, and what was reported and recorded. */
export interface Happened {
  readonly events: string[];
  readonly sent: string[];
  readonly reads: string[];
  readonly reported: string[];
  readonly recorded: string[];
}

/** Lists that had the ids of `before` when the apply began, and those of `later` since then: by default every id. */
export function seeing(before: readonly string[] = [], later: readonly string[] | null = null) {
  let isBegun = false;
  return () => {
    const ids = isBegun ? later : before;
    isBegun = true;
    return (id: string) => ids?.includes(id) ?? true;
  };
}

/** Knowledge of a plan over readings that show what is left of it. */
export function scriptedKnowledge(
  plan: Plan,
  {
    kinds = someKinds,
    readMs = 0,
    plans = (same) => same,
    knowledge: more = {},
    clock = startFakeClock(),
  }: ScriptedApply,
) {
  const happened: Happened = { events: [], sent: [], reads: [], reported: [], recorded: [] };
  /** When readings stop to show that an action is needed. */
  const goneAt = new Map<string, number>();
  const changed = new Set<string>();
  const note = (list: string[], text: string, event = text) => {
    list.push(text);
    happened.events.push(event);
  };
  const left = (): Action[] =>
    plan.actions
      .filter(({ id }) => changed.has(id) || clock.monotonic() < (goneAt.get(id) ?? Number.POSITIVE_INFINITY))
      .map((action) => (changed.has(action.id) ? { ...action, precondition: 'sha256:other' } : action));
  const knowledge = openKnowledge(plan, {
    kinds,
    managed: new Set(kinds.map(({ name }) => name)),
    clock,
    plannedAt: clock.monotonic(),
    madeAt: Number.NEGATIVE_INFINITY,
    maxStalenessMs: 10_000,
    visibleWithinMs: 30_000,
    read: async (about) => {
      const began = clock.monotonic();
      const names = about.map(({ kind, key, part }) => `${kind}/${key}${part === undefined ? '' : `#${part}`}`);
      note(happened.reads, names.join(' '), `read ${names.join(' ')}`);
      const shown = left();
      await Promise.resolve();
      clock.advance(readMs);
      return { plan: plans(buildPlan({ actions: shown })), began, arrivedAt: clock.monotonic() };
    },
    prefersList: preferring(() => 1),
    seenByNow: seeing(),
    declaredNow: () => ({ isSame: true, value: null }),
    ...more,
  });
  return { knowledge, clock, happened, goneAt, changed, note };
}

/** Applies a plan on a tenant that does as scripted, and otherwise what it is asked. */
export async function runApply(plan: Plan, script: ScriptedApply = {}) {
  const { knowledge, clock, happened, goneAt, changed, note } = scriptedKnowledge(plan, script);
  const counts = new Map<string, number>();
  const send = ({ id, key }: Action): PerformedAction => {
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    note(happened.sent, key, `send ${id}`);
    const result = script.tries?.[id]?.[count] ?? script.tries?.[key]?.[count] ?? 'done';
    const late = typeof result === 'object' ? ('goneMs' in result ? result.goneMs : result.lateMs) : 0;
    const response = typeof result === 'object' ? ('goneMs' in result ? 'accepted' : 'done') : result;
    if (['done', 'lost', 'changed'].includes(response) || late > 0) goneAt.set(id, clock.monotonic() + late);
    if (response === 'changed') changed.add(id);
    if (response === 'accepted') return { id, outcome: 'unknown', status: 202, message: 'accepted', accepted: true };
    const isUnknown = response === 'lost' || response === 'broken';
    const outcome = isUnknown ? 'unknown' : response === 'refused' ? 'failed' : 'done';
    const status = isUnknown ? null : outcome === 'failed' ? 400 : 204;
    return { id, outcome, status, message: outcome === 'done' ? null : response };
  };
  const { document, error } = await applyPlan(plan, {
    kinds: script.kinds ?? someKinds,
    connection: {
      perform: async (action, before, isStillReady) => {
        const ended = await before?.();
        // Nothing has passed since it was read.
        if (ended === null) expect(isStillReady?.()).toBe(true);
        return ended ?? send(action);
      },
      mayResend: (id) => (counts.get(id) ?? 0) < (script.mostTries ?? 5),
    },
    journal: {
      intend: async () => {},
      outcome: async ({ id, outcome }) => void happened.recorded.push(`${id} ${outcome}`),
      lostLock: () => null,
    },
    knowledge: knowledge as Knowledge,
    clock,
    signal: new AbortController().signal,
    unverified: [],
    onOutcome: ({ key }, { outcome }) => happened.reported.push(`${key} ${outcome}`),
    ...script.options,
  });
  return {
    ...happened,
    clock,
    document,
    error,
    outcomes: document.outcomes.map(({ outcome }) => outcome),
    messages: document.outcomes.map(({ message }) => message),
    verification: document.verification,
  };
}
