import { describe, expect, test } from 'vitest';
import { baseUrlProblem } from '../../src/contract/formats.ts';
import { proxiesIn, proxyFor, proxyProblem, proxySecrets, whyDirect } from '../../src/contract/proxies.ts';

const proxy = 'http://proxy.example:3128';
const viaOf = (target: string, env: Readonly<Record<string, string>>) =>
  proxyFor(target, proxiesIn(env))?.url.href.replace(/\/$/, '') ?? null;

describe('the proxy for a URL', () => {
  test.each<[string, Readonly<Record<string, string>>, string | null]>([
    ['https://login.acme.example', { HTTPS_PROXY: proxy }, proxy],
    ['https://login.acme.example', { https_proxy: proxy, HTTPS_PROXY: 'http://other' }, proxy],
    ['https://login.acme.example', { HTTPS_PROXY: 'proxy.example:3128' }, proxy],
    ['https://login.acme.example', { HTTPS_PROXY: 'https://proxy.example' }, 'https://proxy.example'],
    ['https://login.acme.example', { HTTP_PROXY: proxy }, null],
    ['https://login.acme.example', { HTTPS_PROXY: '' }, null],
    ['http://forge.example', { HTTP_PROXY: proxy, HTTPS_PROXY: 'http://other' }, proxy],
    ['http://forge.example', { HTTPS_PROXY: proxy }, null],
    ['http://localhost:4010', { HTTP_PROXY: proxy }, null],
    ['https://localhost', { HTTPS_PROXY: proxy }, null],
    ['http://127.0.0.1:4010', { HTTP_PROXY: proxy }, null],
    ['http://127.8.9.1', { HTTP_PROXY: proxy }, null],
    ['http://[::1]:4010', { HTTP_PROXY: proxy }, null],
    ['https://127.1', { HTTPS_PROXY: proxy }, null],
    ['https://localhosts.example', { HTTPS_PROXY: proxy }, proxy],
    ['https://notlocalhost', { HTTPS_PROXY: proxy }, proxy],
    ['https://[::ffff:10.0.0.1]', { HTTPS_PROXY: proxy }, proxy],
  ])('%s with %j: %s', (target, env, expected) => expect(viaOf(target, env)).toBe(expected));

  // Some of these are looked up, so http:// stays refused for them: only the proxy is skipped.
  test.each([
    'localhost.',
    'LOCALHOST.',
    'tenant.localhost',
    'tenant.localhost.',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f01:203]',
  ])('%s, another name of this machine, has none, and http:// is not accepted for a tenant there', (host) => {
    for (const scheme of ['https', 'http'])
      expect(viaOf(`${scheme}://${host}:4010`, { HTTPS_PROXY: proxy, HTTP_PROXY: proxy })).toBeNull();
    expect(whyDirect(`https://${host}`, { https: proxy, exceptions: '*' })).toBeUndefined();
    expect(baseUrlProblem(`http://${host}/api/v2`)).toContain('loopback addresses only');
  });

  test.each<[string, string, boolean]>([
    ['*', 'https://login.acme.example', true],
    ['login.acme.example', 'https://login.acme.example', true],
    ['acme.example', 'https://login.acme.example', true],
    ['.acme.example', 'https://login.acme.example', true],
    ['*.acme.example', 'https://login.acme.example', true],
    ['ACME.example', 'https://login.acme.example', true],
    ['acme.example', 'https://login.acme.example.', true],
    ['me.example', 'https://login.acme.example', false],
    ['login.acme', 'https://login.acme.example', false],
    ['other.example, acme.example', 'https://login.acme.example', true],
    ['other.example acme.example', 'https://login.acme.example', true],
    ['acme.example:443', 'https://login.acme.example', true],
    ['acme.example:8443', 'https://login.acme.example', false],
    ['acme.example:8443', 'https://login.acme.example:8443', true],
    ['10.0.0.7', 'https://10.0.0.7', true],
    ['[fd00::1]', 'https://[fd00::1]', true],
    ['', 'https://login.acme.example', false],
    [',', 'https://login.acme.example', false],
  ])('NO_PROXY=%s: %s goes without one: %s', (list, target, isDirect) => {
    expect(viaOf(target, { HTTPS_PROXY: proxy, NO_PROXY: list })).toBe(isDirect ? null : proxy);
    expect(viaOf(target, { HTTPS_PROXY: proxy, no_proxy: list })).toBe(isDirect ? null : proxy);
  });
});

test('the user of a proxy is sent as it is meant, and its password is a secret in each form', () => {
  const settings = proxiesIn({ HTTPS_PROXY: 'http://us%20er:p%40ss%2Fword@proxy.example:3128' });
  const encoded = Buffer.from('us er:p@ss/word').toString('base64');
  expect(proxyFor('https://acme.example', settings)?.authorization).toBe(`Basic ${encoded}`);
  expect(proxySecrets(settings)).toEqual(['p%40ss%2Fword', 'p@ss/word', encoded]);
  expect(proxySecrets(proxiesIn({ HTTPS_PROXY: proxy, HTTP_PROXY: 'no proxy' }))).toEqual([]);
});

describe('a URL with a path, a query, a fragment or a second @ may have a password that is not percent-encoded', () => {
  const problem = {
    name: 'HTTPS_PROXY',
    why: 'it is not the URL of an http proxy',
    hint: 'set it to http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with the user and the password percent-encoded, such as %40 for @',
  };
  test.each<[string, typeof problem | null]>([
    ['http://ci:Hidden@Horse.Battery/Staple@proxy.example:3128', problem],
    ['http://ci:p@ss/W0rd@proxy.example:3128', problem],
    ['http://ci:123/W0rd@proxy.example:3128', problem],
    ['http://ci:123\\W0rd@proxy.example:3128', problem],
    ['http://ci:123/@proxy.example/..', problem],
    ['http://ci:123?W0rd@proxy.example:3128', problem],
    ['http://ci:123#W0rd@proxy.example:3128', problem],
    ['http://ci:p@ss@proxy.example:3128', problem],
    ['ci:p@ss/W0rd@proxy.example:3128', problem],
    ['http://http://ci:pass@proxy.example:3128', problem],
    ['http://proxy.example:3128/path', problem],
    ['http://proxy.example:3128?', problem],
    ['http://proxy.example:3128#', problem],
    ['http://proxy.example:3128/', null],
    ['HTTP://ci:p%40ss%2FW0rd@proxy.example:3128/', null],
    ['ci:p%40ss@proxy.example', null],
    ['https://ci@[fd00::1]:3128', null],
  ])('%s', (url, expected) => {
    expect(proxyProblem('https://acme.example', { https: url })).toEqual(expected);
    if (expected !== null) expect(proxySecrets({ https: url })).toEqual([]);
  });
});
