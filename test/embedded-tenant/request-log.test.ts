import { expect, test } from 'vitest';
import type { LoggedRequest } from '../../src/embedded-tenant/request-log.ts';
import { contractSeed } from '../contract/contract-seed.ts';
import { requests } from '../contract/requests.ts';
import { openTenant, testClient } from '../support/start-tenant.ts';

test('every request is in the log, writes with their bodies', async () => {
  const logged: LoggedRequest[] = [];
  const tenant = await openTenant(contractSeed, { onRequest: (entry) => logged.push(entry) });
  const headers = {
    Authorization: `Bearer ${await tenant.token()}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  await tenant.fetch(new Request(`${tenant.baseUrl}/rate-limit-policies?take=1`, { headers }));
  await tenant.fetch(new Request(`${tenant.baseUrl}/rate-limit-policies/rlp_none`, { method: 'DELETE', headers }));
  await tenant.fetch(
    new Request(`${tenant.baseUrl}/prompts/login/partials`, { method: 'PUT', headers, body: 'login[a]=b' }),
  );
  await tenant.fetch(
    new Request(`${tenant.baseUrl}/prompts/login/partials`, { method: 'PUT', headers, body: 'login=b' }),
  );
  await tenant.fetch(new Request(`${tenant.origin}/nowhere`));
  expect(tenant.requests).toEqual([
    { operation: 'token', method: 'POST', path: '/oauth/token/', query: '', status: 200 },
    {
      operation: 'list_rate_limit_policies',
      method: 'GET',
      path: '/api/v2/rate-limit-policies',
      query: '?take=1',
      status: 200,
    },
    {
      operation: 'delete_rate_limit_policy',
      method: 'DELETE',
      path: '/api/v2/rate-limit-policies/rlp_none',
      query: '',
      status: 404,
    },
    {
      operation: 'set_prompt_partials',
      method: 'PUT',
      path: '/api/v2/prompts/login/partials',
      query: '',
      status: 200,
      body: { login: { a: 'b' } },
    },
    {
      operation: 'set_prompt_partials',
      method: 'PUT',
      path: '/api/v2/prompts/login/partials',
      query: '',
      status: 400,
      body: { login: 'b' },
    },
    { operation: null, method: 'GET', path: '/nowhere', query: '', status: 404 },
  ]);
  expect(logged).toEqual(tenant.requests);
});

test('client secrets and tokens are in no response and no log', async () => {
  const tenant = await openTenant(contractSeed);
  const texts: string[] = [];
  for (const row of requests) {
    const authorization = row.client === null ? {} : { Authorization: `Bearer ${await tenant.token(row.client)}` };
    const body =
      row.body === undefined ? {} : { body: typeof row.body === 'string' ? row.body : JSON.stringify(row.body) };
    const response = await tenant.fetch(
      new Request(`${tenant.origin}${row.path}`, {
        method: row.method,
        headers: { ...authorization, ...row.headers },
        ...body,
      }),
    );
    texts.push(JSON.stringify([...response.headers]), await response.text());
  }
  texts.push(JSON.stringify(tenant.requests));
  expect(texts.filter((text) => text.includes(testClient.client_secret))).toEqual([]);
  expect(JSON.stringify(tenant.requests)).not.toMatch(/eyJ|Bearer/);
});

test('the log keeps the last 10,000 requests', async () => {
  const tenant = await openTenant({});
  for (let index = 0; index < 10_001; index += 1) await tenant.fetch(new Request(`${tenant.origin}/${index}`));
  expect(tenant.requests).toHaveLength(10_000);
  expect(tenant.requests.at(-1)?.path).toBe('/10000');
});

test.each([
  ['?access_token=abc&take=1', '?access_token=***&take=1'],
  ['?client%5Fsecret=abc', '?client%5Fsecret=***'],
  ['?apiKey=abc&Password=def', '?apiKey=***&Password=***'],
  ['?x=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln', '?x=***'],
  ['?x=Bearer%20abc', '?x=***'],
  ['?token', '?token'],
  ['?from=cmxwXzE&consumer_selector=client_id%3Aabc', '?from=cmxwXzE&consumer_selector=client_id%3Aabc'],
  ['?from=%zz', '?from=%zz'],
])('the log shows %s as %s', async (query, shown) => {
  const tenant = await openTenant(contractSeed);
  await tenant.fetch(new Request(`${tenant.baseUrl}/rate-limit-policies${query}`));
  expect(tenant.requests.at(-1)?.query).toBe(shown);
});
