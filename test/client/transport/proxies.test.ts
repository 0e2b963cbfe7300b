import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientLimits } from '../../../src/client/session.ts';
import type { Exchange } from '../../../src/client/transport/exchange.ts';
import { openHttpClient } from '../../../src/client/transport/http-client.ts';
import type { ConnectOptions, Credentials } from '../../../src/model/client.ts';
import { operations as policies } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { startFakeClock } from '../../support/fake-clock.ts';
import { type ScriptedAnswer, startFaultServer } from '../../support/fault-server.ts';
import { startHttpProxy } from '../../support/http-proxy.ts';
import { actionOf, deletePolicyRequest, diagnosticOf, reading, secretToken, writing } from '../builders.ts';

const password = 'planted-proxy-password';
const page = (status: string) =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/html; charset=utf-8\r\n\r\n<h1>${password}</h1>`;

/** Reads a tenant that only a proxy can reach. */
async function readThrough(proxyUrl: string, timeoutMs = 10_000) {
  const clock = startFakeClock();
  const secrets: string[] = [];
  const options = {
    baseUrl: 'https://tenant.example/api/v2',
    credentials: { token: secretToken },
    proxies: { https: proxyUrl },
    limits: { timeoutMs },
    onSecret: (secret: string) => void secrets.push(secret),
    clock,
  };
  const diagnostic = await reading(options, ({ reader }) => diagnosticOf(reader.list(policies.list, {})));
  return { diagnostic, secrets, waits: clock.waits.length };
}

describe('a proxy that opens no tunnel is named without its password', () => {
  const variables = 'the variables HTTPS_PROXY and NO_PROXY';
  const retried = `check ${variables}, then TENANT_SYNC_BASE_URL and TENANT_SYNC_AUTH_URL`;
  const refused = `ask for access to tenant.example through the proxy, or check ${variables}`;
  const user =
    'the proxy refused the user and the password in HTTPS_PROXY: correct them, percent-encoded, such as %40 for @';
  test.each([
    ['407', page('407 Proxy Authentication Required'), 'the proxy responded with status 407 and text/html', user, 1],
    ['403', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'the proxy responded with status 403', refused, 1],
    ['502', page('502 Bad Gateway'), 'the proxy responded with status 502 and text/html after 5 tries', retried, 5],
    ['503', 'HTTP/1.1 503 Busy\r\n\r\n', 'the proxy responded with status 503 after 5 tries', retried, 5],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'HPE_INVALID_CONSTANT after 5 tries', retried, 5],
  ])('%s', async (name, response, reason, hint, tries) => {
    const proxy = await startHttpProxy({ response });
    const { diagnostic, waits } = await readThrough(proxy.url.replace('//', `//user:${password}@`));
    expect(diagnostic).toEqual({
      code: 'SERVICE_UNREACHABLE',
      severity: 'error',
      // A user that the proxy refuses is the same error for each host.
      message: `${name === '407' ? `The proxy ${proxy.host} cannot be used` : `tenant.example cannot be reached through the proxy ${proxy.host}`}: ${reason}.`,
      hint,
    });
    expect(proxy.requests).toEqual(Array(tries).fill('CONNECT tenant.example:443'));
    expect(waits).toBe(tries - 1);
  });

  test('one that does not listen', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { diagnostic, secrets } = await readThrough(`http://user:${password}@127.0.0.1:${port}`);
    expect(diagnostic).toMatchObject({
      message: `The proxy 127.0.0.1:${port} cannot be used: ECONNREFUSED after 5 tries.`,
      hint: `check ${variables}`,
    });
    expect(secrets).toEqual(expect.arrayContaining([password, Buffer.from(`user:${password}`).toString('base64')]));
  });

  test('one that asks for a user', async () => {
    const proxy = await startHttpProxy({ user: `user:${password}` });
    const { diagnostic } = await readThrough(`http://${proxy.host}`);
    expect(diagnostic).toMatchObject({
      message: expect.stringMatching(/: the proxy responded with status 407\.$/) as string,
      hint: 'set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT, with the user of the proxy',
    });
  });

  test('one without TLS', async () => {
    const proxy = await startHttpProxy();
    const { diagnostic, waits } = await readThrough(`https://${proxy.host}`);
    expect(diagnostic).toMatchObject({
      message: expect.stringMatching(/through the proxy .*: (EPROTO|ERR_SSL_\w+)\.$/) as string,
      hint: expect.stringMatching(/^write http:\/\/ in HTTPS_PROXY if the proxy itself has no TLS/) as string,
    });
    expect(waits).toBe(0);
  });

  test('one that never responds', async () => {
    const proxy = await startHttpProxy({ response: '' });
    const { diagnostic } = await readThrough(proxy.url, 60);
    expect(diagnostic.message).toMatch(
      new RegExp(`through the proxy ${proxy.host}: (ETIMEDOUT after 2|UND_ERR_CONNECT_TIMEOUT after 5) tries\\.$`),
    );
  });

  test('one that ends the tunnel', async () => {
    const proxy = await startHttpProxy({ response: 'HTTP/1.1 200 Connection established\r\n\r\n' });
    const { diagnostic } = await readThrough(proxy.url);
    expect(diagnostic.message).toBe(
      `tenant.example cannot be reached through the proxy ${proxy.host}: ECONNRESET after 5 tries.`,
    );
  });
});

describe('a host that is reached without a proxy, and does not respond', () => {
  const https = 'http://127.0.0.1:9';
  test.each([
    [{}, /^check TENANT_SYNC_BASE_URL, TENANT_SYNC_AUTH_URL and the network$/],
    [{ https, exceptions: '[::ffff:0:0]' }, /and the network; NO_PROXY excludes the host from the proxy$/],
    [{ http: https }, /and the network; HTTP_PROXY is not for https, HTTPS_PROXY is$/],
  ])('%j', async (proxies, hint) => {
    // Nothing listens there, and it is not known as this machine.
    const baseUrl = 'https://[::ffff:0.0.0.0]:9/api/v2';
    const options = { baseUrl, credentials: { token: secretToken }, proxies, clock: startFakeClock() };
    const diagnostic = await reading(options, ({ reader }) => diagnosticOf(reader.list(policies.list, {})));
    expect(diagnostic).toMatchObject({ code: 'SERVICE_UNREACHABLE', hint: expect.stringMatching(hint) as string });
  });
});

describe('a gateway that responds in place of the service', () => {
  const html = { headers: { 'content-type': 'text/html' }, body: '<h1>Blocked</h1>' };
  const isHtml = 'the body is text/html instead of JSON, as from a proxy';
  const ask =
    'ask for access to tenant.example through the proxy, or check the variables HTTPS_PROXY and NO_PROXY; then check ';
  const own = `${ask}TENANT_SYNC_AUTH_URL, and rerun when its token endpoint responds`;
  const other = `${ask}TENANT_SYNC_AUTH_URL: another service or a proxy may be responding there`;
  const refused = expect.stringContaining(`${ask}TENANT_SYNC_CLIENT_ID`) as string;

  /** Opens a connection to a tenant behind a gateway. One that inspects TLS is as one for http. */
  async function behind<T>(
    answer: ScriptedAnswer,
    credentials: Credentials,
    use: (options: ConnectOptions) => Promise<T>,
  ): Promise<T> {
    const server = await startFaultServer(() => answer);
    onTestFinished(() => server.close());
    const proxy = await startHttpProxy({ targets: { 'tenant.example': Number(new URL(server.url).port) } });
    const options = { baseUrl: 'http://tenant.example/api/v2', credentials, proxies: { http: proxy.url } };
    const result = await use({ ...options, clock: startFakeClock() });
    return JSON.parse(JSON.stringify(result).replaceAll(proxy.host, 'PROXY')) as T;
  }
  const client = { clientId: 'client-1', clientSecret: 'planted', audience: 'urn:api' };
  const through = 'through the proxy PROXY';
  const listed = (options: ConnectOptions) => reading(options, ({ reader }) => reader.list(policies.list, {}));
  const ended = (options: ConnectOptions) => diagnosticOf(listed(options));

  test.each<[string, ScriptedAnswer, string, string, string]>([
    [
      'HTML 403',
      { status: 403, ...html },
      'SERVICE_FAILED',
      `returned no token: status 403 ${through}: ${isHtml}`,
      own,
    ],
    [
      'HTML 401',
      { status: 401, ...html },
      'SERVICE_FAILED',
      `returned no token: status 401 ${through}: ${isHtml}`,
      own,
    ],
    [
      'HTML 502',
      { status: 502, ...html },
      'SERVICE_FAILED',
      `returned no token: status 502 ${through}: ${isHtml}, after 5 tries`,
      own,
    ],
    ['HTML 200', html, 'CONTRACT_BROKEN', `returned no valid token: status 200 ${through}, but ${isHtml}`, other],
    [
      'text without a type',
      { body: 'x' },
      'CONTRACT_BROKEN',
      `returned no valid token: status 200 ${through}, but the body is not JSON`,
      other,
    ],
    [
      'a redirect',
      { status: 302 },
      'SERVICE_FAILED',
      `returned no token: status 302 ${through}; redirects are not followed`,
      own,
    ],
    [
      '403 without a body',
      { status: 403 },
      'SERVICE_TOKEN_REFUSED',
      `refused the client: status 403 ${through}`,
      refused,
    ],
  ])('%s: for a token', async (_name, answer, code, message, hint) => {
    expect(await behind(answer, client, ended)).toEqual({
      ...{ code, severity: 'error', hint },
      message: `The token endpoint of tenant.example ${message}.`,
    });
  });

  test('JSON is the response of the service itself', async () => {
    expect(await behind({ status: 403, body: { error: 'access_denied' } }, client, ended)).toMatchObject({
      message: 'The token endpoint of tenant.example refused the client: status 403: access_denied.',
      hint: expect.stringMatching(/^check TENANT_SYNC_CLIENT_ID/) as string,
    });
  });

  const token = { token: secretToken };
  test.each<[string, ScriptedAnswer, string]>([
    ['HTML 403', { status: 403, ...html }, `status 403 ${through}: ${isHtml}`],
    ['HTML 200', html, `status 200 ${through}, but ${isHtml}`],
    ['503 without a body', { status: 503 }, `status 503 ${through}, after 5 tries`],
  ])('%s: for a list', async (_name, answer, message) => {
    expect(await behind(answer, token, listed)).toMatchObject({
      ok: false,
      why: { message: expect.stringMatching(new RegExp(`: ${message}$`)) as string },
    });
  });

  test('HTML 200: for a write', async () => {
    const write = (options: ConnectOptions) =>
      writing(options, (connection) => connection.perform(actionOf(deletePolicyRequest)));
    expect(await behind(html, token, write)).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining(`status 200 ${through}, but ${isHtml}`) as string,
    });
  });

  test('HTML 401: for a list', async () => {
    expect(await behind({ status: 401, ...html }, token, ended)).toMatchObject({
      message: `tenant.example refused the token: status 401 ${through}: ${isHtml}.`,
      hint: `${ask}that the token is for this tenant and has not expired`,
    });
  });
});

describe('a target with http', () => {
  /** One request to a host that only the proxy knows. */
  async function request(proxyUrl: string, origin = 'http://forge.example') {
    const client = openHttpClient({
      origin,
      limits: clientLimits(),
      proxies: { http: proxyUrl },
      onResponse: () => {},
      onRequest: () => () => {},
    });
    const line = { method: 'POST', path: '/a?b=c' } as const;
    const headers = { 'x-own': '1' };
    const result: Exchange = await client.exchange(
      line,
      (pool, signal) => pool.request({ ...line, headers, body: 'sent', signal }),
      {},
    );
    await client.destroy();
    return result;
  }

  test('is named in the request, and gets no credentials of the proxy', async () => {
    const server = await startFaultServer([{ body: {} }]);
    const proxy = await startHttpProxy({
      targets: { 'forge.example': Number(new URL(server.url).port) },
      user: `user:${password}`,
    });
    expect(await request(proxy.url)).toMatchObject({ responded: true, response: { status: 200 } });
    expect(proxy.requests).toEqual(['POST http://forge.example/a?b=c']);
    expect(server.requests).toMatchObject([
      { method: 'POST', path: '/a?b=c', body: 'sent', headers: { host: 'forge.example', 'x-own': '1' } },
    ]);
    expect(JSON.stringify(server.requests)).not.toMatch(/proxy-auth/);
    await server.close();
  });

  test('is not taken for the one that refuses', async () => {
    const proxy = await startHttpProxy({ user: `user:${password}` });
    expect(await request(`http://${proxy.host}`)).toEqual({
      responded: false,
      failure: {
        code: 'PROXY_407',
        opened: false,
        retryable: false,
        proxy: { host: proxy.host, isSecure: false, hasUser: false },
        cause: new Error(`no response through the proxy ${proxy.host}: the proxy responded with status 407`),
      },
    });
  });

  test('on loopback is reached without the proxy', async () => {
    const server = await startFaultServer([{ body: {} }]);
    const proxy = await startHttpProxy();
    expect(await request(proxy.url, server.url)).toMatchObject({ responded: true });
    expect([proxy.requests.length, server.requests.length]).toEqual([0, 1]);
    await server.close();
  });
});
