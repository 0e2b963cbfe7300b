// Lists of several pages that others change while they are read.
import { describe, expect, test } from 'vitest';
import { plan } from '../../src/sync/index.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { memorySource } from '../support/memory-source.ts';
import { type MovingItem, type MovingOptions, startMovingTenant } from '../support/moving-tenant.ts';

interface Section {
  readonly kind: string;
  readonly listing: Pick<MovingOptions, 'path' | 'items'>;
  /** A live item, and how files declare it. */
  live(name: string, id: string): MovingItem;
  declared(name: string): string;
  key(name: string): string;
}

const policies: Section = {
  kind: 'rate_limit_policies',
  listing: { path: '/rate-limit-policies', items: 'rate_limit_policies' },
  live: (name, id) => ({ ...buildLivePolicy({ consumer_selector: `client_id:${name}` }), id }),
  declared: (name) =>
    `  - { resource: oauth_authentication_api, consumer: client, consumer_selector: "client_id:${name}", configuration: { action: block, limit: 100 } }`,
  key: (name) => `oauth_authentication_api/client/client_id:${name}`,
};

const streams: Section = {
  kind: 'event_streams',
  listing: { path: '/event-streams', items: 'eventStreams' },
  live: (name, id) => ({
    id,
    name,
    subscriptions: [{ event_type: 'user.created' }],
    destination: { type: 'action', configuration: { action_id: 'act_1' } },
  }),
  declared: (name) =>
    `  - { name: ${name}, subscriptions: [{ event_type: user.created }], destination: { type: action, configuration: { action_id: act_1 } } }`,
  key: (name) => name,
};

interface Case {
  readonly section: Section;
  readonly api?: 'documented' | 'full';
  readonly declared: readonly string[];
  readonly live: readonly MovingItem[];
  readonly pageLength?: number;
  readonly change?: MovingOptions['change'];
  readonly only?: readonly string[];
}

async function planOver({ section, api = 'full', declared, live, pageLength = 2, change, only = [] }: Case) {
  const options = { ...section.listing, pageLength, ...(change !== undefined && { change }) };
  await using tenant = await startMovingTenant(live, options);
  const yaml = [`tenant: { api: ${api} }`, `${section.kind}:`, ...declared.map((name) => section.declared(name))];
  const result = await plan({
    files: memorySource({ 'tenant.yaml': `${yaml.join('\n')}\n` }),
    tenant: { baseUrl: tenant.server.baseUrl, credentials: { token: 'e30.e30.c2ln' } },
    selection: { only: [...only], except: [], rotate: [] },
  });
  if (!('plan' in result)) throw new Error(JSON.stringify(result));
  return {
    actions: result.plan.actions.map(({ action, request }) => `${action} ${request.path}`),
    findings: result.plan.findings.map(({ code }) => code),
    complete: result.plan.complete,
    // Names of clients are read once, when the plan is complete.
    paths: tenant.paths().filter((path) => !path.startsWith('/clients/')),
  };
}

const replace = (items: MovingItem[], id: string, ...by: MovingItem[]) => {
  const at = items.findIndex((item) => item.id === id);
  if (at >= 0) items.splice(at, 1, ...by);
};

describe.each([
  ['rate_limit_policies', 'documented', policies],
  ['rate_limit_policies', 'full', policies],
  ['event_streams', 'documented', streams],
  ['event_streams', 'full', streams],
] as const)('%s with api: %s', (_kind, api, section) => {
  const { live } = section;
  const others = [live('b', 'est_2'), live('c', 'est_3'), live('d', 'est_4')];

  test('a declared item that is created again on a later page is not deleted', async () => {
    const { actions, findings, complete } = await planOver({
      section,
      api,
      declared: ['a', 'b', 'c', 'd'],
      live: [live('a', 'est_1'), ...others],
      change: (items, responses) => {
        if (responses === 1) replace(items, 'est_1', live('a', 'est_9'));
      },
    });
    expect({ actions, findings, complete }).toEqual({ actions: [], findings: [], complete: true });
  });

  test('a declared item that is created again on an earlier page is neither created nor missing', async () => {
    const { actions, findings, complete } = await planOver({
      section,
      api,
      declared: ['a', 'b', 'c', 'd'],
      live: [...others, live('a', 'est_9')],
      change: (items, responses) => {
        if (responses === 1) replace(items, 'est_9', live('a', 'est_1'));
      },
    });
    expect({ actions, findings, complete }).toEqual({ actions: [], findings: [], complete: true });
  });

  test('a list that moves with every response is not known', async () => {
    const { actions, findings, complete } = await planOver({
      section,
      api,
      declared: ['b', 'c', 'd'],
      live: [...others, live('a', 'est_5')],
      change: (items, responses) => {
        const old = items.find(({ id }) => id >= 'est_5')?.id ?? '';
        replace(items, old, live('a', `est_5${String.fromCharCode(97 + responses)}`));
        const first = items.find(({ id }) => id < 'est_2')?.id;
        if (first === undefined) items.push(live('e', 'est_1'));
        else replace(items, first);
      },
    });
    expect(actions.filter((action) => action.startsWith('delete'))).toEqual([]);
    // A stream is read again by its id, which is gone, so nothing is concluded about it.
    if (section === policies)
      expect({ findings, complete }).toEqual({ findings: ['LIVE_LISTING_INCOMPLETE'], complete: false });
  });
});

describe('a duplicate needs both ids twice', () => {
  const { live } = policies;
  const items = [live('a', 'r1'), live('b', 'r2'), live('c', 'r3'), live('a', 'r9')];

  test('then the one with the larger id is deleted', async () => {
    const { actions, findings } = await planOver({ section: policies, declared: ['a', 'b', 'c'], live: items });
    expect({ actions, findings }).toEqual({ actions: ['delete /rate-limit-policies/r9'], findings: [] });
  });

  test.each(['r1', 'r9'])('%s, which is gone in the second reading, leaves one item', async (gone) => {
    const { actions, findings } = await planOver({
      section: policies,
      declared: ['a', 'b', 'c'],
      live: items,
      change: (now, responses) => {
        if (responses === 2) replace(now, gone);
      },
    });
    expect({ actions, findings }).toEqual({ actions: [], findings: [] });
  });

  test('none of two that differ is reported if one of them is gone', async () => {
    const configuration = { action: 'log', limit: 1 };
    const { actions, findings } = await planOver({
      section: policies,
      declared: ['a', 'b', 'c'],
      live: [{ ...live('a', 'r1'), configuration }, ...items.slice(1, 3), { ...live('a', 'r9'), configuration }],
      change: (now, responses) => {
        if (responses === 2) replace(now, 'r1');
      },
    });
    expect({ actions, findings }).toEqual({ actions: ['update /rate-limit-policies/r9'], findings: [] });
  });
});

describe('requests', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const live = (section: Section) => names.map((name) => section.live(name, `est_${name}`));
  const without = (...gone: string[]) => names.filter((name) => !gone.includes(name));

  test('one page is one moment, and is read once', async () => {
    const { actions, paths } = await planOver({
      section: policies,
      declared: without('a'),
      live: live(policies),
      pageLength: 6,
    });
    expect({ actions, requests: paths.length }).toEqual({
      actions: ['delete /rate-limit-policies/est_a'],
      requests: 1,
    });
  });

  test('several pages without a conclusion are read once', async () => {
    const { paths } = await planOver({ section: policies, declared: names, live: live(policies) });
    expect(paths).toHaveLength(3);
  });

  test('policies are read again by identity, if that takes fewer requests', async () => {
    const { actions, paths } = await planOver({
      section: policies,
      declared: [...without('a'), 'x'],
      live: live(policies),
    });
    expect(actions).toHaveLength(2);
    expect(paths).toHaveLength(3 + 2);
    expect(paths.slice(3).map((path) => new URL(path, 'http://x').searchParams.get('consumer_selector'))).toEqual([
      'client_id:a',
      'client_id:x',
    ]);
    const many = await planOver({ section: policies, declared: without('a', 'b', 'c'), live: live(policies) });
    expect(many.paths).toHaveLength(3 + 3);
    expect(many.actions).toHaveLength(3);
  });

  test('streams are read again by id, unless one is missing', async () => {
    const { actions, paths } = await planOver({ section: streams, declared: without('a'), live: live(streams) });
    expect(actions).toEqual(['delete /event-streams/est_a']);
    expect(paths.slice(3)).toEqual(['/event-streams/est_a']);
    const withMissing = await planOver({ section: streams, declared: [...without('a'), 'x'], live: live(streams) });
    expect(withMissing.paths).toHaveLength(3 + 3);
    expect(withMissing.actions).toHaveLength(2);
  });

  test('an item that is not selected needs no second reading', async () => {
    const only = ['b', 'c'].map((name) => `rate_limit_policies/${policies.key(name)}`);
    const { actions, paths } = await planOver({
      section: policies,
      declared: without('a'),
      live: live(policies),
      only,
    });
    expect({ actions, requests: paths.length }).toEqual({ actions: [], requests: 3 });
  });
});
