import type { Clock } from '../model/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type ApiLevel, isAvailable, type Operation } from '../model/operation.ts';
import type { TenantResource, TenantRoute } from '../model/tenant-resource.ts';
import type { TenantKeys } from './auth/authenticate.ts';
import { type FaultRule, listingFaults } from './faults/fault-rule.ts';
import type { Rate } from './http/token-bucket.ts';
import type { LoggedRequest } from './request-log.ts';

export interface TenantOptions {
  readonly resources: readonly TenantResource[];
  /** The operations that are served; any other returns 404 or 405. Default: full. */
  readonly api?: ApiLevel;
  /** Unknown data: every section is validated by its resource. Default: an empty tenant without clients. */
  readonly seed?: unknown;
  /**
   * Every change is written to this file before its response is sent. If the file exists, its state is used instead of
   * the seed.
   */
  readonly stateFile?: string;
  /** Delay of every response, in milliseconds. */
  readonly latencyMs?: number;
  /** Default: no limit, and no rate limit headers. */
  readonly rate?: Rate;
  readonly faults?: readonly FaultRule[];
  readonly clock: Clock;
  /** Default: a new key pair, which takes a few hundred milliseconds. */
  readonly keys?: TenantKeys;
  /** Seconds. Default: 86400. */
  readonly tokenLifetime?: number;
  /** Called after every response. */
  readonly onRequest?: (entry: LoggedRequest) => void;
}

/** Throws a TenantSetupError with every fault that could never happen. */
export function checkFaults(options: TenantOptions): void {
  const operations = servedRoutes(options).map(({ route }) => route.operation);
  const messages = (options.faults ?? []).flatMap((rule) => faultProblems(rule, operations));
  if (messages.length > 0)
    throw new TenantSetupError(messages.map((message) => ({ code: 'OPTION_INVALID', severity: 'error', message })));
}

/** A route with the resource whose store it works on. */
export interface ServedRoute {
  readonly resource: TenantResource;
  readonly route: TenantRoute;
}

export function servedRoutes({ resources, api = 'full' }: TenantOptions): readonly ServedRoute[] {
  return resources.flatMap((resource) =>
    resource.routes.filter(({ operation }) => isAvailable(operation, api)).map((route) => ({ resource, route })),
  );
}

function faultProblems({ operation: id, kind }: FaultRule, operations: readonly Operation[]): readonly string[] {
  if (id === '*') return [];
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined && id !== 'token') {
    const known = ['*', 'token', ...operations.map((candidate) => candidate.id)].join(', ');
    return [`The fault ${kind} names an unknown operation "${id}"; expected one of: ${known}.`];
  }
  if (listingFaults.has(kind) && operation?.paging === undefined)
    return [`The fault ${kind} applies only to operations that list, and ${id} does not.`];
  if (kind === 'repeat_cursor' && operation?.paging !== undefined && operation.paging.style !== 'cursor')
    return [`The fault ${kind} applies only to lists with cursors, and ${id} has none.`];
  return [];
}

/** The tenant cannot start with these options or this seed, or a change would make its state invalid. */
export class TenantSetupError extends Error {
  override readonly name = 'TenantSetupError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'), options);
    this.diagnostics = diagnostics;
  }
}
