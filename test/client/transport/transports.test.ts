import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { openReadConnection } from '../../../src/client/read-connection.ts';
import { clientLimits } from '../../../src/client/session.ts';
import { openHttpClient } from '../../../src/client/transport/http-client.ts';
import { openReadTransport } from '../../../src/client/transport/read-transport.ts';
import type { ListOperation } from '../../../src/model/operation.ts';
import { operations as policyOperations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { startFakeClock } from '../../support/fake-clock.ts';
import {
  allOperations,
  clientCredentialsFor,
  diagnosticOf,
  policyPage,
  reading,
  secretToken,
  startBench,
} from '../builders.ts';
import { selfSignedCertificate } from '../self-signed-certificate.ts';

/** A bare socket server that writes down every byte, and answers each request line with an empty page. */
async function startRecorder() {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const page = JSON.stringify({ rate_limit_policies: [], eventStreams: [] });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      seen.push(bytes.toString('latin1'));
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, [Symbol.asyncDispose]: close };
}

describe('a run that may not send at the moment', () => {
  const sentIf = async (maySend: () => boolean, credentials: 'token' | 'client') => {
    await using bench = await startBench(() => ({ status: 200, body: policyPage([]) }));
    const client = { credentials: clientCredentialsFor(bench.server) };
    const options = { ...bench.options, ...(credentials === 'client' && client), maySend };
    await reading(options, ({ reader }) => reader.list(policyOperations.list, {})).catch(() => {});
    return bench.server.requests.length;
  };

  test('writes no byte of a reading or of a request for a token', async () => {
    expect(await sentIf(() => true, 'token')).toBe(1);
    expect(await sentIf(() => false, 'token')).toBe(0);
    expect(await sentIf(() => false, 'client')).toBe(0);
  });
});

describe('promise: read-only means it', () => {
  test('whatever operation a reader is given, nothing but GET reaches the socket', async () => {
    await using recorder = await startRecorder();
    const connection = openReadConnection({
      baseUrl: `${recorder.url}/api/v2`,
      credentials: { token: secretToken },
      clock: startFakeClock(),
    });
    for (const operation of allOperations) {
      const row = {
        ...operation,
        response: policyOperations.list.response,
        paging: policyOperations.list.paging,
      } as ListOperation<object, unknown>; // forged on purpose
      await connection.reader.list(row, {}).catch((error: Error) => expect(error.name).toBe('InternalError'));
    }
    await connection.close();
    expect(recorder.seen.map((bytes) => bytes.split('\r\n')[0])).toEqual([
      'GET /api/v2/event-streams?take=100 HTTP/1.1',
      'GET /api/v2/rate-limit-policies?take=100 HTTP/1.1',
      'GET /api/v2/resource-servers?take=100 HTTP/1.1',
      'GET /api/v2/roles?take=100 HTTP/1.1',
    ]);
  });

  test('the transport under it has one way to send, and takes neither a method nor a body', async () => {
    await using recorder = await startRecorder();
    const http = openHttpClient({
      origin: recorder.url,
      limits: clientLimits(),
      onResponse: () => {},
      onRequest: () => () => {},
    });
    const transport = openReadTransport({ http, userAgent: 'x', signal: new AbortController().signal });
    expect(Object.keys(transport)).toEqual(['get']);
    expect(transport.get).toHaveLength(2);
    await transport.get('/api/v2/anything', secretToken);
    await http.destroy();
    expect(recorder.seen).toHaveLength(1);
    expect(recorder.seen[0]).toMatch(/^GET \/api\/v2\/anything HTTP\/1\.1\r\n/);
    const text = readFileSync(join(import.meta.dirname, '../../../src/client/transport/read-transport.ts'), 'utf8');
    expect(text.match(/method: '\w+'/g)).toEqual(["method: 'GET'"]);
  });

  test('no file that a reader is made of can reach the write transport', () => {
    const client = join(import.meta.dirname, '../../../src/client');
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      const text = readFileSync(join(client, file), 'utf8');
      for (const [, next = ''] of text.matchAll(/from '(\.\.?\/[\w/.-]+\.ts)'/g)) {
        const target = join(dirname(file), next);
        if (!target.startsWith('..')) visit(target);
      }
    };
    visit('read-connection.ts');
    expect([...reached]).toContain(join('transport', 'read-transport.ts'));
    expect([...reached].filter((file) => /write|perform/.test(file))).toEqual([]);
  });
});

describe('redirects are not followed', () => {
  test.each([301, 302, 303, 307, 308])('%i', async (status) => {
    await using elsewhere = await startBench([{ body: policyPage([]) }]);
    await using bench = await startBench([
      { status, headers: { location: `${elsewhere.server.baseUrl}/rate-limit-policies` } },
    ]);
    const listing = await reading(bench.options, ({ reader }) => reader.list(policyOperations.list, {}));
    expect(listing).toMatchObject({
      ok: false,
      why: {
        code: 'LIVE_LISTING_INCOMPLETE',
        message: `list_rate_limit_policies: page 1: status ${status}; redirects are not followed`,
      },
    });
    expect([elsewhere.server.connections(), elsewhere.server.bytesReceived(), bench.server.requests.length]).toEqual([
      0, 0, 1,
    ]);
  });

  test('not of the token endpoint either: the secret stays', async () => {
    await using elsewhere = await startBench([{ body: { access_token: 't', token_type: 'Bearer' } }]);
    await using bench = await startBench([
      { status: 307, headers: { location: `${elsewhere.server.url}/oauth/token/` } },
    ]);
    const credentials = { clientId: 'c', clientSecret: 's', authUrl: bench.server.url, audience: 'a' };
    const diagnostic = await reading({ ...bench.options, credentials }, ({ reader }) =>
      diagnosticOf(reader.list(policyOperations.list, {})),
    );
    expect(diagnostic.code).toBe('SERVICE_FAILED');
    expect(elsewhere.server.connections()).toBe(0);
  });
});

test('a token goes to the origin of the base URL, a secret to the authorization URL, and neither to the other', async () => {
  await using auth = await startBench([{ body: { access_token: 'fresh-token', token_type: 'bearer' } }]);
  await using bench = await startBench([{ body: policyPage([]) }]);
  const credentials = { clientId: 'c', clientSecret: 'planted-secret', authUrl: auth.server.url, audience: 'a' };
  await reading({ ...bench.options, credentials }, ({ reader }) => reader.list(policyOperations.list, {}));
  expect(JSON.stringify(auth.server.requests)).not.toMatch(/fresh-token|authorization/);
  expect(JSON.stringify(bench.server.requests)).not.toContain('planted-secret');
  expect([auth.server.requests.length, bench.server.requests.length]).toEqual([1, 1]);
});

test('a certificate that cannot be verified ends the run at once, before a token is shown', async () => {
  let requests = 0;
  let connections = 0;
  const server = createTlsServer(selfSignedCertificate(), (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      requests += 1;
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clock = startFakeClock();
  const options = { baseUrl: `https://localhost:${port}/api/v2`, credentials: { token: secretToken }, clock };
  const diagnostic = await reading(options, ({ reader }) => diagnosticOf(reader.list(policyOperations.list, {})));
  server.close();
  expect(diagnostic).toEqual({
    code: 'SERVICE_UNREACHABLE',
    severity: 'error',
    message: `localhost:${port} cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT.`,
    hint: 'check the certificate of the host; NODE_EXTRA_CA_CERTS adds a certificate authority',
  });
  expect([requests, connections, clock.waits.length]).toEqual([0, 1, 0]);
});

test('the deadline holds for a connection that is never opened', async () => {
  const client = openHttpClient({
    origin: 'http://127.0.0.1:9',
    limits: clientLimits({ timeoutMs: 40 }),
    onResponse: () => {},
    onRequest: () => () => {},
  });
  const exchange = await client.exchange({ method: 'GET', path: '/' }, () => new Promise(() => {}), {});
  expect(exchange).toMatchObject({ responded: false, failure: { code: 'ETIMEDOUT', opened: true, retryable: true } });
  await client.destroy();
});
