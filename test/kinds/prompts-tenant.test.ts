import { beforeEach, expect, describe as group, test } from 'vitest';
import { type OpenedTenant, openTenant, testClient } from '../support/start-tenant.ts';

const stored = { login: { login: { 'form-content-start': '<p>a</p>', 'form-footer-end': 'b' }, other: { x: 'c' } } };
const reader = { ...testClient, client_id: 'reader', scopes: ['read:prompts'] };
const writer = { ...testClient, client_id: 'writer', scopes: ['update:prompts'] };

let tenant: OpenedTenant;
beforeEach(async () => {
  tenant = await openTenant({
    clients: [testClient, reader, writer],
    prompts: { login: { partials: stored.login }, signup: { partials: { signup: {} } } },
  });
});

async function send(method: 'GET' | 'PUT', prompt: string, body?: unknown, clientId?: string) {
  const headers = { Authorization: `Bearer ${await tenant.token(clientId)}`, 'Content-Type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await tenant.fetch(new Request(`${tenant.baseUrl}/prompts/${prompt}/partials`, init));
  return { status: answer.status, text: await answer.text() };
}

const refused = (status: number, error: string, errorCode: string, message: string) => ({
  status,
  text: JSON.stringify({ statusCode: status, error, message, errorCode }),
});

group('get', () => {
  test.each([
    [
      'a prompt with partials',
      'login',
      '{"login":{"form-footer-end":"b","form-content-start":"<p>a</p>"},"other":{"x":"c"}}',
    ],
    ['a prompt without partials', 'passkeys', '{}'],
    ['a seeded empty screen', 'signup', '{}'],
    ['a prompt of the public facts alone', 'confirmation', '{}'],
  ])('%s', async (_name, prompt, text) => {
    expect(await send('GET', prompt)).toEqual({ status: 200, text });
  });

  test('keys are ordered by length, then by alphabet, at both levels', async () => {
    const points = {
      'form-content-start': '1',
      'form-content-end': '2',
      'form-footer-start': '3',
      'form-footer-end': '4',
      'secondary-actions-start': '5',
      'secondary-actions-end': '6',
    };
    await send('PUT', 'login', { 'screen-b': points, 'screen-a': points, s: points });
    const ordered =
      '{"form-footer-end":"4","form-content-end":"2","form-footer-start":"3","form-content-start":"1","secondary-actions-end":"6","secondary-actions-start":"5"}';
    expect((await send('GET', 'login')).text).toBe(`{"s":${ordered},"screen-a":${ordered},"screen-b":${ordered}}`);
  });

  test('another prompt does not exist', async () => {
    expect(await send('GET', 'logout')).toMatchObject({
      status: 400,
      text: expect.stringContaining('on property prompt'),
    });
  });

  test('needs read:prompts', async () => {
    expect(await send('GET', 'login', undefined, 'reader')).toMatchObject({ status: 200 });
    expect(await send('GET', 'login', undefined, 'writer')).toEqual(
      refused(403, 'Forbidden', 'insufficient_scope', 'Insufficient scope, expected any of: read:prompts'),
    );
  });

  test('does not exist on a tenant of the documented operations alone', async () => {
    tenant = await openTenant({}, { api: 'documented' });
    expect((await send('GET', 'login')).status).toBe(405);
  });
});

group('put', () => {
  test.each([
    [
      'replaces screens and insertion points',
      { login: { 'form-content-end': 'new' } },
      '{"login":{"form-content-end":"new"}}',
    ],
    ['does not store an empty screen', { login: {}, other: { x: 'c' } }, '{"other":{"x":"c"}}'],
    ['clears the prompt', {}, '{}'],
    [
      'takes unknown screens and insertion points',
      { 'no such screen': { 'no-such-point': '' } },
      '{"no such screen":{"no-such-point":""}}',
    ],
    [
      'leaves texts as they are',
      { login: { a: ' <b>\r\n{{ x }}\t\u{1f600} ' } },
      JSON.stringify({ login: { a: ' <b>\r\n{{ x }}\t\u{1f600} ' } }),
    ],
  ])('%s', async (_name, body, text) => {
    expect(await send('PUT', 'login', body)).toEqual({ status: 200, text });
    expect(await send('GET', 'login')).toEqual({ status: 200, text });
    expect((await send('GET', 'signup')).text).toBe('{}');
  });

  test('echoes the order in which keys were sent, which a get does not keep', async () => {
    const text = '{"zz":{"bb":"1","a":"2"},"y":{"c":"3"}}';
    expect(await send('PUT', 'login', JSON.parse(text))).toEqual({ status: 200, text });
    expect((await send('GET', 'login')).text).toBe('{"y":{"c":"3"},"zz":{"a":"2","bb":"1"}}');
  });

  test('a text has at most 10,000 code points; nothing changes when one has more', async () => {
    const before = (await send('GET', 'login')).text;
    expect(await send('PUT', 'login', { login: { 'form-content': `${'\u{1f600}'.repeat(10_000)}x` } })).toEqual(
      refused(
        400,
        'Bad Request',
        'invalid_body',
        "Payload validation error: 'String is too long, maximum 10000' on property login.form-content.",
      ),
    );
    expect((await send('GET', 'login')).text).toBe(before);
    expect((await send('PUT', 'login', { login: { 'form-content': '\u{1f600}'.repeat(10_000) } })).status).toBe(200);
  });

  test('a seed keeps what the service may hold, also a longer text', async () => {
    const partials = { login: { 'form-content': 'x'.repeat(10_001) } };
    tenant = await openTenant({ prompts: { login: { partials } } });
    expect(await send('GET', 'login')).toEqual({ status: 200, text: JSON.stringify(partials) });
  });

  test('needs update:prompts', async () => {
    expect(await send('PUT', 'login', {}, 'reader')).toEqual(
      refused(403, 'Forbidden', 'insufficient_scope', 'Insufficient scope, expected any of: update:prompts'),
    );
  });
});
