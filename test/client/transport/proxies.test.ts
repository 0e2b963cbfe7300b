import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clientLimits } from '../../../src/client/session.ts';
import type { Exchange } from '../../../src/client/transport/exchange.ts';
import { openHttpClient } from '../../../src/client/transport/http-client.ts';
import { operations as policies } from '../../../src/service/rate-limit-policies/operations.ts';
import { startFakeClock } from '../../support/fake-clock.ts';
import { startFaultServer } from '../../support/fault-server.ts';
import { startHttpProxy } from '../../support/http-proxy.ts';
import { diagnosticOf, reading, secretToken } from '../builders.ts';

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
  const retried = `check TENANT_SYNC_BASE_URL, TENANT_SYNC_AUTH_URL and ${variables}`;
  const refused = `ask for access to tenant.example through the proxy, or check ${variables}`;
  const user = 'set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT, with the user of the proxy';
  test.each([
    ['407', page('407 Proxy Authentication Required'), 'the proxy responded with status 407 and text/html', user, 1],
    ['403', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'the proxy responded with status 403', refused, 1],
    ['502', page('502 Bad Gateway'), 'the proxy responded with status 502 and text/html after 5 tries', retried, 5],
    ['503', 'HTTP/1.1 503 Busy\r\n\r\n', 'the proxy responded with status 503 after 5 tries', retried, 5],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'HPE_INVALID_CONSTANT after 5 tries', retried, 5],
  ])('%s', async (_name, response, reason, hint, tries) => {
    const proxy = await startHttpProxy({ response });
    const { diagnostic, waits } = await readThrough(proxy.url.replace('//', `//user:${password}@`));
    expect(diagnostic).toEqual({
      code: 'SERVICE_UNREACHABLE',
      severity: 'error',
      message: `tenant.example cannot be reached through the proxy ${proxy.host}: ${reason}.`,
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
    expect(diagnostic.message).toBe(
      `tenant.example cannot be reached through the proxy 127.0.0.1:${port}: ECONNREFUSED after 5 tries.`,
    );
    expect(secrets).toEqual(expect.arrayContaining([password, Buffer.from(`user:${password}`).toString('base64')]));
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
        proxy: proxy.host,
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
