/**
 * The embedded tenant: the service of the specification, in memory or in a file. It has two doors: `fetch` answers in this
 * process, `serveTenant` puts the same `answer` on a loopback socket. Faults that break a connection leave `answer` as a word
 * beside the response, because only the door knows what breaking means.
 */
import type { Clock } from '../model/clock.ts';
import type { Operation } from '../model/operation.ts';
import { createTenantKeys } from './auth/create-tenant-keys.ts';
import { answerToken } from './auth/issue-token.ts';
import { originsOf } from './auth/tenant-origins.ts';
import { checkOptions } from './check-options.ts';
import { breakInProcess } from './faults/break-in-process.ts';
import type { NextFault } from './faults/fault-plan.ts';
import { createFaultPlan } from './faults/fault-plan.ts';
import { breakageOf, replacesRequest, spoilReply } from './faults/inject-fault.ts';
import type { Doors, Exchange } from './http/create-router.ts';
import { createRouter } from './http/create-router.ts';
import type { AnswerContext } from './http/respond-to-operation.ts';
import { answerOperation } from './http/respond-to-operation.ts';
import type { Reply } from './http/response.ts';
import { toResponse } from './http/response.ts';
import { createTokenBucket } from './http/token-bucket.ts';
import type { JournalEntry } from './request-log.ts';
import { createJournal } from './request-log.ts';
import { openState } from './state/open-state.ts';
import type { Tenant, TenantReply } from './tenant.ts';
import type { TenantOptions } from './tenant-options.ts';

/** Everything that can fail is done; what is left is the port, which a socket may only know later. */
export async function prepareTenant(options: TenantOptions): Promise<(port: number) => Tenant> {
  const { clock } = options;
  const state = await openState({
    parts: options.parts,
    api: options.api ?? 'full',
    clock,
    seed: options.seed === undefined ? {} : options.seed,
    stateFile: options.stateFile,
  });
  checkOptions(options, state.operations);
  const keys = options.keys ?? (await createTenantKeys());
  const takeToken = options.rate === undefined ? null : createTokenBucket(options.rate, clock);
  return (port) =>
    assemble(
      { clock, state, keys, takeToken, origins: originsOf(port), tokenLifetime: options.tokenLifetime ?? 86_400 },
      options,
    );
}

function assemble(context: AnswerContext, options: TenantOptions): Tenant {
  const { clock, state, origins } = context;
  const { latencyMs = 0 } = options;
  const journal = createJournal();
  const faults: Faults = {
    next: createFaultPlan(options.faults ?? []),
    limit: options.rate?.burst ?? usualBurst,
    clock,
  };
  const route = createRouter(state.operations, createDoors(context, faults));

  async function answer(request: Request): Promise<TenantReply> {
    if (latencyMs > 0) await clock.sleep(latencyMs);
    const exchange: Exchange = { operation: null, breakage: null };
    const response = await route(request, exchange);
    response.headers.set('Date', new Date(clock.now()).toUTCString());
    const entry = journalEntry(request, response, exchange);
    journal.add(entry);
    options.onRequest?.(entry);
    return { response, breakage: exchange.breakage };
  }

  return {
    origin: origins.origin,
    baseUrl: origins.baseUrl,
    answer,
    fetch: async (request) => breakInProcess(await answer(request), request.signal),
    journal: journal.entries,
    snapshot: state.snapshot,
    change: state.change,
    settled: state.settled,
  };
}

/** What goes wrong, and which limit a rehearsed 429 names. */
interface Faults {
  readonly next: NextFault;
  readonly limit: number;
  readonly clock: Clock;
}

/** Of a production tenant (public facts 6.2). */
const usualBurst = 50;

function createDoors(context: AnswerContext, faults: Faults): Doors {
  return {
    operation(operation, request, params, exchange) {
      const onBody = (body: unknown) => {
        exchange.body = body;
      };
      const perform = () => answerOperation(context, operation, { request, params, onBody });
      return underFault(faults, { id: operation.id, operation, request, exchange, perform });
    },
    token(request, exchange) {
      return underFault(faults, {
        id: 'token',
        operation: null,
        request,
        exchange,
        perform: () => answerToken(context, request),
      });
    },
  };
}

interface Visit {
  readonly id: string;
  readonly operation: Operation | null;
  readonly request: Request;
  readonly exchange: Exchange;
  readonly perform: () => Promise<Reply>;
}

async function underFault({ clock, next, limit }: Faults, visit: Visit): Promise<Response> {
  visit.exchange.operation = visit.id;
  const fault = next(visit.id);
  if (fault === null) return toResponse(await visit.perform());
  if (fault.kind === 'delay') await clock.sleep(fault.ms ?? 0);
  const reply = replacesRequest(fault) ? { status: 200, headers: {} } : await visit.perform();
  visit.exchange.breakage = breakageOf(fault);
  const from = new URL(visit.request.url).searchParams.get('from');
  return toResponse(spoilReply(fault, reply, { now: clock.now(), limit, paging: visit.operation?.paging, from }));
}

function journalEntry(request: Request, response: Response, exchange: Exchange): JournalEntry {
  const url = new URL(request.url);
  return {
    operation: exchange.operation,
    method: request.method,
    path: url.pathname,
    query: url.search,
    status: exchange.breakage === null ? response.status : null,
    ...('body' in exchange ? { body: exchange.body } : {}),
  };
}
