// Policies that files declare by the names of their clients: what applies instead, what waits for what, and what is read of them.
import { expect, test } from 'vitest';
import { rateLimitPolicies as kind } from '../../src/kinds/rate-limit-policies/index.ts';
import { type Named, type Names, noNames } from '../../src/model/names.ts';
import type { Reader } from '../../src/model/reader.ts';
import type {
  Configuration,
  CreatePolicyBody as Policy,
} from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

const prefix = 'oauth_authentication_api/client/';
const block = (limit: number): Configuration => ({ action: 'block', limit });
const live = (selector: string, limit: number) =>
  buildLivePolicy({ id: `rlp_${selector}`, consumer_selector: selector, configuration: block(limit) });
const declared = (selector: string, limit: number): readonly [string, Policy] => [
  prefix + selector,
  {
    resource: 'oauth_authentication_api',
    consumer: 'client',
    consumer_selector: selector,
    configuration: block(limit),
  },
];

/** Web is c1, the partner is tpa_1, New is about to be created. */
const ids: Readonly<Record<string, string>> = { Web: 'c1', Partner: 'tpa_1' };
const names: Names = {
  ...noNames,
  find: (_to, name): Named => {
    if (name === 'New') return { is: 'new', action: 'clients/New', reference: '{result:clients/New:client_id}' };
    return ids[name] === undefined ? { is: 'unknown' } : { is: 'live', id: ids[name] };
  },
  nameOf: (_to, id) => Object.keys(ids).find((name) => ids[name] === id) ?? `id:${id}`,
};

function decided(before: ReturnType<typeof live>[], after: ReturnType<typeof declared>[], own: readonly string[] = []) {
  const decision = kind.decide({
    ...{ desired: desiredSection(after), live: { readable: true, filtered: false, items: before } },
    ...{ keep: keepNothing, api: 'full', rotate: new Set(), names },
    own: { clients: own.map((id) => ({ id, name: id })), apis: [] },
  });
  const effectsOf = decision.effectsOf?.(decision);
  return {
    ...decision,
    effects: decision.actions.flatMap((action) =>
      (effectsOf?.(action) ?? []).map(({ code, key, message }) => `${code} ${key.replace(prefix, '')}: ${message}`),
    ),
    locked: (decision.lockedOut?.(decision.actions, () => []) ?? []).map(({ why, causes }) => [
      why,
      ...causes.map(({ key }) => key.replace(prefix, '')),
    ]),
  };
}

test('what applies instead of one follows from the id of its client', () => {
  const before = [live('client_id:tpa_1', 5), live('third_party_clients', 50), live('default', 100)];
  const groups = [declared('third_party_clients', 50), declared('default', 100)];
  expect(decided(before, groups).effects).toEqual([
    'POLICY_FALLBACK client:Partner: falls back to third_party_clients: block above 50/s (now: block above 5/s)',
  ]);
  expect(decided(before.slice(1), [declared('client:Partner', 5), ...groups]).effects).toEqual([
    'POLICY_PRECEDES client:Partner: blocks requests above 5/s and takes precedence over third_party_clients: block above 50/s',
  ]);
});

test('a tighter limit of all waits for the policy of one client', () => {
  const { links } = decided([live('default', 100)], [declared('client:Web', 90), declared('default', 10)]);
  const token = `a policy before ${prefix}default`;
  expect(links).toEqual([
    expect.objectContaining({
      id: `rate_limit_policies/${prefix}client:Web`,
      provides: expect.arrayContaining([token]),
    }),
    expect.objectContaining({ id: `rate_limit_policies/${prefix}default`, after: [token] }),
  ]);
});

test('a client of this tool is the one of the name', () => {
  const { locked, effects } = decided([live('client_id:c1', 9)], [declared('client:Web', 0)], ['c1']);
  expect(locked).toEqual([['the limit of client:Web is 0', 'client:Web']]);
  expect(effects.at(-1)).toBe(
    'POLICY_OWN_CLIENT client:Web: limits c1, a client of this tool: client:Web has block above 0/s (now: block above 9/s)',
  );
  expect(decided([], [declared('client:New', 0)], ['c1']).locked).toEqual([]);
});

test('the request of a new client has its id as soon as it is known', () => {
  const { actions } = decided([], [declared('client:New', 5)]);
  expect(actions).toMatchObject([
    {
      needs: ['clients/New'],
      request: { body: { consumer_selector: 'client_id:{result:clients/New:client_id}', configuration: block(5) } },
    },
  ]);
});

test('one is read by the filter for its client, and none of a client that is not there', async () => {
  const all = [live('client_id:c1', 5), live('default', 100)];
  const read = async (...selectors: readonly string[]) => {
    const asked: unknown[] = [];
    const list = async (_operation: unknown, query: { readonly consumer_selector?: string }) => {
      asked.push(query.consumer_selector ?? 'all');
      return { ok: true, items: all.filter((one) => one.consumer_selector === query.consumer_selector) };
    };
    const desired = desiredSection(selectors.map((selector) => declared(selector, 5)));
    const ask = { desired, only: selectors.map((one) => prefix + one), keep: keepNothing, names };
    const state = await kind.reading?.read(snapshotOf({ list } as unknown as Reader), ask);
    return { asked, found: state?.readable ? state.items.map((one) => one.consumer_selector) : null };
  };
  expect(await read('client:Web')).toEqual({ asked: ['client_id:c1'], found: ['client_id:c1'] });
  // What it takes precedence over.
  expect(await read('client:New')).toEqual({ asked: ['default'], found: [] });
});
