import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeForm } from '../../src/embedded-tenant/http/read-body.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { authorizedRequest, openTenant, startTenant } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('decoding a form', () => {
  test.each([
    ['', {}],
    ['a=b', { a: 'b' }],
    ['a', { a: '' }],
    ['a=b=c&&d=', { a: 'b=c', d: '' }],
    ['a+b=%2B+%C3%A9', { 'a b': '+ é' }],
    ['a[b][c]=d&a[b][e]=f', { a: { b: { c: 'd', e: 'f' } } }],
    ['a%5Bb%5D=c', { a: { b: 'c' } }],
    ['a[1][b]=x&a[0][b]=y', { a: [{ b: 'y' }, { b: 'x' }] }],
    ['a[01]=x', { a: { '01': 'x' } }],
    ['a[0]=x&a[b]=y', { a: { '0': 'x', b: 'y' } }],
    ['a[0]=1&a[2]=3', { a: { '0': '1', '2': '3' } }],
    ['a[1]=1', { a: { '1': '1' } }],
    ['a[999999999]=1', { a: { '999999999': '1' } }],
    ['__proto__[a]=b', Object.fromEntries([['__proto__', { a: 'b' }]])],
    ['c[limit]=100&c[name]=100', { c: { limit: 100, name: '100' } }],
    ['c[limit]=1e2', { c: { limit: '1e2' } }],
  ])('%s', (text, value) => {
    expect(decodeForm(text, ['/c/limit'])).toEqual({ value });
  });

  test.each([
    'a=%zz',
    'a=%',
    '%4=b',
    'a=%C3',
    'a=%FF',
    'a[]=b',
    'a[][b]=c&a[][d]=e',
    'a[0][]=c',
    'a=1&a=2',
    'a=1&a[b]=2',
    'a[b]=2&a=1',
    'a[b=c',
    'a]b=c',
    'a[b]c=d',
    'a[b][c][d][e][f][g]=h',
  ])('%s is refused', (text) => {
    expect(decodeForm(text, [])).toBeNull();
  });

  test('law: a form that is written from a value decodes to that value', () => {
    const name = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => !/[[\]]|^\d+$/.test(text));
    const field = fc.oneof(fc.string(), fc.array(fc.dictionary(name, fc.string(), { minKeys: 1 }), { minLength: 1 }));
    fc.assert(
      fc.property(fc.dictionary(name, field), (value) => {
        expect(decodeForm(formOf(value), [])?.value).toEqual({ ...value });
      }),
      propertyRuns(1000),
    );
  });
});

function formOf(value: object, inside?: string): string {
  return Object.entries(value)
    .map(([name, child]: [string, unknown]) => {
      const key = inside === undefined ? name : `${inside}[${name}]`;
      return typeof child === 'string'
        ? `${encodeURIComponent(key)}=${encodeURIComponent(child)}`
        : formOf(child as object, key);
    })
    .join('&');
}

describe('a form of 1 MB', () => {
  const fill = (unit: (index: number) => string) => {
    const parts: string[] = [];
    for (let length = 0, index = 0; length < 1_040_000; index += 1) {
      const part = unit(index);
      parts.push(part);
      length += part.length;
    }
    return parts.join('');
  };
  const forms = {
    'many keys': fill((index) => `k${index}=v&`),
    'many elements': fill((index) => `permissions[${index}][a]=v&`),
    'elements without an index': fill(() => 'permissions[][a]=v&'),
    'the same key': fill(() => 'a[0]=v&'),
    'a deep key': fill(() => '[a]'),
    'open brackets': fill(() => '[a'),
    ampersands: fill(() => '&'),
    escapes: fill(() => '%41'),
    'open escapes': fill(() => '%'),
  };

  test.each(Object.entries(forms))('%s does not stall the token endpoint', async (_name, body) => {
    const tenant = await startTenant();
    try {
      const spent = startProcessorTime();
      const response = await fetch(`${tenant.origin}/oauth/token`, { method: 'POST', headers: formType, body });
      expect(response.status).toBe(400);
      expect(spent()).toBeLessThan(2_000);
    } finally {
      await tenant.close();
    }
  });
});

describe('a form as the body of an operation', () => {
  const send = async (
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = formType,
  ) => {
    const tenant = await openTenant({
      rate_limit_policies: [
        {
          id: 'rlp_1',
          resource: 'oauth_authentication_api',
          consumer: 'client',
          consumer_selector: 'default',
          configuration: { action: 'allow' },
        },
      ],
      roles: [
        {
          id: 'rol_1',
          name: 'Support',
          permissions: ['a', 'b', 'c'].map((name) => ({
            resource_server_identifier: 'https://orders.example/',
            permission_name: name,
          })),
        },
      ],
    });
    const authorization = `Bearer ${await tenant.token()}`;
    const init = { method, headers: { ...headers, Authorization: authorization }, body };
    const response = await tenant.fetch(new Request(`${tenant.baseUrl}${path}`, init));
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : (JSON.parse(text) as object),
      state: tenant.snapshot(),
    };
  };
  const identity = 'resource=oauth_authentication_api&consumer=client&consumer_selector=cimd_clients';

  test('a POST of a policy carries a limit', async () => {
    const body = `${identity}&configuration[action]=block&configuration[limit]=100`;
    expect(await send('POST', '/rate-limit-policies', body)).toMatchObject({
      status: 201,
      body: { configuration: { action: 'block', limit: 100 } },
    });
  });

  test('a PATCH of a policy carries a limit', async () => {
    const body = 'configuration[action]=log&configuration[limit]=0';
    expect(await send('PATCH', '/rate-limit-policies/rlp_1', body)).toMatchObject({
      status: 200,
      body: { configuration: { action: 'log', limit: 0 } },
    });
  });

  test.each(['', '1e3', '1.5', '0x10', '10001', ' 5'])('a limit of "%s" is refused', async (limit) => {
    const body = `${identity}&configuration[action]=block&configuration[limit]=${limit}`;
    expect((await send('POST', '/rate-limit-policies', body)).status).toBe(400);
  });

  test('several pairs are all removed', async () => {
    const pair = (index: number, name: string) =>
      `permissions[${index}][resource_server_identifier]=https://orders.example/&permissions[${index}][permission_name]=${name}`;
    const { status, state } = await send('DELETE', '/roles/rol_1/permissions', [pair(0, 'a'), pair(1, 'c')].join('&'));
    expect(status).toBe(204);
    expect(state.roles?.[0]?.permissions?.map((each) => each.permission_name)).toEqual(['b']);
  });

  test('pairs without an index are refused, and none is removed', async () => {
    const pair = (name: string) =>
      `permissions[][resource_server_identifier]=https://orders.example/&permissions[][permission_name]=${name}`;
    const { status, state } = await send('DELETE', '/roles/rol_1/permissions', [pair('a'), pair('c')].join('&'));
    expect(status).toBe(400);
    expect(state.roles?.[0]?.permissions).toHaveLength(3);
  });

  test.each(['login[a]=%zz', 'login[a]=%C3', 'login[%]=a'])('%s is 400', async (body) => {
    expect((await send('PUT', '/prompts/login/partials', body)).status).toBe(400);
  });

  test.each([
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; charset="UTF-16"', 415],
    ['application/json; charset=utf-8; charset=latin1', 415],
    ['application/json; charset=', 415],
    ['application/json; charset="utf-8"', 200],
    ['application/json;charset=UTF8', 200],
    ['application/json; version=1', 200],
  ])('%s is %i', async (type, status) => {
    const body = '{"login":{"a":"b"}}';
    expect((await send('PUT', '/prompts/login/partials', body, { 'Content-Type': type })).status).toBe(status);
    const tenant = await openTenant();
    const request = { method: 'POST', headers: { 'Content-Type': type }, body: '{}' };
    const token = await tenant.fetch(new Request(`${tenant.origin}/oauth/token`, request));
    expect(token.status).toBe(status === 200 ? 400 : status);
  });
});

describe('malformed percent-encoding in a URL', () => {
  test.each([
    '/rate-limit-policies?from=%zz',
    '/rate-limit-policies?consumer_selector=%',
    '/rate-limit-policies?consumer_selector=client_id:%FF',
    '/event-streams?%zz=1',
    '/roles/%zz/permissions',
    '/roles/%FF/permissions',
  ])('%s is 400', async (path) => {
    const tenant = await openTenant();
    expect((await tenant.fetch(await authorizedRequest(tenant, 'GET', path))).status).toBe(400);
  });
});
