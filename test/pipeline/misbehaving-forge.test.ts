// What people read when the API of a forge misbehaves: one clear message, which never contains the token.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProxySettings } from '../../src/model/client.ts';
import { type Forge, ForgeError } from '../../src/pipeline/forge.ts';
import { openGithub } from '../../src/pipeline/forges/github.ts';
import { openGitlab } from '../../src/pipeline/forges/gitlab.ts';
import { startHttpProxy } from '../support/http-proxy.ts';

const token = 'planted-token-of-the-forge';
const target = { environment: 'tenant-write', folder: 'tenant', baseUrl: 'https://login.acme.example/api/v2' };
const common = { token, sleep: async () => undefined, now: () => 0 };
const forges: Readonly<Record<string, (apiUrl: string, proxies?: ProxySettings) => Forge>> = {
  github: (apiUrl, proxies) => openGithub({ ...common, apiUrl, repository: 'acme/tenants', author: 'bot', proxies }),
  gitlab: (apiUrl, proxies) => openGitlab({ ...common, apiUrl, project: '5', proxies }),
};

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A forge may repeat what it was sent. */
const status =
  (code: number): RequestListener =>
  ({ headers }, response) =>
    response.writeHead(code).end(JSON.stringify({ message: headers }));
const body =
  (text: string): RequestListener =>
  (_request, response) =>
    response.writeHead(200).end(text);
/** GitLab is asked for the user of the token as well. */
const knowingUser =
  (listener: RequestListener): RequestListener =>
  (request, response) =>
    (request.url?.endsWith('/user') ? body('{"id":7}') : listener)(request, response);
/** Sends as long as somebody reads. */
const withoutEnd =
  (start: string): RequestListener =>
  (_request, response) => {
    const chunk = 'x'.repeat(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more).on('error', () => {});
    response.writeHead(200).write(start);
    more();
  };
const page = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id })));

const misbehaviours: readonly (readonly [string, RequestListener, RegExp])[] = [
  ['fails', status(500), /: the forge failed \(500\)\.$/],
  ['is overloaded', status(503), /: the forge failed \(503\)\.$/],
  ['does not know the token', status(401), /: the token is not valid \(401\)\.$/],
  [
    'forbids it',
    status(403),
    /refused the request \(403\): (?:give the job the permission|use a project access token)/,
  ],
  ['hides it', status(404), /refused the request \(404\): (?:give the job the permission|use a project access token)/],
  ['responds with a text', body('<html>'), /: the response is not JSON\.$/],
  [
    'responds with a page of HTML',
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    /: status 200, but the body is text\/html instead of JSON, as from a proxy\.$/,
  ],
  [
    'is behind a proxy that fails',
    (_request, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
    /: the forge failed \(502\); the body is text\/html instead of JSON, as from a proxy\.$/,
  ],
  ['responds with another document', body(JSON.stringify({ message: token })), /: the response is not a list\.$/],
  ['has pages without an end', body(page), /: the list has more than 10000 elements\.$/],
  ['has a response without an end', withoutEnd('["'), /: the response is larger than 33554432 bytes\.$/],
  [
    'has a response of many values',
    body(`[${'1,'.repeat(200_000)}1]`),
    /: the response has more than 100000 values\.$/,
  ],
  ['has a response of many levels', body('['.repeat(1000)), /: the response is nested deeper than 64 levels\.$/],
  ['closes the connection', ({ socket }) => void socket.destroy(), /no response \([A-Z_]+\)\.$/],
];

describe.each(Object.keys(forges))('%s', (name) => {
  const opened = (...about: Parameters<NonNullable<(typeof forges)[string]>>): Forge => {
    const open = forges[name];
    if (open === undefined) throw new Error(name);
    return open(...about);
  };
  const messageOf = async (
    work: (forge: Forge) => Promise<unknown>,
    ...about: Parameters<typeof opened>
  ): Promise<string> => {
    const error = await Promise.resolve(about)
      .then((given) => work(opened(...given)))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForgeError);
    expect(String(error)).not.toContain(token);
    return (error as ForgeError).message;
  };

  test.each(misbehaviours)('that %s', async (_when, listener, expected) => {
    expect(await messageOf((forge) => forge.comments(1), await listen(listener))).toMatch(expected);
    expect(await messageOf((forge) => forge.recorded(target), await listen(knowingUser(listener)))).toMatch(expected);
  });

  test.each([
    ['many values', `[${'1,'.repeat(200_000)}1]`, 'once', 1],
    ['many levels', '['.repeat(1000), 'once', 1],
    // The next response may be complete.
    ['JSON that ends early', '[{"id":', '4 times', 4],
  ])('a response of %s is requested %3$s', async (_what, text, _often, times) => {
    let requests = 0;
    const apiUrl = await listen(
      knowingUser((request, response) => {
        requests += 1;
        body(text)(request, response);
      }),
    );
    await messageOf((forge) => forge.comments(1), apiUrl);
    expect(requests).toBe(times);
  });

  test.each([301, 302, 307, 308])('that redirects with %i gets no request elsewhere', async (code) => {
    const elsewhere: unknown[] = [];
    const other = await listen(({ headers }, response) => {
      elsewhere.push(headers);
      response.end('[]');
    });
    const apiUrl = await listen((_request, response) => response.writeHead(code, { location: `${other}/x` }).end());
    for (const work of [
      (forge: Forge) => forge.comments(1),
      (forge: Forge) => forge.createComment(1, 'x'),
      (forge: Forge) => forge.updateComment(1, 2, 'x'),
      (forge: Forge) => forge.endAttempt(3, 'done'),
    ])
      expect(await messageOf(work, apiUrl)).toMatch(new RegExp(`refused the request \\(${code}\\)\\.$`));
    expect(elsewhere).toEqual([]);
  });

  test.each([
    [403, /refused the request \(403\) through the proxy PROXY: /],
    [502, /: the forge failed \(502\) through the proxy PROXY; the body is text\/html/],
  ])('is behind a proxy with a page of %i', async (code, expected) => {
    const apiUrl = await listen((_request, response) =>
      response.writeHead(code, { 'content-type': 'text/html' }).end('<html>'),
    );
    const proxy = await startHttpProxy({ targets: { 'forge.example': Number(new URL(apiUrl).port) } });
    const message = await messageOf((forge) => forge.comments(1), 'http://forge.example/api', { http: proxy.url });
    expect(message.replace(proxy.host, 'PROXY')).toMatch(expected);
  });

  test('is reached through a proxy, and not if the proxy refuses', async () => {
    const apiUrl = await listen((_request, response) => response.end('{}'));
    const proxy = await startHttpProxy({ targets: { 'forge.example': Number(new URL(apiUrl).port) }, user: 'a:b' });
    const behind = 'http://forge.example/api';
    await opened(behind, { http: proxy.url }).createComment(1, 'x');
    expect(proxy.requests).toEqual([
      expect.stringMatching(/^POST http:\/\/forge\.example\/api\/.*\/1\/(comments|notes)$/),
    ]);
    expect(await messageOf((forge) => forge.comments(1), behind, { http: `http://${proxy.host}` })).toMatch(
      new RegExp(`: no response through the proxy ${proxy.host}: the proxy responded with status 407\\.$`),
    );
    expect(proxy.requests).toHaveLength(2);
    expect(await messageOf((forge) => forge.comments(1), behind, { http: 'socks5://a:b@proxy' })).toEqual(
      expect.stringContaining(
        'HTTP_PROXY cannot be used: it is not the URL of an http proxy; set it to http://HOST:PORT or',
      ),
    );
  });
});
