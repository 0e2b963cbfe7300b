import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from '../../src/contract/formats.ts';
import { policyFile } from '../config/file-texts.ts';
import { problemsIn } from '../support/load-files.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { authorizedRequest, openTenant } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

const accepted = [
  'https://acme.example',
  'https://acme.example/',
  'HTTPS://acme.example/busy',
  'hTTps://ACME.example',
  'https://acme.example:8443/a/b;c=1?x=1&y=[]'.replace('[]', '%5B%5D'),
  'https://acme.example:/busy',
  'https://acme.example./busy',
  'https://acme.example?wait',
  'https://acme.example#wait',
  'https://acme.example/a%20b/%C3%A9?q=%7Bx%7D#part',
  "https://acme.example/-._~!$&'()*+,;=:@",
  'https://127.0.0.1/busy',
  'https://[2001:db8::1]:8443/busy',
  'https://xn--caf-dma.example/',
  `https://acme.example/${'a'.repeat(100_000)}`,
];

const refused = [
  '',
  'https:',
  'https://',
  'https:///busy',
  'https://?x',
  'https:acme.example',
  'http://acme.example/',
  'ftp://acme.example/',
  '//acme.example/',
  ' https://acme.example/',
  'https://acme.example/%zz',
  'https://acme.example/%',
  'https://acme.example/%4',
  'https://acme.example/{x}',
  'https://acme.example/<x>',
  'https://acme.example/a|b',
  'https://acme.example/[x]',
  'https://acme.example/?q=[x]',
  'https://acme.example/^',
  'https://acme.example/`',
  'https://acme.example/"',
  'https://acme.example/\\',
  'https://acme.example/é',
  'https://café.example/',
  'https://acme.example/a b',
  'https://acme.example/#a#b',
  'https://acme..example/',
  'https://.acme.example/',
  'https://./',
  'https://acme.example../',
  'https://acme.example:0/',
  'https://acme.example:00/',
  'https://acme.example:65536/',
  'https://acme.example:x/',
  'https://:443/',
  'https://user@acme.example/',
  'https://user:password@acme.example/',
  'https://[x]/',
  'https://[::1/',
  'https://::1/',
  'https://256.1.1.1/',
  'https://%zz.example/',
];

const redirect = (uri: string) => ({ action: 'redirect', limit: 1, redirect_uri: uri });

describe('strict-https-uri', () => {
  test.each(accepted)('accepts %s', (uri) => {
    expect(formats['strict-https-uri']?.(uri)).toBe(true);
  });

  test.each(refused)('refuses %s', (uri) => {
    expect(formats['strict-https-uri']?.(uri)).toBe(false);
  });

  test('of a server with a name, what the format uri accepts, and a parser finds the same name', () => {
    const isUri = fullFormats['uri'] as unknown as (text: string) => boolean;
    const pieces = [
      'a',
      'Z',
      '0',
      '_',
      '-.~',
      '%4f',
      '%',
      '%g0',
      '/',
      '//',
      '?',
      '#',
      ':',
      '@',
      '[',
      ']',
      '{',
      '"',
      'é',
      ' ',
      '!$&',
    ];
    const rest = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((of) => of.join(''));
    fc.assert(
      fc.property(fc.constantFrom('/', '?', '#', ':', ':8/', ':00'), rest, (first, after) => {
        const uri = `https://acme.example${first}${after}`;
        const server = /^https:\/\/acme\.example(?::(?!0*(?!\d))\d*|:)?(?=[/?#]|$)/.test(uri);
        expect(formats['strict-https-uri']?.(uri)).toBe(server && isUri(uri) && URL.canParse(uri));
      }),
      propertyRuns(50_000, 1_000),
    );
  });

  test('both in the files and in the embedded tenant', async () => {
    const tenant = await openTenant();
    for (const [uri, status, codes] of [
      ['HTTPS://acme.example/', 201, []],
      ['https://acme.example/{x}', 400, ['CONFIG_BAD_FORMAT']],
      ['https://acme.example:0/', 400, ['CONFIG_BAD_FORMAT']],
    ] as const) {
      const body = {
        resource: 'oauth_authentication_api',
        consumer: 'client',
        consumer_selector: 'default',
        configuration: redirect(uri),
      };
      const response = await tenant.fetch(await authorizedRequest(tenant, 'POST', '/rate-limit-policies', body));
      expect({ uri, status: response.status }).toEqual({ uri, status });
      const problems = await problemsIn({ 'a.yaml': policyFile(JSON.stringify(redirect(uri))) });
      expect(problems.map((problem) => problem.split(' ')[0])).toEqual(codes);
    }
  });

  test('a long text that is refused at its end takes linear time', () => {
    const spent = startProcessorTime();
    for (const part of ['a', '%41', 'a.', ':', '[', '/..', '#'])
      expect(formats['strict-https-uri']?.(`https://${part.repeat(1_000_000)}<`)).toBe(false);
    expect(spent()).toBeLessThan(2_000);
  });
});

describe('consumer_selector', () => {
  test.each([
    ['client_id:abc', true],
    ['client_id:https://app.example/cimd.json', true],
    ['client_id:HTTPS://app.example/cimd.json', true],
    ['client_id:http-like-id', true],
    ['client_id:https://', false],
    ['client_id:https:///cimd.json', false],
    ['client_id:https:app.example', false],
    ['client_id:HTTPS://?x', false],
    ['client_id:', false],
    ['client_id:a b', false],
    ['client_id:a\u0000', false],
    ['CLIENT_ID:a', false],
  ])('%s: %s', async (selector, valid) => {
    const text = policyFile('{ action: allow }', JSON.stringify(selector));
    expect((await problemsIn({ 'a.yaml': text })).length === 0).toBe(valid);
    const tenant = await openTenant();
    const path = `/rate-limit-policies?consumer_selector=${encodeURIComponent(selector)}`;
    const response = await tenant.fetch(await authorizedRequest(tenant, 'GET', path));
    expect(response.status).toBe(valid ? 200 : 400);
  });
});
