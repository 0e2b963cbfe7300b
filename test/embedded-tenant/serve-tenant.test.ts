import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractSeed } from '../contract/contract-seed.ts';
import type { StartedTenant } from '../support/start-tenant.ts';
import { startTenant } from '../support/start-tenant.ts';

let tenant: StartedTenant;
beforeAll(async () => {
  tenant = await startTenant(contractSeed);
});
afterAll(async () => {
  await tenant.close();
});

describe('Host header', () => {
  test.each(['127.0.0.1', '127.0.0.1:80', 'localhost', 'LOCALHOST:4010', '[::1]', '[::1]:4010'])(
    '%s is accepted',
    async (host) => {
      expect(
        (await raw(`GET /api/v2/event-streams HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status,
      ).toBe(401);
    },
  );

  test.each([
    'attacker.example',
    '127.0.0.1.attacker.example',
    'localhost.attacker.example:4010',
    '169.254.169.254',
    '0.0.0.0',
    '[::2]',
    '127.0.0.1@attacker.example',
  ])('%s is refused with 421', async (host) => {
    const response = await raw(`GET /api/v2/event-streams HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(response).toMatchObject({ status: 421, body: 'This server accepts loopback host names only.\n' });
  });

  test.each([
    ['an empty header', 'HTTP/1.1\r\nHost: \r\nConnection: close'],
    ['a header with a port alone', 'HTTP/1.1\r\nHost: :4010\r\nConnection: close'],
    ['no header, in HTTP/1.0', 'HTTP/1.0'],
  ])('%s is refused with 421', async (_name, head) => {
    expect(await raw(`GET /api/v2/event-streams ${head}\r\n\r\n`)).toMatchObject({ status: 421 });
  });

  test('a refused name performs nothing', async () => {
    const token = await tenant.token();
    const before = tenant.tenant.requests.length;
    await raw(
      `DELETE /api/v2/rate-limit-policies/rlp_1007 HTTP/1.1\r\nHost: attacker.example\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(tenant.tenant.requests).toHaveLength(before);
    expect(tenant.tenant.snapshot()).toEqual(contractSeed);
  });
});

test('a preflight of a browser gets no permission', async () => {
  const response = await fetch(`${tenant.baseUrl}/event-streams`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://attacker.example', 'Access-Control-Request-Method': 'GET' },
  });
  expect(response.status).toBe(405);
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

describe('HEAD is GET without a body (RFC 9110, 9.3.2)', () => {
  test.each([
    ['/rate-limit-policies', 200],
    ['/rate-limit-policies?take=0', 400],
    ['/roles/rol_none', 404],
    ['/nowhere', 404],
    ['/rate-limit-policies/rlp_none', 404],
  ])('%s: %i', async (path, status) => {
    const headers = { Authorization: `Bearer ${await tenant.token()}` };
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => fetch(tenant.baseUrl + path, { method, headers })),
    );
    expect([head?.status, get?.status]).toEqual([status, status]);
    expect(head?.headers.get('Content-Type')).toBe(get?.headers.get('Content-Type'));
    expect(await head?.text()).toBe('');
  });

  test('without a token it is refused, and where no GET is served it is not allowed', async () => {
    expect((await fetch(`${tenant.baseUrl}/event-streams`, { method: 'HEAD' })).status).toBe(401);
    const token = await fetch(`${tenant.origin}/oauth/token`, { method: 'HEAD' });
    expect([token.status, token.headers.get('Allow')]).toEqual([405, 'POST']);
  });
});

test('only loopback is listened on', async () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((address) => !address.internal && address.family === 'IPv4');
  expect(new URL(tenant.origin).hostname).toBe('127.0.0.1');
  if (outside === undefined) return;
  const socket = connect(Number(new URL(tenant.origin).port), outside.address);
  await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

describe('bodies where none is allowed', () => {
  test('a GET with a body', async () => {
    expect(await sendBody('GET', '/event-streams', { 'Content-Length': '2' })).toMatchObject({
      status: 400,
      body: { errorCode: 'invalid_body', message: "Payload validation error: 'No body is allowed'." },
    });
  });

  test('a GET with a body in chunks', async () => {
    expect(await sendBody('GET', '/event-streams', { 'Transfer-Encoding': 'chunked' })).toMatchObject({ status: 400 });
  });

  test('a DELETE with a body in chunks', async () => {
    expect(await sendBody('DELETE', '/rate-limit-policies/rlp_1007', { 'Transfer-Encoding': 'chunked' })).toMatchObject(
      { status: 400 },
    );
    expect(tenant.tenant.snapshot()).toEqual(contractSeed);
  });

  async function sendBody(method: string, path: string, headers: Readonly<Record<string, string>>) {
    const sending = httpRequest(`${tenant.baseUrl}${path}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${await tenant.token()}` },
    });
    sending.end('{}');
    const [response] = await once(sending, 'response');
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  }
});

test('a body that is not UTF-8', async () => {
  const headers = { Authorization: `Bearer ${await tenant.token()}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${tenant.baseUrl}/prompts/login/partials`, {
    method: 'PUT',
    headers,
    body: new Uint8Array([0x22, 0xff, 0x22]),
  });
  expect(await response.json()).toMatchObject({
    statusCode: 400,
    message: "Payload validation error: 'The body is not UTF-8'.",
  });
});

describe('a body of more than 1 MB', () => {
  test('is not read to its end, whether it is announced or comes in chunks', async () => {
    const token = await tenant.token();
    const chunk = Buffer.alloc(65_536, 'x');
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length;
        if (sent > 64 * 1_048_576) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await tenant.tenant.fetch(
      new Request(`${tenant.baseUrl}/prompts/login/partials`, {
        method: 'PUT',
        headers,
        body,
        duplex: 'half',
      } as RequestInit),
    );
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(2 * 1_048_576);
  });

  test('exactly 1 MB is accepted', async () => {
    const headers = { Authorization: `Bearer ${await tenant.token()}`, 'Content-Type': 'application/json' };
    const send = async (length: number) => {
      // A text may have 10,000 characters, so the body is one long name of a screen.
      const body = `{"${'x'.repeat(length - 13)}":{"a":""}}`;
      return (await fetch(`${tenant.baseUrl}/prompts/login/partials`, { method: 'PUT', headers, body })).status;
    };
    expect([await send(1_048_576), await send(1_048_577)]).toEqual([200, 413]);
  });
});

test('a port that is taken is an option that cannot hold', async () => {
  const port = Number(new URL(tenant.origin).port);
  await expect(startTenant({}, { port })).rejects.toMatchObject({
    diagnostics: [{ code: 'OPTION_INVALID', severity: 'error', message: `Port ${port} is already in use.` }],
  });
  await expect(startTenant({}, { port: 65_536 })).rejects.toMatchObject({
    diagnostics: [{ message: 'Cannot listen on port 65536: ERR_SOCKET_BAD_PORT.' }],
  });
});

async function raw(message: string): Promise<{ status: number; body: string }> {
  const socket = connect(Number(new URL(tenant.origin).port), '127.0.0.1');
  socket.end(message);
  const response = await text(socket);
  const [head = '', body = ''] = response.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: /chunked/i.test(head) ? (body.split('\r\n')[1] ?? '') : body };
}
