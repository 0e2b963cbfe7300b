/** What goes wrong in the runs of a seed, and when: faults of the tenant, its quota, another writer, signals, a broken output. */
import type { Seed } from '../../src/model/seed.generated.ts';
import type { FaultKind, FaultRule } from '../../src/tenant/faults/fault-rule.ts';
import type { Rate } from '../../src/tenant/http/token-bucket.ts';
import type { Random } from './random.ts';

/** Somebody else's change, at the n-th request of the API. */
export interface Intervention {
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly seed: number;
}

export interface Schedule {
  readonly faults: readonly FaultRule[];
  readonly rate: Rate | null;
  /** Seconds. */
  readonly tokenLifetime: number;
  readonly credentials: 'client' | 'token';
  readonly interventions: readonly Intervention[];
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

export function makeSchedule(random: Random, hasPages: boolean): Schedule {
  const rate = random.chance(0.2) ? { perSecond: random.int(2, 20), burst: random.int(2, 12) } : null;
  return {
    faults: random.chance(0.12)
      ? []
      : oneMove(Array.from({ length: random.int(1, 6) }, () => makeFault(random, hasPages))),
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
  };
}

const cursorListings = ['list_rate_limit_policies', 'list_event_streams'];
const numberListings = ['list_roles', 'list_role_permissions'];
const reads = [...cursorListings, ...numberListings, 'get_prompt_partials'];
const deletes = ['delete_rate_limit_policy', 'delete_event_stream'];
const writes = [
  'create_rate_limit_policy',
  'update_rate_limit_policy',
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
 * A fault that a tenant can have. What would make it a liar is left out, because no client can see it: a success for a write that
 * was not performed, a refusal of one that was, a 404 for the deletion of something that is there, and an item that a single page
 * leaves out.
 */
function makeFault(random: Random, hasPages: boolean): FaultRule {
  // Between two pages only: a list of one page that lacks an item cannot be told from one that has none.
  if (hasPages && random.chance(0.4)) return { operation: 'list_rate_limit_policies', kind: 'drop_item', nth: 2 };
  if (random.chance(0.12)) return makeTokenFault(random);
  if (random.chance(0.12))
    return { operation: '*', kind: 'status', status: random.pick([429, 503, 502, 401]), ...makeTimes(random) };
  return random.chance(0.45) ? makeReadFault(random) : makeWriteFault(random);
}

function makeTokenFault(random: Random): FaultRule {
  const kind = random.pick(['status', 'status', 'reset', 'cut', 'html', 'hang', 'delay'] as const);
  return { operation: 'token', kind, ...cellsOf(random, kind, [429, 500, 503, 502, 400, 204]), ...makeTimes(random) };
}

function makeReadFault(random: Random): FaultRule {
  const operation = random.pick(reads);
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

function makeWriteFault(random: Random): FaultRule {
  const operation = random.pick(writes);
  const isCommitted = random.chance(0.5);
  const after = isCommitted ? ('commit' as const) : ('before' as const);
  const kind = random.pick(
    isCommitted
      ? (['status', 'status', 'reset', 'html', 'hang', 'cut', 'delay'] as const)
      : (['status', 'status', 'reset', 'html', 'hang', 'delay'] as const),
  );
  const refusals = [429, 400, 403, ...(deletes.includes(operation) ? [] : [404])];
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

/** One thing that somebody else changes. What the files name by itself, such as a role, stays. */
export function intervene(random: Random, state: Seed): void {
  const policies = state.rate_limit_policies ?? [];
  const roles = state.roles ?? [];
  const streams = state.event_streams ?? [];
  const prompts = Object.values(state.prompts ?? {});
  const changes: (() => void)[] = [
    () => {
      const selector = `client_id:foreign-${random.int(0, 5)}`;
      if (policies.some(({ consumer_selector }) => consumer_selector === selector)) return;
      policies.push({
        id: `rlp_f${random.int(1e6, 9e6)}`,
        resource: 'oauth_authentication_api',
        consumer: 'client',
        consumer_selector: selector,
        configuration: { action: 'allow' },
      });
    },
    () => {
      if (policies.length > 0) random.pick(policies).configuration = { action: 'block', limit: random.int(3, 9) };
    },
    () => {
      if (policies.length > 0) policies.splice(random.int(0, policies.length - 1), 1);
    },
    () => {
      if (roles.length === 0) return;
      const role = random.pick(roles);
      role.permissions = [
        ...(role.permissions ?? []),
        { resource_server_identifier: 'https://foreign.example/', permission_name: `f${random.int(0, 99_999)}` },
      ];
    },
    () => {
      const role = roles.length === 0 ? undefined : random.pick(roles);
      role?.permissions?.splice(random.int(0, 5), 1);
    },
    () => {
      if (prompts.length > 0)
        random.pick(prompts).partials = { foreign: { 'form-content': `by hand ${random.int(0, 9)}` } };
    },
    () => {
      if (streams.length > 0) random.pick(streams).status = random.pick(['enabled', 'disabled']);
    },
    () => {
      if (streams.length > 0) streams.splice(random.int(0, streams.length - 1), 1);
    },
  ];
  random.pick(changes)();
}
