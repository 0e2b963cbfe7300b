import { readFileSync } from 'node:fs';
import { expect, describe as group, test } from 'vitest';
import { rateLimitPolicies as kind } from '../../src/kinds/rate-limit-policies/index.ts';
import type { KeepRules } from '../../src/model/kind.ts';
import type { ApiLevel } from '../../src/model/operation.ts';
import type { Action, Finding } from '../../src/model/plan.generated.ts';
import type { LiveState, Reader, Unreadable } from '../../src/model/reader.ts';
import type {
  Configuration,
  LivePolicy,
  CreatePolicyBody as Policy,
} from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildAction, deletePolicy, someState } from '../support/build-action.ts';
import { buildPopulation } from '../support/build-decision.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { buildFinding } from '../support/build-plan.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

const triple = { resource: 'oauth_authentication_api', consumer: 'client' } as const;
const block = (limit: number): Configuration => ({ action: 'block', limit });
const keyOf = (selector: string) => `oauth_authentication_api/client/${selector}`;

function declared(selector: string, configuration: Configuration = block(100)): readonly [string, Policy] {
  return [keyOf(selector), { ...triple, consumer_selector: selector, configuration }];
}

function live(id: string, selector: string, configuration: Configuration = block(100)): LivePolicy {
  return buildLivePolicy({ id, consumer_selector: selector, configuration, updated_at: '2026-07-06T10:24:38.766279Z' });
}

function deletion(item: LivePolicy, about: Partial<Action> = {}): Action {
  return deletePolicy(item.consumer_selector, item.id, { before: { ...item }, precondition: someState, ...about });
}

function finding(code: Finding['code'], selector: string, about: Partial<Finding>): Finding {
  return buildFinding(code, { key: keyOf(selector), message: expect.any(String), ...about });
}

interface Row {
  readonly name: string;
  /** Default: documented, in which nothing creates or changes a policy. */
  readonly api?: ApiLevel;
  readonly desired: readonly (readonly [string, Policy])[];
  readonly live: readonly LivePolicy[];
  readonly keep?: KeepRules;
  readonly actions?: readonly Action[];
  readonly findings?: readonly Finding[];
}

const first = { file: 'files.yaml', line: 2, column: 1 };
const surplus = live('rlp_2', 'default', block(7));

const rows: readonly Row[] = [
  { name: 'nothing on either side', desired: [], live: [] },
  { name: 'equal sides', desired: [declared('default')], live: [live('rlp_1', 'default')] },
  {
    name: 'undeclared is deleted',
    desired: [declared('default')],
    live: [live('rlp_1', 'default'), live('rlp_2', 'cimd_clients')],
    actions: [deletion(live('rlp_2', 'cimd_clients'))],
  },
  {
    name: 'declared but missing is a finding at its place',
    desired: [declared('default')],
    live: [],
    findings: [finding('LIVE_MISSING', 'default', { source: first })],
  },
  {
    name: 'declared but different names the fields, before and after',
    desired: [declared('default', { action: 'redirect', limit: 5, redirect_uri: 'https://acme.example/busy' })],
    live: [live('rlp_1', 'default', block(7))],
    findings: [
      finding('LIVE_DIFFERENT', 'default', {
        source: first,
        changes: [
          { field: 'configuration.action', before: 'block', after: 'redirect' },
          { field: 'configuration.limit', before: 7, after: 5 },
          { field: 'configuration.redirect_uri', after: 'https://acme.example/busy' },
        ],
      }),
    ],
  },
  {
    name: 'a form with fewer fields differs by its action',
    desired: [declared('default', { action: 'allow' })],
    live: [live('rlp_1', 'default')],
    findings: [
      finding('LIVE_DIFFERENT', 'default', {
        source: first,
        changes: [{ field: 'configuration.action', before: 'block', after: 'allow' }],
      }),
    ],
  },
  {
    name: 'of duplicates the one that equals the declared stays',
    desired: [declared('default')],
    live: [surplus, live('rlp_1', 'default'), live('rlp_3', 'default')],
    actions: [
      deletion(surplus, { part: 'rlp_2', reason: 'duplicate', source: first }),
      deletion(live('rlp_3', 'default'), {
        part: 'rlp_3',
        reason: 'duplicate',
        source: first,
      }),
    ],
  },
  {
    name: 'of duplicates none of which equals the declared none is deleted',
    desired: [declared('default')],
    live: [live('rlp_9', 'default', block(9)), surplus],
    findings: [
      finding('LIVE_DUPLICATE', 'default', { source: first, message: expect.stringContaining('rlp_2, rlp_9') }),
    ],
  },
  {
    name: 'undeclared duplicates are all deleted, each with an id of its own',
    desired: [],
    live: [live('rlp_1', 'default'), surplus],
    actions: [deletion(live('rlp_1', 'default'), { part: 'rlp_1' }), deletion(surplus, { part: 'rlp_2' })],
  },
  {
    name: 'undeclared: report turns deletions into findings',
    desired: [],
    live: [surplus],
    keep: keeping({ undeclared: 'report' }),
    findings: [finding('LIVE_UNDECLARED', 'default', {})],
  },
  {
    name: 'undeclared: ignore says nothing',
    desired: [],
    live: [surplus],
    keep: keeping({ undeclared: 'ignore' }),
  },
  {
    name: 'an id that is longer than the specification allows is in no path',
    api: 'full',
    desired: [declared('default', block(1))],
    live: [live('x'.repeat(27), 'default', block(7)), live('y'.repeat(27), 'cimd_clients')],
    findings: [
      finding('LIVE_DIFFERENT', 'default', {
        source: first,
        message:
          'differs from the files; its id is longer than the 26 characters that the service specification allows',
        changes: [{ field: 'configuration.limit', before: 7, after: 1 }],
      }),
      finding('LIVE_UNDELETABLE', 'cimd_clients', {}),
    ],
  },
  {
    name: 'a protected selector is kept and named',
    desired: [],
    live: [surplus, live('rlp_1', 'cimd_clients')],
    keep: keeping({ isProtected: (name) => name === 'default' }),
    actions: [deletion(live('rlp_1', 'cimd_clients'))],
    findings: [finding('LIVE_PROTECTED', 'default', {})],
  },
  {
    name: 'full: a missing one is created',
    api: 'full',
    desired: [declared('default')],
    live: [],
    actions: [
      buildAction({
        kind: 'rate_limit_policies',
        key: keyOf('default'),
        action: 'create',
        reason: 'missing',
        request: {
          operation: 'create_rate_limit_policy',
          method: 'POST',
          path: '/rate-limit-policies',
          body: { ...declared('default')[1] },
        },
        before: null,
        after: { ...declared('default')[1] },
        source: first,
      }),
    ],
  },
  {
    name: 'full: a different one is patched with its whole configuration and nothing else',
    api: 'full',
    desired: [declared('default', { action: 'redirect', limit: 5, redirect_uri: 'https://a.example/' })],
    live: [live('rlp_1', 'default', block(100))],
    actions: [
      buildAction({
        kind: 'rate_limit_policies',
        key: keyOf('default'),
        action: 'update',
        reason: 'different',
        request: {
          operation: 'update_rate_limit_policy',
          method: 'PATCH',
          path: '/rate-limit-policies/rlp_1',
          body: { configuration: { action: 'redirect', limit: 5, redirect_uri: 'https://a.example/' } },
        },
        before: { ...live('rlp_1', 'default', block(100)) },
        after: { ...declared('default', { action: 'redirect', limit: 5, redirect_uri: 'https://a.example/' })[1] },
        changes: [
          { field: 'configuration.action', before: 'block', after: 'redirect' },
          { field: 'configuration.limit', before: 100, after: 5 },
          { field: 'configuration.redirect_uri', after: 'https://a.example/' },
        ],
        precondition: someState,
        source: first,
      }),
    ],
  },
  {
    name: 'full: a changed selector is another identity',
    api: 'full',
    desired: [declared('client_id:new')],
    live: [live('rlp_1', 'client_id:old')],
    actions: [
      expect.objectContaining({ action: 'create', key: keyOf('client_id:new') }) as Action,
      deletion(live('rlp_1', 'client_id:old')),
    ],
  },
];

group('decide', () => {
  test.each(rows)(
    '$name',
    ({ api = 'documented', desired, live: items, keep = keepNothing, actions = [], findings = [] }) => {
      const {
        effectsOf: _effectsOf,
        lockedOut: _lockedOut,
        ...decision
      } = kind.decide({
        desired: desiredSection(desired),
        live: { readable: true, items, filtered: false },
        keep,
        api,
        rotate: new Set(),
      });
      expect(decision).toEqual({
        kind: 'rate_limit_policies',
        actions,
        findings,
        losses: decision.actions
          .filter(({ action }) => action === 'delete')
          .map(({ id, key, before }) => ({
            id,
            item: `rate_limit_policies/${key}#${before?.['id']}`,
          })),
        asked: [],
        gains: decision.actions.filter(({ action }) => action === 'create').map(({ id }) => id),
        unreadable: null,
        population: buildPopulation({ declared: desired.length, live: expect.any(Array) }),
        names: null,
      });
    },
  );

  test('an unreadable kind is one finding and no action', () => {
    const why: Unreadable = {
      readable: false,
      structural: false,
      code: 'LIVE_SCOPE_MISSING',
      message: 'the token lacks read:rate_limit_policies',
    };
    const decision = kind.decide({
      desired: desiredSection([declared('default')]),
      live: why,
      keep: keepNothing,
      api: 'full',
      rotate: new Set(),
    });
    expect(decision).toEqual({
      kind: 'rate_limit_policies',
      actions: [],
      findings: [
        buildFinding('LIVE_SCOPE_MISSING', {
          key: '*',
          message: why.message,
          source: { file: 'files.yaml', line: 1, column: 1 },
        }),
      ],
      losses: [],
      asked: [],
      gains: [],
      unreadable: why,
      population: buildPopulation({ live: [] }),
      names: null,
    });
  });
});

group('read', () => {
  async function readWith(
    only: string | null,
  ): Promise<{ readonly query: unknown; readonly state: LiveState<LivePolicy> | undefined }> {
    let query: unknown;
    const reader: Reader = {
      list: async (_operation, asked) => {
        query ??= asked;
        return { ok: true, items: [] };
      },
      get: neverRead,
      count: neverRead,
    };
    return {
      state: await kind.reading?.read(snapshotOf(reader), {
        desired: desiredSection([]),
        only: only === null ? null : [only],
        keep: keepNothing,
      }),
      query,
    };
  }

  test('asks for everything when nothing is selected', async () => {
    expect(await readWith(null)).toEqual({ query: {}, state: { readable: true, items: [], filtered: false } });
  });

  test('asks for one identity by the filters of the listing', async () => {
    const query = { ...triple, consumer_selector: 'client_id:https://a.example/x/y' };
    expect(await readWith(keyOf('client_id:https://a.example/x/y'))).toEqual({
      query,
      state: { readable: true, items: [], beside: [], filtered: true },
    });
  });

  test('a key that no policy can have is answered from the whole list', async () => {
    expect(await readWith('default')).toEqual({ query: {}, state: { readable: true, items: [], filtered: false } });
  });

  test('a failed listing is the reason, not a list', async () => {
    const why: Unreadable = {
      readable: false,
      structural: false,
      code: 'LIVE_LISTING_INCOMPLETE',
      message: 'page 2 answered 500',
    };
    const reader: Reader = {
      list: async () => ({ ok: false, why, status: 500, serviceMessage: null }),
      get: neverRead,
      count: neverRead,
    };
    expect(
      await kind.reading?.read(snapshotOf(reader), { desired: desiredSection([]), only: null, keep: keepNothing }),
    ).toEqual(why);
  });
});

async function neverRead(): Promise<never> {
  throw new Error('policies are listed');
}

test.each([
  [{ action: 'allow' }, 'allow'],
  [{ action: 'log', limit: 3 }, 'log above 3/s'],
  [{ action: 'redirect', limit: 0, redirect_uri: 'https://a.example/' }, 'redirect above 0/s to a.example'],
] as const)('describes %j', (configuration, summary) => {
  const item = live('rlp_1', 'default', configuration);
  expect(kind.describe(deletion(item))).toEqual({ summary });
  const changes = [{ field: 'configuration.limit', before: 1, after: 2 }];
  expect(kind.describe({ ...deletion(item), changes })).not.toHaveProperty('summary');
});

test.each([
  ['oauth_authentication_api/client/client_id:a/b', 'client_id:a/b'],
  ['oauth_authentication_api/client/', 'oauth_authentication_api/client/'],
  ['other_api/client/default', 'other_api/client/default'],
])('the short name of %s', (key, name) => {
  expect(kind.shortKey?.(key)).toBe(name);
  expect(kind.completeKey?.(name)).toBe(key);
});

test.each([
  ['default', 'oauth_authentication_api/client/default'],
  ['client_id:https://a.example/*', 'oauth_authentication_api/client/client_id:https://a.example/*'],
  ['Web shop (client_id:5Fj1)', 'oauth_authentication_api/client/client_id:5Fj1'],
  ['client_id:*', 'oauth_authentication_api/client/client_id:*'],
  ['client*', 'oauth_authentication_api/client/client*'],
  ['*', '*'],
  ['*default', '*default'],
  ['*/default', '*/default'],
  ['oauth*', 'oauth*'],
  ['oauth_*/client/default', 'oauth_*/client/default'],
  ['oauth_authentication_api/client/x*', 'oauth_authentication_api/client/x*'],
  ['other_api/client/client_id:a/b', 'other_api/client/client_id:a/b'],
])('the pattern %s of names or keys means the keys %s', (pattern, key) => {
  expect(kind.completeKey?.(pattern)).toBe(key);
});

test('fields that are left out have the values that the schema shows as defaults', () => {
  const path = new URL('../../schemas/rate-limit-policies.schema.json', import.meta.url);
  const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly $defs: {
      readonly declared: { readonly properties: Readonly<Record<string, { readonly default?: string }>> };
    };
  };
  const { resource, consumer } = $defs.declared.properties;
  const item = { consumer_selector: 'default', configuration: { action: 'allow' } };
  expect(kind.canonical?.(item).value).toEqual({ resource: resource?.default, consumer: consumer?.default, ...item });
  expect(kind.keyOf(item, '')).toBe(keyOf('default'));
});
