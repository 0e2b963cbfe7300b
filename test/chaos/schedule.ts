/** What goes wrong in the runs of a seed, and when: faults of the tenant, its quota, other clients, signals, a broken output. */

import type { FaultKind, FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { Rate } from '../../src/embedded-tenant/http/token-bucket.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { falseSuccesses, type Lie, lieNames } from './lies.ts';
import { type Movement, movements } from './others.ts';
import type { Random } from './random.ts';

/** Another client's change, at the n-th request of the API, or at the n-th write to something that the plan writes. */
export interface Intervention {
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly seed: number;
}

/** A list changes between two pages: after the n-th page that has another one after it. */
export interface Move {
  readonly page: number;
  readonly kind: Action['kind'];
  readonly movement: Movement;
  readonly seed: number;
}

export interface Churn {
  readonly times: number;
  readonly seed: number;
}

/** The plan is confirmed on a terminal, so much later; meanwhile other clients change what it writes. */
export interface Prompt {
  readonly ms: number;
  /** Of each change. */
  readonly seeds: readonly number[];
}

export interface Schedule {
  readonly faults: readonly FaultRule[];
  readonly rate: Rate | null;
  /** Seconds. */
  readonly tokenLifetime: number;
  readonly credentials: 'client' | 'token';
  readonly interventions: readonly Intervention[];
  /** Changes of what the plan writes, at the n-th write. */
  readonly plannedChanges: readonly Intervention[];
  /** The same before the apply starts, where a saved plan is applied. */
  readonly changesSinceSaved: readonly number[];
  readonly moves: readonly Move[];
  /** Another client inserts or removes a role each time that a page of roles is read which has another one after it. */
  readonly churn: Churn | null;
  readonly prompt: Prompt | null;
  readonly lies: readonly Lie[];
  /** Most items in a page; null for as many as the client asks for. */
  readonly pageSize: number | null;
  /** Most that a request takes on its way, and its response on the way back. */
  readonly latencyMs: number;
  /** Milliseconds until a read shows a change. */
  readonly lagMs: number;
  /** A signal when the n-th request arrives. */
  readonly signal: { readonly at: number; readonly name: 'SIGINT' | 'SIGTERM'; readonly number: number } | null;
  /** Writing a result fails. */
  readonly breaksOutput: boolean;
  readonly format: 'json' | 'text' | 'markdown' | 'github';
  /** The plan is made and saved before anything goes wrong. */
  readonly savesPlan: boolean;
  /** What a guard refuses is approved at once. */
  readonly approves: boolean;
}

/** How many there are of them, live or declared. */
export interface Sizes {
  readonly policies: number;
  readonly roles: number;
  /** Whether there are clients and what names them. */
  readonly hasApplications: boolean;
}

export function makeSchedule(random: Random, { policies, roles, hasApplications }: Sizes): Schedule {
  const isLarge = policies > 100;
  const pageSize = makePageSize(random.branch('pages'), isLarge || roles > 20);
  const hasPages = isLarge || roles > 100 || pageSize !== null;
  const rate = random.chance(0.2) ? { perSecond: random.int(2, 20), burst: random.int(2, 12) } : null;
  const schedule: Schedule = {
    faults: random.chance(0.12)
      ? []
      : oneMove(Array.from({ length: random.int(1, 6) }, () => makeFault(random, isLarge))),
    rate,
    tokenLifetime: random.chance(0.1) ? random.int(2, 30) : 86_400,
    credentials: random.chance(0.2) ? 'token' : 'client',
    interventions: random.chance(0.3)
      ? Array.from({ length: random.int(1, 3) }, () => ({
          at: random.int(1, 18),
          when: random.pick(['before', 'after'] as const),
          seed: random.int(0, 1e9),
        }))
      : [],
    signal: random.chance(0.12)
      ? {
          at: random.int(1, 16),
          ...random.pick([{ name: 'SIGINT', number: 2 } as const, { name: 'SIGTERM', number: 15 } as const]),
        }
      : null,
    breaksOutput: random.chance(0.04),
    format: random.chance(0.9) ? 'json' : random.pick(['text', 'markdown', 'github']),
    savesPlan: random.chance(0.25),
    approves: random.chance(0.5),
    plannedChanges: makePlannedChanges(random.branch('planned changes')),
    changesSinceSaved: makeSeeds(random.branch('changes since saved'), 0.3, 2),
    ...makeMoves(random.branch('moves'), hasPages),
    prompt: makePrompt(random.branch('prompt')),
    lies: [...makeLies(random.branch('lies')), ...makeFalseSuccesses(random.branch('false successes'))],
    pageSize,
    ...makeDelays(random.branch('delays')),
  };
  const chosen = { ...schedule, ...makeQuiet(random.branch('quiet'), schedule, Math.max(policies, roles) > 100) };
  return hasApplications ? withApplicationFaults(random.branch('applications'), chosen) : chosen;
}

const applicationReads = ['list_clients', 'list_client_grants', 'list_connections', 'list_enabled_clients'];
const applicationWrites = [
  'create_client',
  'update_client',
  'delete_client',
  'create_client_grant',
  'update_client_grant',
  'delete_client_grant',
  'create_connection',
  'update_connection',
  // The removal is the same request with another body.
  'add_enabled_clients',
  'add_enabled_clients',
  'update_brute_force_protection',
];

/** A schedule in which something goes wrong gets more of it; in a quiet one, some writes get a server error. */
function withApplicationFaults(random: Random, schedule: Schedule): Schedule {
  const { faults, lies } = schedule;
  const isQuiet = lies.length === 0 && faults.every(({ status = 0 }) => status > 500);
  if (isQuiet && faults.length === 0) return schedule;
  const operation = random.pick(applicationWrites);
  if (isQuiet) return { ...schedule, faults: [...faults, { ...makeHiccup(random), operation }] };
  const own = Array.from({ length: random.int(0, 3) }, () =>
    random.chance(0.4)
      ? makeReadFault(random, random.pick(applicationReads))
      : makeWriteFault(random, random.pick(applicationWrites)),
  );
  const isTold = random.chance(0.3);
  const name = random.pick(falseSuccesses);
  const lie = { operation, name, performs: name === 'undone', lateMs: random.pick([200, 3000]), ...makeTimes(random) };
  return { ...schedule, faults: [...faults, ...own], lies: isTold ? [...lies, lie] : lies };
}

/** Little goes wrong, but it takes its time: every few writes the service responds with 5xx, or others move the lists. */
function makeQuiet(random: Random, { moves, churn }: Schedule, isLarge: boolean): Partial<Schedule> {
  if (!random.chance(isLarge ? 0.8 : 0.3)) return {};
  const areMoved = moves.length > 0 && random.chance(0.35);
  const fails = !areMoved && random.chance(0.8);
  return {
    faults: fails ? [makeHiccup(random), ...makeUnreadable(random.branch('unreadable'), isLarge)] : [],
    lies: [],
    interventions: [],
    plannedChanges: [],
    changesSinceSaved: [],
    signal: null,
    prompt: null,
    breaksOutput: false,
    format: 'json',
    savesPlan: false,
    approves: true,
    tokenLifetime: 86_400,
    lagMs: 0,
    rate: random.chance(0.4) ? { perSecond: random.int(4, 20), burst: random.int(4, 20) } : null,
    latencyMs: random.pick([300, 1500, 3000]),
    moves: areMoved ? moves : [],
    churn: areMoved ? churn : null,
  };
}

function makeHiccup(random: Random): FaultRule {
  return {
    operation: random.pick([...grants, 'create_role', 'create_role', 'update_role', 'update_role']),
    kind: 'status',
    status: random.pick([502, 503, 504]),
    after: random.pick(['commit', 'commit', 'before']),
    nth: random.int(1, 3),
    every: random.int(3, 9),
  };
}

/** A list beside that of its kind fails for some items, after the first writes as well as before. */
function makeUnreadable(random: Random, isLarge: boolean): FaultRule[] {
  if (!random.chance(0.4)) return [];
  return [
    {
      operation: 'list_role_permissions',
      kind: 'status',
      status: random.pick([403, 404, 500]),
      nth: random.int(1, isLarge ? 200 : 20),
      every: random.int(1, 3),
      times: random.int(1, 30),
    },
  ];
}

function makePageSize(random: Random, isLarge: boolean): number | null {
  if (!random.chance(isLarge ? 0.7 : 0.35)) return null;
  return isLarge ? random.int(25, 60) : random.int(1, 3);
}

function makePlannedChanges(random: Random): Intervention[] {
  if (!random.chance(0.2)) return [];
  return Array.from({ length: random.int(1, 3) }, () => ({
    at: random.int(1, 8),
    when: random.pick(['before', 'after'] as const),
    seed: random.int(0, 1e9),
  }));
}

function makeSeeds(random: Random, probability: number, most: number): number[] {
  return random.chance(probability) ? Array.from({ length: random.int(1, most) }, () => random.int(0, 1e9)) : [];
}

/** What moves so can be missed, and nothing shows it; where that happens in each pass, no client can tell it from what is not there. */
const unseen: ReadonlySet<Movement> = new Set(['back', 'swap']);

function makeMoves(random: Random, hasPages: boolean): Pick<Schedule, 'moves' | 'churn'> {
  if (!hasPages || !random.chance(0.7)) return { moves: [], churn: null };
  const moves = Array.from({ length: random.int(1, 4) }, () => ({
    page: random.int(1, 6),
    kind: random.pick(['rate_limit_policies', 'roles', 'roles', 'event_streams'] as const),
    movement: random.pick(movements),
    seed: random.int(0, 1e9),
  }));
  const first = moves.findIndex(({ movement }) => unseen.has(movement));
  const churn = random.chance(0.5) ? { times: random.int(2, 40), seed: random.int(0, 1e9) } : null;
  return {
    moves: moves.filter(({ movement }, index) => !unseen.has(movement) || (churn === null && index === first)),
    churn,
  };
}

function makePrompt(random: Random): Prompt | null {
  if (!random.chance(0.2)) return null;
  return { ms: random.pick([0, 3000, 30_000, 300_000]), seeds: makeSeeds(random, 0.6, 3) };
}

function makeLies(random: Random): Lie[] {
  if (!random.chance(0.2)) return [];
  return Array.from({ length: random.int(1, 3) }, () => {
    if (random.chance(0.5)) {
      // Their own success is an empty response as well: only a reading shows it.
      const operation = random.pick([...deletes, 'remove_role_permissions']);
      return { operation, name: 'nothing', performs: false, nth: 1, every: 1, times: random.int(1, 4) };
    }
    const name = random.pick(lieNames);
    const operation = random.chance(0.5) ? '*' : random.pick(writes);
    return { operation, name, performs: !name.startsWith('router') && random.chance(0.3), ...makeTimes(random) };
  });
}

/** The service's own success for something else. Grants are preferred, because removals rely on them. */
function makeFalseSuccesses(random: Random): Lie[] {
  if (!random.chance(0.6)) return [];
  const operations = [...random.some(grants, 0.7), ...random.some(writes, 0.1)];
  return operations.map((operation) => {
    const name = random.pick(falseSuccesses);
    const lateMs = random.pick([200, 3000, 10_000]);
    const times = random.chance(0.7) ? { nth: 1, every: 1, times: random.int(1, 4) } : makeTimes(random);
    return { operation, name, performs: name === 'undone', lateMs, ...times };
  });
}

function makeDelays(random: Random): Pick<Schedule, 'latencyMs' | 'lagMs'> {
  return {
    latencyMs: random.chance(0.3) ? random.pick([300, 1500, 4000]) : 0,
    lagMs: random.chance(0.08) ? random.pick([500, 2000, 6000, 10_000]) : 0,
  };
}

const cursorListings = ['list_rate_limit_policies', 'list_event_streams'];
const numberListings = ['list_roles', 'list_role_permissions'];
const reads = [...cursorListings, ...numberListings, 'get_prompt_partials'];
const grants = ['create_rate_limit_policy', 'add_role_permissions', 'create_event_stream', 'create_role'];
const deletes = ['delete_rate_limit_policy', 'delete_event_stream'];
const writes = [
  'create_rate_limit_policy',
  'update_rate_limit_policy',
  'create_role',
  'update_role',
  'add_role_permissions',
  'remove_role_permissions',
  'set_prompt_partials',
  'create_event_stream',
  'update_event_stream',
  ...deletes,
];

/** A list that moves once: what two passes miss both in one place cannot be told from what is not there. */
function oneMove(faults: readonly FaultRule[]): FaultRule[] {
  const first = faults.findIndex(({ kind }) => kind === 'drop_item');
  return faults.filter(({ kind }, index) => kind !== 'drop_item' || index === first);
}

/**
 * A fault that a tenant can have. What no client can see is left out: the service's own refusal of a write that was performed, its
 * own 404 for the deletion of something that is there, and an item that a single page leaves out.
 */
function makeFault(random: Random, isLarge: boolean): FaultRule {
  // Between two pages only: a list of one page that lacks an item cannot be told from one that has none.
  if (isLarge && random.chance(0.4)) return { operation: 'list_rate_limit_policies', kind: 'drop_item', nth: 2 };
  if (random.chance(0.12)) return makeTokenFault(random);
  if (random.chance(0.12))
    return { operation: '*', kind: 'status', status: random.pick([429, 503, 502, 401]), ...makeTimes(random) };
  return random.chance(0.45) ? makeReadFault(random) : makeWriteFault(random);
}

function makeTokenFault(random: Random): FaultRule {
  const kind = random.pick(['status', 'status', 'reset', 'cut', 'html', 'hang', 'delay'] as const);
  return { operation: 'token', kind, ...cellsOf(random, kind, [429, 500, 503, 502, 400, 204]), ...makeTimes(random) };
}

function makeReadFault(random: Random, operation = random.pick(reads)): FaultRule {
  const listing: readonly FaultKind[] = cursorListings.includes(operation)
    ? ['repeat_cursor', 'repeat_id', 'bad_item']
    : numberListings.includes(operation)
      ? ['repeat_id', 'bad_item']
      : [];
  const kind = random.pick(['status', 'status', 'reset', 'cut', 'html', 'hang', 'delay', ...listing] as const);
  return {
    operation,
    kind,
    ...cellsOf(random, kind, [429, 500, 502, 503, 504, 400, 403, 404, 200, 204, 304]),
    ...makeTimes(random),
  };
}

function makeWriteFault(random: Random, operation = random.pick(writes)): FaultRule {
  const isCommitted = random.chance(0.5);
  const after = isCommitted ? ('commit' as const) : ('before' as const);
  const kind = random.pick(
    isCommitted
      ? (['status', 'status', 'reset', 'html', 'hang', 'cut', 'delay'] as const)
      : (['status', 'status', 'reset', 'html', 'hang', 'delay'] as const),
  );
  const refusals = [429, 400, 403, ...(operation.startsWith('delete_') ? [] : [404])];
  const statuses = isCommitted ? [500, 502, 503, 504] : [500, 502, 503, 504, ...refusals];
  return { operation, kind, after, ...cellsOf(random, kind, statuses), ...makeTimes(random) };
}

function cellsOf(random: Random, kind: FaultKind, statuses: readonly number[]) {
  if (kind === 'status') return { status: random.pick(statuses) };
  return kind === 'delay' ? { ms: random.pick([100, 3000, 20_000]) } : {};
}

function makeTimes(random: Random): Pick<FaultRule, 'nth' | 'every' | 'times'> {
  const nth = random.int(1, 4);
  return random.pick([
    { nth },
    { nth, every: random.int(1, 4), times: random.int(1, 6) },
    { every: 1, times: random.int(1, 12) },
    { every: random.int(2, 5) },
  ]);
}
