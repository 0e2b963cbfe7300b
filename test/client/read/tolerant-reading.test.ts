import { describe, expect, test } from 'vitest';
import { readValue } from '../../../src/contract/read-value.ts';
import { operations as streams } from '../../../src/service/event-streams/description.generated.ts';
import { getPromptPartials } from '../../../src/service/prompts/operations.ts';
import { operations as policies } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { startProcessorTime } from '../../support/processor-time.ts';
import { listRolePermissions, listRoles } from '../../support/role-operations.ts';
import { sized } from '../../support/thorough.ts';
import { policy, policyPage, reading, startBench } from '../builders.ts';

const unknown = (field: string): object => expect.objectContaining({ field, what: 'unknown' });
const form = (field: string): object => expect.objectContaining({ field, what: 'form' });

/** What is read of one policy, beside another one. */
async function readPolicy(odd: object) {
  await using bench = await startBench([{ body: policyPage([{ ...policy(1), ...odd }, policy(2)]) }]);
  const listing = await reading(bench.options, ({ reader }) => reader.list(policies.list, {}));
  if (!listing.ok) return listing.why.message;
  const [item, other] = listing.items;
  expect(other).toEqual(policy(2));
  return { item, odd: item === undefined ? [] : (listing.odd?.get(item) ?? []) };
}

const redirect = (uri: unknown) => ({ action: 'redirect', limit: 5, redirect_uri: uri });
const block = { action: 'block', limit: 100 };

describe('a policy that is not as described is read, and its odd fields are named', () => {
  test.each<[string, object, object, readonly object[]]>([
    ['an unknown field', { burst: 5 }, {}, [unknown('burst')]],
    ['a field whose name is a number', { 5: 5 }, {}, [unknown('5')]],
    [
      'an unknown field of the configuration',
      { configuration: { ...block, burst: { size: 5 } } },
      { configuration: block },
      [unknown('configuration.burst')],
    ],
    [
      'a field of another form',
      { configuration: { action: 'allow', limit: 5 } },
      { configuration: { action: 'allow' } },
      [unknown('configuration.limit')],
    ],
    ['a dot in an id', { id: 'rlp_1.2' }, { id: 'rlp_1.2' }, []],
    ['a colon in an id', { id: 'rlp:1' }, { id: 'rlp:1' }, [form('id')]],
    ['a long id', { id: 'r'.repeat(27) }, { id: 'r'.repeat(27) }, [form('id')]],
    [
      'a date without an offset',
      { created_at: '2026-01-01T00:00:00' },
      { created_at: '2026-01-01T00:00:00' },
      [form('created_at')],
    ],
    ['a date that is a number', { created_at: 5, updated_at: null }, {}, [form('created_at'), form('updated_at')]],
    [
      'an address that is no https URI',
      { configuration: redirect('ftp://a.example/') },
      { configuration: redirect('ftp://a.example/') },
      [form('configuration.redirect_uri')],
    ],
    [
      'an address that is a number',
      { configuration: redirect(5) },
      { configuration: { action: 'redirect', limit: 5 } },
      [form('configuration.redirect_uri')],
    ],
    [
      'a limit out of range',
      { configuration: { ...block, limit: 10_001 } },
      { configuration: { ...block, limit: 10_001 } },
      [form('configuration.limit')],
    ],
    [
      'no limit',
      { configuration: { action: 'log' } },
      { configuration: { action: 'log' } },
      [form('configuration.limit')],
    ],
    [
      'an action that is not known',
      { configuration: { action: 'slow', limit: 5, delay: 1 } },
      { configuration: { action: 'slow', limit: 5 } },
      [unknown('configuration.delay'), form('configuration.action')],
    ],
    [
      'a resource that is not known',
      { resource: 'management_api' },
      { resource: 'management_api' },
      [form('resource')],
    ],
    [
      'a selector that is not known',
      { consumer_selector: 'organization_id:org_1' },
      { consumer_selector: 'organization_id:org_1' },
      [form('consumer_selector')],
    ],
  ])('%s', async (_name, odd, read, fields) => {
    const result = await readPolicy(odd);
    expect(result).toEqual({ item: { ...policy(1), ...read }, odd: expect.any(Array) });
    expect(typeof result === 'object' && result.odd).toHaveLength(fields.length);
    expect(typeof result === 'object' && result.odd).toEqual(expect.arrayContaining([...fields]));
  });

  test('a field with the name of a prototype is not known either', async () => {
    const body = JSON.stringify(policyPage([policy(1)])).replace('"id"', '"__proto__":{"x":1},"id"');
    await using bench = await startBench([{ body }]);
    const listing = await reading(bench.options, ({ reader }) => reader.list(policies.list, {}));
    expect(listing).toMatchObject({ ok: true, items: [policy(1)] });
    const fields = listing.ok ? [...(listing.odd?.values() ?? [])] : [];
    expect(fields).toEqual([[unknown('__proto__')]]);
  });

  test('the page itself may have more fields', async () => {
    await using bench = await startBench([{ body: { ...policyPage([policy(1)]), total: 1 } }]);
    expect(await reading(bench.options, ({ reader }) => reader.list(policies.list, {}))).toEqual({
      ok: true,
      arrivedAt: expect.any(Number),
      items: [policy(1)],
    });
  });
});

describe('next', () => {
  test.each([null, ''])('%j ends a list', async (next) => {
    await using bench = await startBench([
      { body: policyPage([policy(1)], 'A') },
      { body: policyPage([policy(2)], next) },
    ]);
    expect(await reading(bench.options, ({ reader }) => reader.list(policies.list, {}))).toEqual({
      ok: true,
      arrivedAt: expect.any(Number),
      items: [policy(1), policy(2)],
      pages: 2,
    });
    expect(bench.server.requests).toHaveLength(2);
  });
});

test('of an event stream only known fields are read, so a secret that is returned goes no further', () => {
  const authorization = { method: 'basic', username: 'u' };
  const destination = (more: object) => ({
    type: 'webhook',
    configuration: { webhook_endpoint: 'https://a.example/', webhook_authorization: { ...authorization, ...more } },
  });
  const stream = { id: 'est_1', name: 'n', subscriptions: [{ event_type: 'a' }, { event_type: 'b' }] };
  const returned = {
    ...stream,
    subscriptions: stream.subscriptions.map((subscription) => ({ ...subscription, since: 1 })),
    destination: { ...destination({ password: 'planted', api_key: 'planted' }), region: 'eu' },
    owner: null,
  };
  expect(readValue(streams.list.item, returned)).toEqual({
    ok: true,
    value: { ...stream, destination: destination({}) },
    odd: [
      unknown('owner'),
      unknown('subscriptions[].since'),
      unknown('destination.region'),
      unknown('destination.configuration.webhook_authorization.password'),
      unknown('destination.configuration.webhook_authorization.api_key'),
    ],
  });
});

describe('an item that cannot be used is none', () => {
  const pair = { resource_server_identifier: 'https://a.example/', permission_name: 'read:a' };
  test.each<[string, Parameters<typeof readValue>[0], unknown]>([
    ['a stream without an id', streams.list.item, { name: 'n' }],
    ['a stream with an empty id', streams.list.item, { id: '', name: 'n' }],
    ['a stream whose destination is text', streams.list.item, { id: 'est_1', name: 'n', destination: 'x' }],
    ['a role without a name', listRoles.item, { id: 'rol_1', name: null }],
    ['a permission without a name', listRolePermissions.item, { ...pair, permission_name: '' }],
    ['partials that are no texts', getPromptPartials.response, { login: { 'form-content-start': 5 } }],
  ])('%s', (_name, shape, value) => expect(readValue(shape, value)).toMatchObject({ ok: false }));

  test('other fields of a permission do not matter', () => {
    expect(readValue(listRolePermissions.item, { ...pair, description: 5, source: 'x' })).toEqual({
      ok: true,
      value: pair,
      odd: [unknown('source'), form('description')],
    });
  });
});

test('an item with very many unknown fields is none, and takes no noticeable time', () => {
  const names = Array.from({ length: sized(90_000) }, (_none, index) => [`f${index}`, 1] as const);
  const value = { ...policy(1), ...Object.fromEntries(names) };
  const times = Array.from({ length: 3 }, () => {
    const spent = startProcessorTime();
    expect(readValue(policies.list.item, value)).toMatchObject({
      ok: false,
      error: { params: { limit: 1000 } },
    });
    return spent();
  });
  expect(Math.min(...times)).toBeLessThan(500);
});
