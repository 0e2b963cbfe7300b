import { describe, expect, test } from 'vitest';
import { errorBody } from '../../src/client/transport/shown-message.ts';
import { tokenEndpoint } from '../../src/contract/token-endpoint.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import type { Shape } from '../../src/model/operation.ts';
import { matchesPath } from '../support/matches-path.ts';
import { openTenant, startTenant } from '../support/start-tenant.ts';
import { contractSeed } from './contract-seed.ts';
import { type ContractRequest, requests } from './requests.ts';

const operations = tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation));

interface Connection {
  readonly origin: string;
  token(client?: string): Promise<string>;
  send(url: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

test('the table has at least 80 requests with unique names', () => {
  expect(new Set(requests.map(({ section, name }) => `${section} ${name}`)).size).toBe(requests.length);
  expect(requests.length).toBeGreaterThanOrEqual(80);
});

describeContract('in process', async () => {
  const tenant = await openTenant(contractSeed, { api: 'documented' });
  return {
    origin: tenant.origin,
    token: tenant.token,
    send: (url, init) => tenant.fetch(new Request(url, init)),
    close: async () => undefined,
  };
});

describeContract('over a socket', async () => {
  const tenant = await startTenant(contractSeed, { api: 'documented' });
  return { origin: tenant.origin, token: tenant.token, send: fetch, close: tenant.close };
});

function describeContract(title: string, connect: () => Promise<Connection>): void {
  const sections = new Set(requests.map((request) => request.section));
  describe(title, () => {
    for (const section of sections) {
      const rows = requests.filter((request) => request.section === section);
      describe(`service specification ${section}`, () => {
        test.each(rows.map((row) => [`${row.name}: ${row.status}`, row] as const))('%s', async (_name, row) => {
          const connection = await connect();
          try {
            await exchange(connection, row);
          } finally {
            await connection.close();
          }
        });
      });
    }
  });
}

async function exchange(connection: Connection, row: ContractRequest): Promise<void> {
  const response = await connection.send(`${connection.origin}${row.path}`, await initOf(connection, row));
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: row.status });
  expect(response.headers.get('Date')).toMatch(/GMT$/);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const { response: expected = {} } = row;
  if (expected.body !== undefined) expect(body).toMatchObject(expected.body);
  for (const key of expected.absent ?? []) expect(body).not.toHaveProperty(key);
  if (expected.length !== undefined)
    expect(Reflect.get(body as object, expected.length[0])).toHaveLength(expected.length[1]);
  for (const [name, value] of Object.entries(expected.headers ?? {})) expect(response.headers.get(name)).toBe(value);
  expectOwnShape(row, response.status, body);
}

async function initOf(connection: Connection, row: ContractRequest): Promise<RequestInit> {
  const authorization = row.client === null ? {} : { Authorization: `Bearer ${await connection.token(row.client)}` };
  const headers = { ...authorization, ...row.headers };
  if (row.body === undefined) return { method: row.method, headers };
  return { method: row.method, headers, body: typeof row.body === 'string' ? row.body : JSON.stringify(row.body) };
}

/** Every response is valid against its schema, whatever the row checks. */
function expectOwnShape(row: ContractRequest, status: number, body: unknown): void {
  const shape = shapeOf(row, status);
  if (shape === null) expect(body).toBeUndefined();
  else expect({ valid: shape.validate(body), faults: shape.validate.errors }).toEqual({ valid: true, faults: null });
}

function shapeOf(row: ContractRequest, status: number): Shape<unknown> | null {
  const path = row.path.split('?', 1)[0] ?? '';
  if (row.method === 'HEAD') return null;
  if (path.startsWith('/oauth/token') && status !== 405)
    return status === 200 ? tokenEndpoint.response : tokenEndpoint.error;
  if (status >= 400) return errorBody;
  const operation = operations.find(
    (candidate) => candidate.method === row.method && matchesPath(candidate, path.replace('/api/v2', '')),
  );
  return operation?.response ?? null;
}
