import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { LiveDestination, LiveStream } from '../../src/service/event-streams/types.generated.ts';
import { openTenant } from '../support/start-tenant.ts';

const start = Date.parse('2026-03-04T05:06:07.800Z');
const subscriptions = [{ event_type: 'user.updated' }, { event_type: 'user.created' }];
const endpoint = 'https://crm.example/hook';
const hook = (webhook_authorization: Record<string, string>, webhook_endpoint = endpoint): LiveDestination => ({
  type: 'webhook',
  configuration: { webhook_endpoint, webhook_authorization },
});
const bearer = hook({ method: 'bearer' });
const bridge = { type: 'eventbridge', configuration: { aws_account_id: '111122223333', aws_region: 'us-east-1' } };
const call = { type: 'action', configuration: { action_id: '6018e89f' } };

function stored(about: Partial<LiveStream> = {}): LiveStream {
  const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
  return { id: 'est_1', status: 'enabled', name: 'one', subscriptions, ...times, destination: bearer, ...about };
}

/** A tenant whose clock goes on by a tenth of a second with every request. */
async function open(seed: Seed = {}) {
  let time = start;
  const clock = { now: () => time, monotonic: () => time, sleep: vi.fn() };
  const tenant = await openTenant(seed, { clock });
  const streams = () => tenant.snapshot().event_streams ?? [];
  const answers: unknown[] = [];
  onTestFinished(() => expect(JSON.stringify([streams(), answers])).not.toContain('planted'));
  const token = await tenant.token();
  const send = async (method: string, path: string, body?: object) => {
    time += 100;
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const answer = await tenant.fetch(
      new Request(`${tenant.baseUrl}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    const told = { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    answers.push(told);
    return told;
  };
  return { send, streams };
}

const refusal = (statusCode: number, error: string, message: string, errorCode?: string) => ({
  status: statusCode,
  body: { statusCode, error, message, ...(errorCode !== undefined && { errorCode }) },
});
const notThere = refusal(404, 'Not Found', 'The requested stream does not exist.');
const inUse = refusal(409, 'Conflict', 'An event stream with this name already exists.', 'event_stream_conflict');

describe('create', () => {
  test('a stream without a name or subscriptions, of which there can be several', async () => {
    const { send, streams } = await open();
    for (const status of [201, 201])
      expect(await send('POST', '/event-streams', { destination: call })).toMatchObject({ status });
    expect(streams()?.map((stream) => Object.keys(stream).includes('name'))).toEqual([false, false]);
    expect(await send('GET', '/event-streams')).toMatchObject({ status: 200, body: { eventStreams: streams() } });
  });

  const created = '2026-03-04T05:06:07.900Z';
  test.each<[string, object, object]>([
    ['basic', hook({ method: 'basic', username: 'u', password: 'planted' }), hook({ method: 'basic', username: 'u' })],
    ['bearer', hook({ method: 'bearer', token: 'planted' }), bearer],
    [
      'custom_header',
      hook({ method: 'custom_header', header_key: 'x-key', header_value: 'planted' }),
      hook({ method: 'custom_header', header_key: 'x-key' }),
    ],
    [
      'eventbridge',
      bridge,
      {
        ...bridge,
        configuration: {
          ...bridge.configuration,
          aws_partner_event_source: expect.stringMatching(/^aws\.partner\/auth0\.com\/.+\/auth0\.events$/),
        },
      },
    ],
    ['action', call, call],
  ])('%s: what the service adds, and no secret', async (_name, destination, shown) => {
    const { send, streams } = await open();
    const answer = await send('POST', '/event-streams', { name: 'one', subscriptions, destination });
    const id: unknown = answer.body.id;
    const stream = {
      id,
      status: 'enabled',
      name: 'one',
      subscriptions,
      created_at: created,
      updated_at: created,
      destination: shown,
    };
    expect(answer).toEqual({ status: 201, body: stream });
    expect(id).toMatch(/^est_[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(await send('GET', `/event-streams/${String(id)}`)).toEqual({ status: 200, body: answer.body });
    expect(await send('GET', '/event-streams')).toEqual({ status: 200, body: { eventStreams: [answer.body] } });
    expect(streams()).toEqual([answer.body]);
  });

  test('a status of its own', async () => {
    const { send } = await open();
    expect(
      (await send('POST', '/event-streams', { name: 'one', status: 'disabled', subscriptions, destination: call })).body
        .status,
    ).toBe('disabled');
  });

  test('a name in use is a conflict, and changes nothing', async () => {
    const { send, streams } = await open({ event_streams: [stored()] });
    expect(await send('POST', '/event-streams', { name: 'one', subscriptions, destination: call })).toEqual(inUse);
    expect(streams()).toEqual([stored()]);
  });

  test.each<[string, object, string]>([
    ['no destination', { name: 'one', subscriptions }, "'Missing required property: destination'"],
    [
      'no subscription',
      { name: 'one', subscriptions: [], destination: call },
      "'Array is too short, minimum 1' on property subscriptions",
    ],
    [
      'an unknown type',
      { name: 'one', subscriptions, destination: { type: 'queue' } },
      "'Property type selects none of the allowed forms' on property destination",
    ],
    [
      'an id',
      { id: 'est_1', name: 'one', subscriptions, destination: call },
      "'Additional properties not allowed: id'",
    ],
    [
      'an address without https',
      { name: 'one', subscriptions, destination: hook({ method: 'bearer' }, 'http://a.example/') },
      "'Value has none of the allowed forms' on property destination.configuration.webhook_endpoint",
    ],
  ])('refuses %s', async (_name, body, fault) => {
    const { send, streams } = await open();
    expect(await send('POST', '/event-streams', body)).toEqual(
      refusal(400, 'Bad Request', `Payload validation error: ${fault}.`, 'invalid_body'),
    );
    expect(streams()).toEqual([]);
  });
});

describe('get', () => {
  test('a missing stream has no error code', async () => {
    expect(await (await open()).send('GET', '/event-streams/est_2')).toEqual(notThere);
  });

  test.each(['GET', 'PATCH', 'DELETE'])('%s: an id of the wrong form', async (method) => {
    const { send } = await open();
    const message = "Path validation error: 'Value didn't pass validation for format event-stream-id' on property id.";
    const answer = await send(method, '/event-streams/est_not_an_id', method === 'PATCH' ? {} : undefined);
    expect(answer).toEqual(refusal(400, 'Bad Request', message, 'invalid_uri'));
  });

  test('a seed may hold little more than a name, or a secret that nobody sees', async () => {
    const seeded = stored({ destination: hook({ method: 'bearer', token: 'planted' }) });
    const { send } = await open({
      event_streams: [
        seeded,
        { id: 'est_2', name: 'two' },
        { id: 'est_3', name: 'three', destination: { type: 'webhook' } },
      ],
    });
    expect((await send('GET', '/event-streams/est_1')).body).toEqual(stored());
    expect((await send('GET', '/event-streams/est_2')).body).toEqual({ id: 'est_2', name: 'two' });
    expect((await send('GET', '/event-streams/est_3')).body).toEqual({
      id: 'est_3',
      name: 'three',
      destination: { type: 'webhook' },
    });
  });
});

describe('update', () => {
  const updated_at = '2026-03-04T05:06:07.900Z';
  const action = { destination: call };
  test.each<[string, Partial<LiveStream>, object, Partial<LiveStream>]>([
    ['nothing', {}, {}, {}],
    ['name', {}, { name: 'uno' }, { name: 'uno' }],
    ['its own name', {}, { name: 'one' }, {}],
    ['status', {}, { status: 'disabled' }, { status: 'disabled' }],
    [
      'subscriptions, whole and in order',
      {},
      { subscriptions: [{ event_type: 'z' }, { event_type: 'a' }] },
      { subscriptions: [{ event_type: 'z' }, { event_type: 'a' }] },
    ],
    [
      'method and endpoint of a webhook, whole',
      {},
      { destination: hook({ method: 'basic', username: 'u', password: 'planted' }, 'https://b.example/') },
      { destination: hook({ method: 'basic', username: 'u' }, 'https://b.example/') },
    ],
    ['a secret, which shows only in updated_at', {}, { destination: hook({ method: 'bearer', token: 'planted' }) }, {}],
    [
      'a webhook without its secret',
      {},
      { destination: hook({ method: 'bearer' }, 'https://b.example/') },
      { destination: hook({ method: 'bearer' }, 'https://b.example/') },
    ],
    ['the same action', action, { destination: call, status: 'disabled' }, { status: 'disabled' }],
  ])('%s', async (_name, seeded, body, changed) => {
    const { send, streams } = await open({ event_streams: [stored(seeded)] });
    const expected = stored({ ...seeded, ...changed, updated_at });
    expect(await send('PATCH', '/event-streams/est_1', body)).toEqual({ status: 200, body: expected });
    expect(streams()).toEqual([expected]);
  });

  const fixed = refusal(
    400,
    'Bad Request',
    "Payload validation error: 'The destination of this stream cannot be changed' on property destination.",
    'invalid_body',
  );
  test.each<[string, Partial<LiveStream>, object, object]>([
    ['another type', {}, { destination: call }, fixed],
    ['another action', action, { destination: { type: 'action', configuration: { action_id: 'x' } } }, fixed],
    [
      'eventbridge',
      { destination: bridge },
      { destination: bridge },
      refusal(
        400,
        'Bad Request',
        "Payload validation error: 'Property type selects none of the allowed forms' on property destination.",
        'invalid_body',
      ),
    ],
    ['a name in use', {}, { name: 'two' }, inUse],
  ])('refuses %s, and changes nothing', async (_name, seeded, body, answer) => {
    const before = [stored(seeded), stored({ id: 'est_2', name: 'two' })];
    const { send, streams } = await open({ event_streams: before });
    expect(await send('PATCH', '/event-streams/est_1', body)).toEqual(answer);
    expect(streams()).toEqual(before);
  });

  test('a missing stream', async () => {
    expect(await (await open()).send('PATCH', '/event-streams/est_2', { status: 'enabled' })).toEqual(notThere);
  });

  test('a stream that was seeded without a destination gets none', async () => {
    const { send } = await open({ event_streams: [{ id: 'est_1', name: 'one' }] });
    expect(await send('PATCH', '/event-streams/est_1', { destination: bearer })).toEqual(fixed);
  });
});

test('delete, twice: the second finds nothing and answers the same', async () => {
  const { send, streams } = await open({
    event_streams: [stored(), stored({ id: 'est_2', name: 'two', destination: call })],
  });
  expect([await send('DELETE', '/event-streams/est_2'), await send('DELETE', '/event-streams/est_2')]).toEqual([
    { status: 204, body: null },
    { status: 204, body: null },
  ]);
  expect(streams()).toEqual([stored()]);
  expect(await send('GET', '/event-streams/est_2')).toEqual(notThere);
});

test('a stream that is created between two pages is neither repeated nor skips another', async () => {
  const { send } = await open({
    event_streams: [
      stored({ id: 'est_1' }),
      stored({ id: 'est_2', name: 'two' }),
      stored({ id: 'est_3', name: 'three' }),
    ],
  });
  const page = await send('GET', '/event-streams?take=2');
  await send('POST', '/event-streams', { name: 'new', subscriptions, destination: call });
  await send('DELETE', `/event-streams/${String(page.body.next)}`);
  const rest = await send('GET', `/event-streams?from=${String(page.body.next)}&take=100`);
  const names = (answer: { readonly body: { readonly eventStreams: readonly LiveStream[] } }) =>
    answer.body.eventStreams.map(({ name }) => name);
  expect([...names(page), ...names(rest)].filter((name) => name !== 'new')).toEqual(['one', 'two']);
});
