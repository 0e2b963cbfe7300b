// Policies that apply to a client of this tool: which ones a plan changes for it, and whether it would still get a token.
import { describe, expect, test } from 'vitest';
import { rateLimitPolicies as kind } from '../../src/kinds/rate-limit-policies/index.ts';
import type { DecideInput } from '../../src/model/kind.ts';
import type {
  Configuration,
  LivePolicy,
  CreatePolicyBody as Policy,
} from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

const allow: Configuration = { action: 'allow' };
const block = (limit: number): Configuration => ({ action: 'block', limit });
const log = (limit: number): Configuration => ({ action: 'log', limit });

type Policies = Readonly<Record<string, Configuration>>;
const prefix = 'oauth_authentication_api/client/';
const own = { clients: [{ id: 'sync', name: 'tenant-sync' }], apis: [] };
const unreadable = { readable: false, structural: false, code: 'LIVE_UNREADABLE', message: 'not read' } as const;

function policies(these: Policies): LivePolicy[] {
  return Object.entries(these).map(([consumer_selector, configuration]) =>
    buildLivePolicy({ consumer_selector, configuration }),
  );
}

/** What happens to the clients of this tool; the plan leads from `before` to `after`. */
function decided(before: Policies, after: Policies, about: Partial<DecideInput<Policy, LivePolicy>> = {}) {
  const desired = policies(after).map(
    ({ id: _id, ...value }) => [`${prefix}${value.consumer_selector}`, value] as const,
  );
  const decision = kind.decide({
    desired: desiredSection(desired),
    live: { readable: true, items: policies(before), filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(),
    own,
    ...about,
  });
  const { actions } = decision;
  const effectsOfAction = decision.effectsOf?.(decision);
  const effects = actions.flatMap((action) => effectsOfAction?.(action) ?? []);
  const selectors = (causes: readonly { readonly key: string }[]) => causes.map(({ key }) => key.slice(prefix.length));
  return {
    limits: effects
      .filter(({ code }) => code === 'POLICY_OWN_CLIENT')
      .map(({ severity, key, message }) => `${severity} ${key.slice(prefix.length)}: ${message}`),
    lockedOut: (decision.lockedOut?.(actions, () => []) ?? []).map(
      ({ client, why, causes }) => `${client.name}: ${why}; ${selectors(causes).join(', ')}`,
    ),
  };
}

const limited = (text: string) => `limits tenant-sync, a client of this tool: ${text}`;
const of = (selector: string, text: string) => [`critical ${selector}: ${limited(text)}`];

describe('a client of this tool', () => {
  test.each<readonly [string, Policies, Policies, readonly string[]]>([
    [
      'its policy is tightened',
      { 'client_id:sync': block(9) },
      { 'client_id:sync': block(3) },
      of('client_id:sync', 'client_id:sync has block above 3/s (now: block above 9/s)'),
    ],
    [
      'it is limited for the first time',
      { 'client_id:sync': allow },
      { 'client_id:sync': block(3) },
      of('client_id:sync', 'client_id:sync has block above 3/s (now: allow)'),
    ],
    [
      'it gets a policy',
      {},
      { 'client_id:sync': block(3) },
      of('client_id:sync', 'client_id:sync has block above 3/s (now: no policy)'),
    ],
    ['its policy is widened', { 'client_id:sync': block(3) }, { 'client_id:sync': block(9) }, []],
    [
      'its limit stays',
      { 'client_id:sync': block(3) },
      { 'client_id:sync': { ...block(3), action: 'redirect', redirect_uri: 'https://a.example' } as Configuration },
      [],
    ],
    ['requests are only logged', { 'client_id:sync': allow }, { 'client_id:sync': log(1) }, []],
    [
      'it falls back to a tighter default',
      { 'client_id:sync': block(9), default: block(3) },
      { default: block(3) },
      of('client_id:sync', 'default has block above 3/s (now: block above 9/s)'),
    ],
    ['it falls back to a wider default', { 'client_id:sync': block(3), default: block(9) }, { default: block(9) }, []],
    [
      'default is tightened, and it has none of its own',
      { default: block(9) },
      { default: block(3) },
      of('default', 'default has block above 3/s (now: block above 9/s)'),
    ],
    [
      'default is tightened, and it has one of its own',
      { 'client_id:sync': block(9), default: block(9) },
      { 'client_id:sync': block(9), default: block(3) },
      [],
    ],
    [
      'both change, and the nearer one counts',
      { 'client_id:sync': block(9), default: block(9) },
      { 'client_id:sync': block(5), default: block(1) },
      of('client_id:sync', 'client_id:sync has block above 5/s (now: block above 9/s)'),
    ],
    [
      'its own goes and default is tightened',
      { 'client_id:sync': block(9), default: block(9) },
      { default: block(3) },
      of('default', 'default has block above 3/s (now: block above 9/s)'),
    ],
    ['its own and default go', { 'client_id:sync': block(9), default: block(3) }, {}, []],
    ['another client is limited', { 'client_id:other': block(9) }, { 'client_id:other': block(0) }, []],
    ['a group is limited that is not its own', { cimd_clients: block(9) }, { cimd_clients: block(0) }, []],
  ])('%s', (_name, before, after, expected) => {
    expect(decided(before, after).limits).toEqual(expected);
  });

  test.each<readonly [string, Policies, Policies, readonly string[]]>([
    [
      'its own limit is 0',
      { 'client_id:sync': block(9) },
      { 'client_id:sync': block(0) },
      ['tenant-sync: the limit of client_id:sync is 0; client_id:sync'],
    ],
    [
      'it falls back to 0',
      { 'client_id:sync': block(9), default: block(0) },
      { default: block(0) },
      ['tenant-sync: the limit of default is 0; client_id:sync'],
    ],
    [
      'its own goes and default becomes 0',
      { 'client_id:sync': block(9), default: block(9) },
      { default: block(0) },
      ['tenant-sync: the limit of default is 0; client_id:sync, default'],
    ],
    ['its limit is 1', { 'client_id:sync': block(9) }, { 'client_id:sync': block(1) }, []],
    ['0 is only logged', { 'client_id:sync': block(9) }, { 'client_id:sync': log(0) }, []],
    [
      'it was locked out before, and nothing about it changes',
      { default: block(0), 'client_id:other': block(1) },
      { default: block(0), 'client_id:other': block(2) },
      [],
    ],
  ])('is locked out: %s', (_name, before, after, expected) => {
    expect(decided(before, after).lockedOut).toEqual(expected);
  });

  test('policies that were read beside the selected ones count', () => {
    const live = { readable: true, items: policies({ 'client_id:sync': block(9) }), filtered: true } as const;
    const beside = policies({ default: block(0) });
    expect(decided({}, {}, { live }).lockedOut).toEqual([]);
    expect(decided({}, {}, { live: { ...live, beside } }).lockedOut).toEqual([
      'tenant-sync: the limit of default is 0; client_id:sync',
    ]);
  });

  test('two policies of one identity are both named, and the smallest limit counts', () => {
    const both = [...policies({ 'client_id:sync': block(9) }), ...policies({ default: block(7) })];
    const second = buildLivePolicy({ id: 'rlp_second', consumer_selector: 'default', configuration: block(2) });
    const live = { readable: true, items: [...both, second], filtered: false } as const;
    const kept = { ...keepNothing, isProtected: (name: string) => name === 'default' };
    expect(decided({}, {}, { live, keep: kept }).limits).toEqual(
      of('client_id:sync', 'default has block above 7/s or block above 2/s (now: block above 9/s)'),
    );
  });

  test('each of several clients is named, and the scheme of an id is the same in any case', () => {
    const [first, second] = [
      { id: 'https://sync.example', name: 'first' },
      { id: 'tpa_2', name: 'second' },
    ];
    const { lockedOut } = decided(
      { 'client_id:HTTPS://sync.example': block(9), third_party_clients: block(9) },
      { 'client_id:HTTPS://sync.example': block(0), third_party_clients: block(0) },
      { own: { clients: [first, second], apis: [] } },
    );
    expect(lockedOut).toEqual([
      'first: the limit of client_id:https://sync.example is 0; client_id:HTTPS://sync.example',
      'second: the limit of third_party_clients is 0; third_party_clients',
    ]);
  });

  test('nothing is said about policies that were not read', () => {
    expect(decided({}, { default: block(0) }, { live: unreadable })).toEqual({ limits: [], lockedOut: [] });
    expect(decided({}, { default: block(0) }, { own: { clients: [], apis: [] } })).toEqual({
      limits: [],
      lockedOut: [],
    });
  });
});
