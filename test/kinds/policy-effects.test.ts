// What consumers fall back to when policies go, and changes of limits that reviewers need to see.
import { describe, expect, test } from 'vitest';
import { rateLimitPolicies } from '../../src/kinds/rate-limit-policies/index.ts';
import type { Configuration, LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { effectsOf } from '../support/effects-of.ts';

const allow: Configuration = { action: 'allow' };
const block = (limit: number): Configuration => ({ action: 'block', limit });
const log = (limit: number): Configuration => ({ action: 'log', limit });
const redirect = (limit: number, host = 'acme.example'): Configuration => ({
  action: 'redirect',
  limit,
  redirect_uri: `https://user:pass@${host}/busy?token=t`,
});

type Policies = Readonly<Record<string, Configuration>>;
const identity = { resource: 'oauth_authentication_api', consumer: 'client' } as const;
const prefix = 'oauth_authentication_api/client/';

const live = (policies: Policies): LivePolicy[] =>
  Object.entries(policies).map(([consumer_selector, configuration], index) => ({
    id: `rlp_${index}`,
    ...identity,
    consumer_selector,
    configuration,
  }));

/** `CODE severity selector: message` */
function effects(before: Policies, after: Policies, about = {}): string[] {
  const desired = Object.entries(after).map(
    ([consumer_selector, configuration]) =>
      [`${prefix}${consumer_selector}`, { ...identity, consumer_selector, configuration }] as const,
  );
  return effectsOf(rateLimitPolicies, desired, live(before), about).map(
    ({ code, severity, key, message }) => `${code} ${severity} ${key.slice(prefix.length)}: ${message}`,
  );
}

const undocumented = 'without a policy, what applies is not documented';

describe('a policy that is deleted', () => {
  test.each<readonly [string, Policies, Policies, readonly string[]]>([
    [
      'a client falls back to default',
      { 'client_id:old': allow, default: block(100) },
      { default: block(100) },
      ['client_id:old: falls back to default: block above 100/s (now: allow)'],
    ],
    [
      'default is as the plan leaves it',
      { 'client_id:old': allow, default: log(5) },
      { default: block(7) },
      ['client_id:old: falls back to default: block above 7/s (now: allow)'],
    ],
    [
      'default is created by the plan',
      { 'client_id:old': allow },
      { default: block(7) },
      ['client_id:old: falls back to default: block above 7/s (now: allow)'],
    ],
    [
      'a third-party client falls back to its group',
      { 'client_id:tpa_1': allow, third_party_clients: block(3), cimd_clients: block(4), default: block(5) },
      { third_party_clients: block(3), cimd_clients: block(4), default: block(5) },
      ['client_id:tpa_1: falls back to third_party_clients: block above 3/s (now: allow)'],
    ],
    [
      'a CIMD client falls back to its own group only',
      { 'client_id:https://a.example/c': allow, third_party_clients: block(3), default: block(5) },
      { third_party_clients: block(3), default: block(5) },
      ['client_id:https://a.example/c: falls back to default: block above 5/s (now: allow)'],
    ],
    [
      'a group that goes as well is skipped',
      { 'client_id:https://a.example/c': block(1), cimd_clients: block(4), default: allow },
      { default: allow },
      [
        'client_id:https://a.example/c: falls back to default: allow (now: block above 1/s)',
        'cimd_clients: falls back to default: allow (now: block above 4/s)',
      ],
    ],
    [
      'without a default',
      { 'client_id:old': allow, 'client_id:b': allow },
      { 'client_id:b': allow },
      [`client_id:old: has no policy left: ${undocumented} (now: allow)`],
    ],
    [
      'a selector without a documented order',
      { something_new: allow, default: allow },
      { default: allow },
      ['something_new: has no policy left: the order of policies is not documented for this selector (now: allow)'],
    ],
  ])('%s', (_name, before, after, expected) => {
    const found = effects(before, after).filter((text) => text.startsWith('POLICY_FALLBACK'));
    expect(found.sort()).toEqual(expected.map((text) => `POLICY_FALLBACK warning ${text}`).sort());
  });

  test('falls back to the same values: a note', () => {
    expect(effects({ 'client_id:a': block(9), default: block(9) }, { default: block(9) })).toEqual([
      'POLICY_FALLBACK note client_id:a: falls back to default, which is the same: block above 9/s',
    ]);
  });

  test('of two equal ones, one stays', () => {
    const twice = [...live({ default: allow }), { ...live({ default: allow })[0], id: 'rlp_9' }];
    const desired = [
      [`${prefix}default`, { ...identity, consumer_selector: 'default', configuration: allow }],
    ] as const;
    expect(effectsOf(rateLimitPolicies, desired, twice)).toEqual([]);
  });

  test('falls back to several, of which none is known to apply', () => {
    const items = [
      ...live({ 'client_id:old': allow, default: block(1) }),
      { ...(live({ default: block(2) })[0] as LivePolicy), id: 'rlp_9' },
    ];
    // Neither is as declared, so both stay.
    const desired = [
      [`${prefix}default`, { ...identity, consumer_selector: 'default', configuration: allow }],
    ] as const;
    expect(effectsOf(rateLimitPolicies, desired, items).map(({ message }) => message)).toEqual([
      'has no policy left: 2 policies have the selector default; which of them applies is not documented (now: allow)',
    ]);
  });

  test('falls back to a policy that was read beside it', () => {
    const [old, next] = live({ 'client_id:old': allow, default: log(1) });
    const filtered = { live: { readable: true, items: [old], beside: [next], filtered: true } };
    expect(effects({}, {}, filtered)).toEqual([
      'POLICY_FALLBACK warning client_id:old: falls back to default: log above 1/s (now: allow)',
    ]);
  });
});

describe('a policy that is created', () => {
  test.each<readonly [string, Configuration, Configuration, string]>([
    ['client_id:a', log(9), block(50), 'warning KEY: blocks requests above 50/s and OVER log above 9/s'],
    ['client_id:a', allow, redirect(1), 'warning KEY: redirects requests above 1/s and OVER allow'],
    ['client_id:a', block(100), block(99), 'warning KEY: blocks requests above 99/s and OVER block above 100/s'],
    ['client_id:a', block(9), block(10), 'note KEY: OVER block above 9/s'],
    ['client_id:a', block(9), block(9), 'note KEY: OVER block above 9/s'],
    ['client_id:a', block(9), log(1), 'note KEY: OVER block above 9/s'],
    ['client_id:a', allow, log(1), 'note KEY: OVER allow'],
    ['cimd_clients', block(100), block(1), 'warning KEY: blocks requests above 1/s and OVER block above 100/s'],
    ['cimd_clients', block(100), block(1000), 'note KEY: OVER block above 100/s'],
  ])('%s takes precedence over %o with %o', (selector, now, created, expected) => {
    const text = expected.replace('KEY', selector).replace('OVER', 'takes precedence over default:');
    expect(effects({ default: now }, { default: now, [selector]: created })).toContain(`POLICY_PRECEDES ${text}`);
  });

  test('limits clients that no policy limits now', () => {
    expect(effects({}, { default: block(1) })).toEqual([
      `POLICY_STARTS_LIMITING warning default: blocks requests above 1/s; ${undocumented}`,
    ]);
    expect(effects({ 'client_id:a': allow }, { 'client_id:a': allow, default: log(1) })).toEqual([]);
    expect(effects({ default: log(9) }, { default: log(9), third_party_clients: redirect(1) })).toEqual([
      'POLICY_PRECEDES warning third_party_clients: redirects requests above 1/s and takes precedence over default: log above 9/s',
    ]);
  });
});

test('default is deleted', () => {
  expect(effects({ default: block(5), 'client_id:a': allow }, { 'client_id:a': allow })).toEqual([
    'POLICY_FALLBACK warning default: has no policy left: without a policy, what applies is not documented (now: block above 5/s)',
  ]);
});

describe('a policy that changes', () => {
  const unlisted = 'requests above 50/s';
  test.each<readonly [string, Configuration, Configuration, readonly string[]]>([
    [
      'log to block',
      log(50),
      block(50),
      [`POLICY_STARTS_LIMITING warning blocks ${unlisted}; they are only logged now`],
    ],
    ['allow to block', allow, block(50), [`POLICY_STARTS_LIMITING warning blocks ${unlisted}; they are allowed now`]],
    [
      'log to redirect',
      log(50),
      redirect(50),
      [`POLICY_STARTS_LIMITING warning redirects ${unlisted}; they are only logged now`],
    ],
    ['block to log', block(50), log(50), []],
    ['block to allow', block(0), allow, []],
    ['log to the limit 0', log(50), block(0), ['POLICY_LIMIT_ZERO critical blocks every request: the limit is 0']],
    ['half the limit', block(100), block(50), ['POLICY_LIMIT_CUT warning lowers its limit from 100/s to 50/s']],
    ['a little less', block(99), block(98), ['POLICY_LIMIT_CUT warning lowers its limit from 99/s to 98/s']],
    ['more', block(98), block(99), []],
    ['a lower limit that is only logged', log(100), log(1), []],
    ['the limit 0', block(100), block(0), ['POLICY_LIMIT_ZERO critical blocks every request: the limit is 0']],
    [
      'the limit 0, redirected',
      redirect(9),
      redirect(0),
      ['POLICY_LIMIT_ZERO critical redirects every request: the limit is 0'],
    ],
    [
      'the limit 0, no longer redirected',
      redirect(0),
      block(0),
      ['POLICY_LIMIT_ZERO critical blocks every request: the limit is 0'],
    ],
    ['the limit 0 as before', block(0), block(0), []],
    ['the limit 0 that is only logged', log(100), log(0), []],
    [
      'another host',
      redirect(9),
      redirect(9, 'evil.example'),
      ['POLICY_REDIRECT_HOST warning redirects requests to evil.example (now: acme.example)'],
    ],
    ['a redirect for the first time', block(9), redirect(9, 'other.example'), []],
  ])('%s', (_name, before, after, expected) => {
    expect(effects({ default: before }, { default: after })).toEqual(
      expected.map((text) => text.replace(/ (critical|warning|note) /, ' $1 default: ')),
    );
  });

  test('or is created with the limit 0', () => {
    expect(effects({ default: allow }, { default: allow, 'client_id:a': block(0) })).toEqual([
      'POLICY_PRECEDES warning client_id:a: blocks requests above 0/s and takes precedence over default: allow',
      'POLICY_LIMIT_ZERO critical client_id:a: blocks every request: the limit is 0',
    ]);
  });
});
