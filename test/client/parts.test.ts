import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkFailure } from '../../src/client/network-failure.ts';
import { secretMask } from '../../src/client/secret-mask.ts';
import { systemClock } from '../../src/client/system-clock.ts';
import { listEventStreams } from '../../src/resources/event-streams/operations.ts';
import { listRateLimitPolicies } from '../../src/resources/rate-limit-policies/operations.ts';
import { propertyRuns } from '../support/thorough.ts';
import { policy, policyPage, reading, startBench } from './builders.ts';

describe('network failures', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  test.each<[string, boolean]>([
    ['ECONNRESET', true],
    ['ECONNREFUSED', true],
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['EPIPE', true],
    ['ETIMEDOUT', true],
    ['EHOSTUNREACH', true],
    ['UND_ERR_SOCKET', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['UND_ERR_HEADERS_TIMEOUT', true],
    ['UND_ERR_BODY_TIMEOUT', true],
    ['CERT_HAS_EXPIRED', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false],
    ['EPROTO', false],
    ['UND_ERR_DESTROYED', false],
  ])('%s may be tried again: %s', (code, retryable) => {
    expect(networkFailure(withCode(code), true)).toMatchObject({ code, retryable, opened: true });
  });

  test('go by their name where there is no code', () => {
    expect(networkFailure(new TypeError('x'), false)).toMatchObject({ code: 'TypeError', opened: false });
    expect(networkFailure('torn', false)).toMatchObject({ code: 'Error', cause: new Error('torn') });
  });

  test('of our own making are bugs', () =>
    expect(() => networkFailure(withCode('UND_ERR_INVALID_ARG'), true)).toThrow('UND_ERR_INVALID_ARG'));
});

describe('the mask', () => {
  test('hides a secret in every form in which it is sent', () => {
    const mask = secretMask();
    mask.hide('p&ss wörd/1');
    mask.hide('');
    expect(mask.clean('a p&ss wörd/1 b p%26ss%20w%C3%B6rd%2F1 c p%26ss+w%C3%B6rd%2F1 d')).toBe('a *** b *** c *** d');
  });

  test('hides the longer secret first', () => {
    const mask = secretMask();
    mask.hide('abc');
    mask.hide('abcdef');
    expect(mask.clean('abcdef')).toBe('***');
  });

  test('leaves one line of at most 300 characters in which no secret is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string({ maxLength: 400 }), (secret, before, after) => {
        fc.pre(!/\s|\*|…/.test(secret));
        const mask = secretMask();
        mask.hide(secret);
        const text = mask.clean(`${before}${secret}\n${after}${secret}`);
        return !text.includes(secret) && !/[\n\r\u2028\u2029]/.test(text) && text.length <= 300;
      }),
      propertyRuns(100),
    );
  });
});

describe('the system clock', () => {
  test('tells the time and waits', async () => {
    const before = systemClock.now();
    await systemClock.sleep(20);
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(18);
    expect(Math.abs(before - Date.now())).toBeLessThan(10_000);
  });

  test('ends a wait with the reason of the signal', async () => {
    const stop = new AbortController();
    const wait = systemClock.sleep(60_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(wait).rejects.toThrow('enough');
    await expect(systemClock.sleep(1, stop.signal)).rejects.toThrow('enough');
  });
});

describe('fields that the schema does not name', () => {
  const stream = (number: number, more: object) => ({
    id: `est_${number}`,
    name: 'n',
    destination: {
      type: 'webhook',
      region: 'eu',
      configuration: { webhook_endpoint: 'https://a.example/', retries: { count: 1 } },
    },
    ...more,
  });
  const pages = [
    {
      body: {
        eventStreams: [
          stream(1, { region: 'eu' }),
          stream(2, { region: 'eu', subscriptions: [{ event_type: 'a', id: 1 }] }),
        ],
        next: 'A',
        total: 3,
      },
    },
    { body: { eventStreams: [stream(3, { region: 'us', owner: null })] } },
  ];

  test('are told once each at the debug level', async () => {
    await using bench = await startBench(pages, { debug: true });
    expect(await reading(bench.options, ({ reader }) => reader.list(listEventStreams, {}))).toMatchObject({ ok: true });
    const operation = 'list_event_streams';
    expect(bench.events.filter(({ type }) => type === 'unknown_fields')).toEqual([
      {
        type: 'unknown_fields',
        operation,
        fields: [
          'eventStreams[].destination.region',
          'eventStreams[].destination.configuration.retries',
          'eventStreams[].region',
          'eventStreams[].subscriptions[].id',
          'total',
        ],
      },
      { type: 'unknown_fields', operation, fields: ['eventStreams[].owner'] },
    ]);
  });

  test('are not looked for otherwise', async () => {
    await using bench = await startBench(pages);
    await reading(bench.options, ({ reader }) => reader.list(listEventStreams, {}));
    expect(bench.events.map(({ type }) => type)).toEqual(['page', 'page']);
  });

  test('do not include any field of any form of a policy', async () => {
    const dates = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
    const redirect = { action: 'redirect', limit: 1, redirect_uri: 'https://a.example/' };
    const policies = [
      policy(1),
      { ...policy(2), ...dates, configuration: { action: 'allow' } },
      { ...policy(3), configuration: redirect },
    ];
    await using bench = await startBench([{ body: policyPage(policies) }], { debug: true });
    expect(await reading(bench.options, ({ reader }) => reader.list(listRateLimitPolicies, {}))).toEqual({
      ok: true,
      items: policies,
    });
    expect(bench.events.map(({ type }) => type)).toEqual(['page']);
  });
});
