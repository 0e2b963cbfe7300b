import { openReadConnection } from '../../src/client/read-connection.ts';
import { ServiceError } from '../../src/client/service-error.ts';
import { openWriteConnection } from '../../src/client/write-connection.ts';
import type { ClientEvent, ConnectOptions } from '../../src/model/client.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Action, PlannedRequest } from '../../src/model/plan.generated.ts';
import { operations as eventStreams } from '../../src/service/event-streams/description.generated.ts';
import { operations as prompts } from '../../src/service/prompts/operations.ts';
import { operations as rateLimitPolicies } from '../../src/service/rate-limit-policies/description.generated.ts';
import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { operations as resourceServers } from '../../src/service/resource-servers/description.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { type FakeClock, startFakeClock } from '../support/fake-clock.ts';
import { type FaultServer, type Script, type ScriptedAnswer, startFaultServer } from '../support/fault-server.ts';
import { operations as roles } from '../support/role-operations.ts';

export const allOperations = [
  ...Object.values(eventStreams),
  ...prompts,
  ...Object.values(rateLimitPolicies),
  ...Object.values(resourceServers),
  ...roles,
];

export const secretToken = 'planted-token-5f2c';
export const clientSecret = 'planted secret/7a&b';

export function policy(number: number): LivePolicy {
  return buildLivePolicy({ id: `rlp_${number}`, consumer_selector: `client_id:c${number}` });
}

export function policyPage(policies: readonly unknown[], next?: unknown): Record<string, unknown> {
  return next === undefined ? { rate_limit_policies: policies } : { rate_limit_policies: policies, next };
}

export interface Bench {
  readonly server: FaultServer;
  readonly clock: FakeClock;
  readonly events: ClientEvent[];
  readonly options: ConnectOptions;
}

/** A fault server, and everything that is needed to connect to it; all is closed when the test ends. */
export async function startBench(script: Script, more: Partial<ConnectOptions> = {}): Promise<Bench & AsyncDisposable> {
  const server = await startFaultServer(script);
  const clock = startFakeClock();
  const events: ClientEvent[] = [];
  const options = {
    baseUrl: server.baseUrl,
    credentials: { token: secretToken },
    clock,
    onEvent: (event: ClientEvent) => events.push(event),
    ...more,
  };
  return { server, clock, events, options, [Symbol.asyncDispose]: () => server.close() };
}

export function clientCredentialsFor(server: FaultServer) {
  return { clientId: 'client-1', clientSecret, authUrl: server.url, audience: `${server.baseUrl}/` };
}

/** Opens a read connection for the time of one call. */
export async function reading<T>(
  options: ConnectOptions,
  use: (connection: ReturnType<typeof openReadConnection>) => Promise<T>,
): Promise<T> {
  const connection = openReadConnection(options);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

export async function writing<T>(
  options: ConnectOptions,
  use: (connection: ReturnType<typeof openWriteConnection>) => Promise<T>,
  secrets: Readonly<Record<string, string>> = {},
): Promise<T> {
  const connection = openWriteConnection(options, allOperations, (name) => secrets[name]);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** The diagnostic that a promise ends with. */
export async function diagnosticOf(promise: Promise<unknown>): Promise<Diagnostic> {
  const error: unknown = await promise.then(
    () => new Error('no error'),
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error.diagnostic;
  throw error;
}

export const deletePolicyRequest: PlannedRequest = {
  operation: 'delete_rate_limit_policy',
  method: 'DELETE',
  path: '/rate-limit-policies/rlp_1',
};

export const putPartialsRequest: PlannedRequest = {
  operation: 'set_prompt_partials',
  method: 'PUT',
  path: '/prompts/login/partials',
  body: { login: { 'form-content-start': '<p>hello</p>' } },
};

export function actionOf(request: PlannedRequest): Action {
  return buildAction({ id: 'the-action', request });
}

export const resetConnection: ScriptedAnswer = { fault: { type: 'reset' } };

export function errorResponse(statusCode: number, message: string): ScriptedAnswer {
  return { status: statusCode, body: { statusCode, error: 'Error', message } };
}

/** Performs one action against a server that responds like this. */
export async function perform(responses: readonly ScriptedAnswer[], request = deletePolicyRequest) {
  await using bench = await startBench(responses);
  const outcome = await writing(bench.options, (connection) => connection.perform(actionOf(request)));
  return { outcome, requests: bench.server.requests, waits: bench.clock.waits };
}
