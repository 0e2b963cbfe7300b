// Elements of sets that give access: who gains and who loses what, what a removal waits for, and what guards count.
import { describe, expect, test } from 'vitest';
import { openReliance } from '../../src/apply/reliance.ts';
import { describedKind } from '../../src/items/described-kind.ts';
import type { AnyKind, DecideInput, Decision } from '../../src/model/kind.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { linkKinds } from '../../src/plan/link-kinds.ts';
import { description as clientGrants } from '../../src/service/client-grants/description.generated.ts';
import { description as connections } from '../../src/service/connections/description.generated.ts';
import { names } from '../support/boats.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

const grants: AnyKind = describedKind(clientGrants);
const users: AnyKind = describedKind(connections);
const orders = 'https://orders.example/';

/** A grant of Ann (c1), or of another client. */
const grantOf = (client: string, scope: readonly string[], audience = orders) => ({
  ...{ client, audience, subject_type: 'client', scope },
});
const liveGrant = (client: string, scope: readonly string[], audience = orders) => ({
  id: `cgr_${client}_${audience}`,
  ...grantOf(client, scope, audience),
});

const allOf = (client: string) => ({ client, audience: orders, subject_type: 'client', allow_all_scopes: true });

interface Given {
  readonly files?: readonly object[];
  readonly absent?: readonly object[];
  readonly live?: readonly object[];
}

function decide(
  kind: AnyKind,
  { files = [], absent = [], live = [] }: Given,
  about: Partial<DecideInput<object, object>> = {},
) {
  const section = desiredSection([...files, ...absent].map((item) => [kind.keyOf(item, ''), item]));
  const items = section.items.map((item, index) =>
    index < files.length ? item : { ...item, state: 'absent' as const },
  );
  return kind.decide({
    desired: { ...section, items },
    live: { readable: true, items: live, filtered: false },
    ...{ keep: { ...keepNothing, undeclared: 'report' }, api: 'full', rotate: new Set(), names },
    ...about,
  });
}

const effectsIn = (decision: Decision) => {
  const effects = decision.effectsOf?.(decision);
  return decision.actions
    .flatMap((action) => effects?.(action) ?? [])
    .map(({ code, severity, kind, key, message }) => `${code} ${severity} ${kind}/${key}: ${message}`);
};
const lost = (text: string, key = 'Ann') => `ACCESS_LOST warning clients/${key}: loses ${text}`;
const gained = (text: string, key = 'Ann') => `ACCESS_GAINED note clients/${key}: gains ${text}`;

describe('scopes of grants', () => {
  test.each<[string, Given, readonly string[]]>([
    ['the same in another order', { files: [grantOf('Ann', ['b', 'a'])], live: [liveGrant('c1', ['a', 'b'])] }, []],
    ['one more', { files: [grantOf('Ann', ['a', 'b'])], live: [liveGrant('c1', ['a'])] }, [gained(`b of ${orders}`)]],
    [
      'others',
      { files: [grantOf('Ann', ['d', 'c'])], live: [liveGrant('c1', ['b', 'a'])] },
      [lost(`a, b of ${orders}`), gained(`c, d of ${orders}`)],
    ],
    ['a new grant', { files: [grantOf('Ann', ['b', 'a'])] }, [gained(`a, b of ${orders}`)]],
    ['a grant that goes', { absent: [grantOf('Ann', [])], live: [liveGrant('c1', ['a'])] }, [lost(`a of ${orders}`)]],
    [
      'without scopes in the files',
      { files: [{ client: 'Ann', audience: orders, subject_type: 'client' }], live: [liveGrant('c1', ['a'])] },
      [],
    ],
    ['a new grant for all', { files: [{ ...allOf('Ann') }] }, [gained(`every scope of ${orders}`)]],
    [
      'all in place of some',
      { files: [allOf('Ann')], live: [liveGrant('c1', ['a'])] },
      [
        `LOGIN_WEAKER warning client_grants/Ann/${orders}/client: weakens logins: allow_all_scopes from false to true`,
        gained(`every scope of ${orders}`),
      ],
    ],
    [
      'some in place of all',
      { files: [{ ...grantOf('Ann', ['a']), allow_all_scopes: false }], live: [{ id: 'g', ...allOf('c1') }] },
      [lost(`every scope of ${orders}`)],
    ],
    [
      'of a client that is known by its id only',
      { files: [grantOf('id:c2', [])], live: [liveGrant('c2', ['a'])] },
      [lost(`a of ${orders}`, 'id:c2')],
    ],
  ])('%s', (_name, given, expected) => {
    expect(effectsIn(decide(grants, given))).toEqual(expected);
  });
});

describe('clients of a connection', () => {
  const live = { id: 'con_1', name: 'staff', strategy: 'auth0' };
  const enabled = (...ids: readonly string[]) => {
    const items = ids.map((client_id) => ({ client_id }));
    const parts = { others: [], nested: { enabled_clients: { readable: true, items } } } as const;
    return { live: { readable: true, items: [live], filtered: false, more: new Map([[live, parts]]) } } as const;
  };
  const declared = (...clients: readonly string[]) => ({ name: 'staff', strategy: 'auth0', enabled_clients: clients });

  test('that are enabled and disabled', () => {
    expect(effectsIn(decide(users, { files: [declared('Ann')] }, enabled('c2')))).toEqual([
      gained('the connection staff'),
      lost('the connection staff', 'id:c2'),
    ]);
  });
});

test('a client of a new connection gains it once', () => {
  const files = [{ name: 'staff', strategy: 'auth0', enabled_clients: ['Ann'] }];
  expect(effectsIn(decide(users, { files }))).toEqual([gained('the connection staff')]);
});

describe('what takes comes after what gives', () => {
  const other = 'https://other.example/';
  const gives = (client: string, scope: string, audience: string) => ({
    files: [grantOf(client, [scope], audience)],
    live: [liveGrant(client.replace('id:', ''), [], audience)],
  });
  const together = (...given: readonly Given[]): Given => ({
    files: given.flatMap(({ files = [] }) => files),
    absent: given.flatMap(({ absent = [] }) => absent),
    live: given.flatMap(({ live = [] }) => live),
  });
  /** By the start of their keys, what the actions of a plan need. */
  const needs = (...given: readonly Given[]) => {
    const { decisions } = linkKinds([decide(grants, together(...given))], () => true);
    const shortOf = (key: string) => key.replace('client_grants/', '').replace('//client', '').replace('https://', '');
    return Object.fromEntries(
      decisions.flatMap(({ actions }) => actions.map((one) => [shortOf(one.key), one.needs.map(shortOf)])),
    );
  };
  const takes = { files: [grantOf('Ann', ['a'])], live: [liveGrant('c1', ['a', 'b'])] };

  test('an update, after the same thing for another holder, and another thing for the same one', () => {
    expect(needs(takes, gives('id:c2', 'b', orders), gives('Ann', 'x', other), gives('id:c3', 'c', other))).toEqual({
      'Ann/orders.example': ['Ann/other.example', 'id:c2/orders.example'],
      'id:c2/orders.example': [],
      'Ann/other.example': [],
      'id:c3/other.example': [],
    });
  });

  test('an update after a new grant', () => {
    expect(needs(takes, { files: [grantOf('id:c2', ['b'])] })).toEqual({
      'Ann/orders.example': ['id:c2/orders.example'],
      'id:c2/orders.example': [],
    });
  });

  test('updates that exchange their elements do not wait for each other', () => {
    const exchange = (client: string, from: string, to: string) => ({
      files: [grantOf(client, [to])],
      live: [liveGrant(client.replace('id:', ''), [from])],
    });
    expect(needs(exchange('id:c2', 'a', 'b'), exchange('id:c3', 'b', 'a'))).toEqual({
      'id:c2/orders.example': [],
      'id:c3/orders.example': [],
    });
  });

  test('a deletion, as it relies on what is shown', () => {
    const { actions } = decide(
      grants,
      together({ absent: [grantOf('Ann', [])], live: [liveGrant('c1', ['a'])] }, gives('id:c2', 'a', orders)),
    );
    const relied = openReliance(actions, [
      { name: 'client_grants', access: grants.access as NonNullable<AnyKind['access']> },
    ]);
    const idOf = (does: Action['action']) => actions.find(({ action }) => action === does)?.id;
    expect(actions.map((one) => [one.action, [...new Set(relied(one).flat())]])).toEqual([
      ['update', []],
      ['delete', [idOf('update')]],
    ]);
  });
});

describe('what guards count', () => {
  const counted = (given: Given) => {
    const [set] = decide(grants, given).nested ?? [];
    return {
      losses: set?.losses.map(({ item }) => item),
      gains: set?.gains.length,
      live: set?.population.live.map(({ key, parts, stays }) => [key, parts, ...(stays ? ['stays'] : [])]),
      unit: set?.population.unit,
    };
  };
  const unit = { verb: 'remove', one: 'scope', many: 'scopes' };
  const key = (client: string) => `${client}/${orders}/client`;

  test('each removed element, and all of a deleted item', () => {
    const given = {
      files: [grantOf('Ann', ['a', 'x'])],
      absent: [grantOf('id:c2', [])],
      live: [liveGrant('c1', ['a', 'b', 'c']), liveGrant('c2', ['d']), liveGrant('c3', ['e'])],
    };
    expect(counted(given)).toEqual({
      losses: [`client_grants/${key('Ann')}#b`, `client_grants/${key('Ann')}#c`, `client_grants/${key('id:c2')}#d`],
      gains: 1,
      live: [
        [key('Ann'), 3],
        [key('id:c2'), 1],
      ],
      unit,
    });
  });

  test('all of a set as one element', () => {
    const given = {
      files: [{ ...grantOf('Ann', ['a']), allow_all_scopes: false }],
      live: [{ id: 'g', ...allOf('c1') }],
    };
    expect(counted(given)).toEqual({
      ...{ losses: [`client_grants/${key('Ann')}#every scope`], gains: 0, live: [[key('Ann'), 1]], unit },
    });
  });

  test('nothing of an item whose set the files leave out, which stays', () => {
    const given = {
      files: [{ client: 'Ann', audience: orders, subject_type: 'client' }],
      live: [liveGrant('c1', ['a', 'b'])],
    };
    expect(counted(given)).toEqual({ losses: [], gains: 0, live: [[key('Ann'), 0, 'stays']], unit });
  });
});
