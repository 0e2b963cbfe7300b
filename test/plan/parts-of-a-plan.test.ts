// Parts of a plan that are decided by themselves: effects, drift, codes of several refusals, base, what was left out.
import { describe, expect, test } from 'vitest';
import { inspected } from '../../src/engine/shown-effects.ts';
import type { Desired } from '../../src/model/desired.ts';
import type { AnyKind, Decision } from '../../src/model/kind.ts';
import type { Effect, Finding, Selection } from '../../src/model/plan.generated.ts';
import type { AssembleInput, BaseDecided } from '../../src/plan/assemble-input.ts';
import { assemblePlan, setEffects } from '../../src/plan/assemble-plan.ts';
import { commonCode, planDigest } from '../../src/plan/digest.ts';
import type { FileChanges } from '../../src/plan/file-changes.ts';
import { onlyPlanned } from '../../src/plan/link-kinds.ts';
import { selectsPart, selectsRotation } from '../../src/plan/selection.ts';
import { hasErrors, isOutOfSync } from '../../src/plan/summary.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildAction } from '../support/build-action.ts';
import { buildAssembleInput, buildDecision, buildPopulation, rulesWith } from '../support/build-decision.ts';
import { buildFinding, buildPlan } from '../support/build-plan.ts';

const kind = 'rate_limit_policies';
const place = { file: 'a.yaml', line: 1, column: 1 };

describe('effects', () => {
  const effect = (key: string): Effect => ({
    code: 'ROLE_CREATED',
    severity: 'note',
    kind: 'roles',
    key,
    message: key,
  });
  const [role, policy] = [buildAction({ kind: 'roles', key: 'r' }), buildAction({ key: 'p' })];
  const roles = (about: Partial<Decision>) => buildDecision(0, 0, { kind: 'roles', actions: [role], ...about });

  test('come from the kind of an action, and from its texts before', async () => {
    const decision = roles({
      effectsOf:
        () =>
        ({ key }) => [effect(key)],
    });
    const effectsWith = (of: Decision) => {
      const planned = [{ ...role }, { ...policy }];
      setEffects(planned, [of, buildDecision(0, 0)]);
      // Once more is the same.
      setEffects(planned, [of, buildDecision(0, 0)]);
      return planned.map(({ effects }) => effects.map(({ key }) => key));
    };
    expect(effectsWith(decision)).toEqual([['r'], []]);
    const inspect = async () => new Map([[role.id, [effect('text')]]]);
    const withTexts = (of: Decision) => inspected({ inspect } as Partial<AnyKind> as AnyKind, of);
    expect(effectsWith(await withTexts(decision))).toEqual([['text', 'r'], []]);
    expect(effectsWith(await withTexts(roles({})))).toEqual([['text'], []]);
  });

  test('of a kind see its own planned actions and their losses', () => {
    const both = [role, buildAction({ kind: 'roles', key: 'left out' })];
    const losses = both.map(({ id }) => ({ id, item: id }));
    const seen: unknown[] = [];
    const decision = roles({
      actions: both,
      losses,
      effectsOf: (planned) => {
        seen.push(planned.actions, planned.losses);
        return () => [];
      },
    });
    setEffects([role, policy], onlyPlanned([decision, buildDecision(0, 0, { actions: [policy] })], [role, policy]));
    expect(seen).toEqual([[role], losses.slice(0, 1)]);
  });

  test('are not asked of a kind without actions', () => {
    const never = () => {
      throw new Error('asked');
    };
    setEffects([policy], [roles({ effectsOf: never })]);
    expect(policy.effects).toEqual([]);
  });
});

test.each<readonly [string, Partial<Parameters<typeof buildPlan>[0]>, boolean, boolean]>([
  ['nothing', {}, false, false],
  ['an action', { actions: [buildAction({ reason: 'unreadable' })] }, true, false],
  ['a declared item that differs', { findings: [buildFinding('LIVE_DIFFERENT', { source: place })] }, true, false],
  ['an undeclared item that differs', { findings: [buildFinding('LIVE_UNDECLARED')] }, false, false],
  ['a declared item that is kept', { findings: [buildFinding('LIVE_PROTECTED', { source: place })] }, false, false],
  ['an error', { findings: [buildFinding('LIVE_NOT_FOUND', { source: place })] }, true, true],
  [
    'an error among others',
    { findings: [buildFinding('LIVE_PROTECTED'), buildFinding('LIVE_NOT_FOUND', { source: null })] },
    false,
    true,
  ],
])('out of sync, and with errors: %s', (_name, parts, outOfSync, errors) => {
  const plan = buildPlan(parts);
  expect([isOutOfSync(plan), hasErrors(plan)]).toEqual([outOfSync, errors]);
});

test('a note is no part of what a digest covers, and other findings are', () => {
  const digest = (...findings: Finding[]) => planDigest(buildPlan({ findings }));
  expect(digest(buildFinding('LIVE_PROTECTED'))).toBe(digest());
  expect(digest(buildFinding('LIVE_NOT_CHECKED'), buildFinding('LIVE_MISSING'))).toBe(
    digest(buildFinding('LIVE_MISSING')),
  );
  expect(digest(buildFinding('LIVE_MISSING'))).not.toBe(digest());
});

test('one code for refusals of two plans', () => {
  const [one, two] = [{ approve: '1'.repeat(24) }, { approve: '2'.repeat(24) }];
  expect(commonCode([one, one])).toBe(one.approve);
  expect(commonCode([one, two])).toMatch(/^[0-9a-f]{24}$/);
  expect(commonCode([two, one, two])).toBe(commonCode([one, two]));
  expect([one.approve, two.approve, commonCode([one, { approve: '3'.repeat(24) }])]).not.toContain(
    commonCode([one, two]),
  );
});

test.each<readonly [string[], string[], boolean]>([
  [[], [], false],
  [['roles'], [], false],
  [['roles/a'], [], true],
  [['roles/a*'], [], true],
  [['roles/*'], [], false],
  [['roles/a', 'roles'], [], false],
  [['roles/a', 'roles/*'], [], false],
  [['prompts/a'], [], false],
  [['roles/a', 'prompts'], [], true],
  [[], ['roles/a'], true],
  [['roles'], ['roles/a'], true],
  [['roles/a'], ['roles'], false],
  [[], ['prompts/a'], false],
])('--only %j --except %j selects a part of the roles: %s', (only, except, isPart) => {
  expect(selectsPart({ only, except, rotate: [] }, 'roles')).toBe(isPart);
});

test('--rotate names items', () => {
  const selection = { only: [], except: [], rotate: ['event_streams/a*', 'event_streams/b'] };
  const rotated = (of: string, key: string) => selectsRotation(selection, of, key);
  expect([rotated('event_streams', 'ab'), rotated('event_streams', 'b'), rotated('event_streams', 'bb')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([
    rotated('roles', 'b'),
    selectsRotation({ ...selection, rotate: ['event_streams'] }, 'event_streams', 'x'),
  ]).toEqual([false, true]);
});

const nothing: Desired = { tenant: {}, tenantAt: () => undefined, sections: new Map() };

describe('a base', () => {
  const changes: FileChanges = {
    isNewSection: () => false,
    isNewItem: () => false,
    isChanged: () => true,
    changedSecrets: () => [],
    changedKeys: () => [],
    isEmptied: () => false,
    header: [{ field: 'api', source: null }],
    sections: [{ kind: 'roles', change: 'added' }],
  };
  const action = buildAction({ key: 'p' });
  const finding = buildFinding('LIVE_DIFFERENT', { key: 'q' });
  const now = buildDecision(0, 9, { actions: [action], findings: [finding], losses: [] });
  const based = (parts: Partial<BaseDecided>, about: Partial<AssembleInput> = {}) =>
    assemblePlan(
      buildAssembleInput([now], {
        base: {
          ref: 'main',
          commit: 'c',
          isBehind: false,
          state: { changes, desired: nothing },
          decisions: [],
          ...parts,
        },
        ...about,
      }),
    );
  const originsOf = ({ actions, findings }: ReturnType<typeof based>) =>
    [...actions, ...findings].map(({ origin }) => origin);

  test('is in the plan, with what changed in its header and its sections', () => {
    const { header, sections } = changes;
    expect(based({}).base).toEqual({ ref: 'main', commit: 'c', valid: true, header, sections });
    expect(based({ isBehind: true }).base).toMatchObject({ behind: true });
    expect(assemblePlan(buildAssembleInput([now])).base).toBeNull();
  });

  test('gives actions and findings their origins', () => {
    expect(originsOf(based({}))).toEqual(['change', 'change']);
    expect(originsOf(based({ decisions: [now] }))).toEqual(['drift', 'drift']);
    expect(originsOf(assemblePlan(buildAssembleInput([now])))).toEqual([null, null]);
  });

  test('with errors gives none', () => {
    const plan = based({ state: null, decisions: [now] });
    expect(plan.base).toEqual({ ref: 'main', commit: 'c', valid: false, header: [], sections: [] });
    expect(originsOf(plan)).toEqual([null, null]);
  });

  test('has what its own files rely on', () => {
    const error = buildFinding('LIVE_NOT_FOUND', { kind: 'roles', key: 'r' });
    const link = { id: action.id, withdraws: ['x'] };
    const decisions = [{ ...now, links: [link] }];
    const relying = {
      ...(kinds[0] as AnyKind),
      relyingOn: (_items: unknown, token: string) => (token === 'x' ? [error] : []),
    };
    const state = { changes, desired: nothing };
    const plan = assemblePlan(
      buildAssembleInput(decisions, {
        kinds: [relying, ...kinds.slice(1)],
        base: { ref: 'main', commit: 'c', isBehind: false, state, decisions },
      }),
    );
    expect(plan.findings.map(({ code, origin }) => [code, origin])).toEqual([
      ['LIVE_DIFFERENT', 'drift'],
      ['LIVE_NOT_FOUND', 'drift'],
    ]);
  });
});

describe('what was left out', () => {
  const selecting = (...texts: string[]): Selection => ({ only: texts, except: [], rotate: [] });
  const leftOut = (decision: Partial<Decision>, about: Partial<AssembleInput> = {}) =>
    assemblePlan(buildAssembleInput([buildDecision(0, 9, decision)], about)).left_out.map(
      ({ kind: of, key, what }) => `${of}/${key} ${what}`,
    );
  const rest = [`${kind}/* not_read`];
  const filtered = buildPopulation({ filtered: true });
  const again = { selection: selecting(), isSent: () => true, watched: [] };

  test.each<readonly [string, Partial<Decision>, Partial<AssembleInput>, readonly string[]]>([
    ['nothing', {}, {}, []],
    ['undeclared items that were not listed', { unlisted: true }, {}, rest],
    ['they are not missed when a plan is made again', { unlisted: true }, { again }, []],
    [
      'the others of a kind of which one item was read',
      { population: filtered },
      { selection: selecting(`${kind}/a`) },
      rest,
    ],
    [
      'not of a kind that was read with a filter for another reason',
      { population: filtered },
      { selection: selecting(kind) },
      [],
    ],
    [
      'each declared item that was not read',
      {},
      {
        notRead: [
          { kind: 'roles', key: 'a' },
          { kind: 'roles', key: 'b' },
        ],
      },
      ['roles/a not_read', 'roles/b not_read'],
    ],
    [
      'with --changed, only their kinds',
      {},
      {
        notRead: [
          { kind: 'roles', key: 'a' },
          { kind: 'roles', key: 'b' },
          { kind: 'prompts', key: 'a' },
        ],
        selection: { ...selecting(kind), changed: true },
      },
      ['roles/* not_read', 'prompts/* not_read'],
    ],
    [
      'findings that the selection leaves out',
      { findings: [buildFinding('LIVE_MISSING', { key: 'a' }), buildFinding('LIVE_MISSING', { key: 'b' })] },
      { selection: selecting(`${kind}/a`) },
      [`${kind}/b LIVE_MISSING`],
    ],
    [
      'none of a kind of which only a part was read',
      { population: filtered, findings: [buildFinding('LIVE_MISSING', { key: 'b' })] },
      { selection: selecting(`${kind}/a`) },
      rest,
    ],
  ])('%s', (_name, decision, about, expected) => {
    expect(leftOut(decision, about)).toEqual(expected);
  });

  test('an action that is left out, of an item named * as well', () => {
    const unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: '' } as const;
    const star = buildAction({ key: '*', reason: 'unreadable' });
    expect(leftOut({ unreadable, actions: [star] }, { selection: selecting(`${kind}/a`) })).toEqual([
      `${kind}/* delete`,
    ]);
  });
});

test('a plan with an action before what it needs is a bug', () => {
  const action = buildAction({ key: 'a', needs: ['roles/none'] });
  expect(() => assemblePlan(buildAssembleInput([buildDecision(0, 9, { actions: [action] })]))).toThrow(
    'needs roles/none, which does not come before it',
  );
});

test('a plan is complete if what was not read cannot be read at all', () => {
  const unreadable = (structural: boolean): Partial<Decision> => ({
    unreadable: { readable: false, structural, code: 'LIVE_UNREADABLE', message: '' },
  });
  const complete = (...parts: Partial<Decision>[]) =>
    assemblePlan(buildAssembleInput(parts.map((part) => buildDecision(0, 9, part)))).complete;
  expect([complete({}, unreadable(true)), complete({}, unreadable(false)), complete(unreadable(true), {})]).toEqual([
    true,
    false,
    true,
  ]);
});

describe('rules', () => {
  const found = (
    about: Parameters<typeof buildAssembleInput>[1],
    decision: Partial<Decision> = {},
  ): readonly Finding[] => assemblePlan(buildAssembleInput([buildDecision(0, 9, decision)], about)).findings;
  const unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: '' } as const;
  const protect = rulesWith({ protect: { [kind]: ['a\\*', 'b*'] } });
  const excluded = (
    text: string,
    about: Parameters<typeof buildAssembleInput>[1] = {},
    decision: Partial<Decision> = {},
  ) => found({ selection: { only: [], except: [text], rotate: [] }, ...about }, decision).map(({ message }) => message);
  const idle = 'excludes nothing: no declared item and no undeclared live item matches it';

  test('an escaped asterisk is a name, and an asterisk none', () => {
    const keys = (...names: string[]) => found({ rules: protect }, { names }).map(({ key }) => key.split(': ')[1]);
    expect(keys('a*', 'bx')).toEqual([]);
    expect(keys('ax', 'xb')).toEqual(['a\\*', 'b*']);
  });

  test('patterns of a kind that cannot be read say nothing, unless names are known', () => {
    const rules = rulesWith({ protect: { [kind]: ['x'] } });
    expect(found({ rules }, { unreadable, names: null })).toEqual([]);
    expect(found({ rules }, { unreadable, names: ['y'] })).toHaveLength(1);
    expect(found({ rules }, { unreadable: null, names: null })).toEqual([]);
  });

  test('each finding has its place', () => {
    const rules = rulesWith({ undeclared: { roles: 'ignore' }, approvals: ['0'.repeat(24)] });
    expect(found({ rules }).map(({ code, message, source }) => [code, message, source?.column])).toEqual([
      [
        'RULE_UNMATCHED',
        'approves nothing: no refused plan has this code any more; pull --fix-approvals removes it',
        '/approvals/0'.length + 1,
      ],
      ['RULE_UNMATCHED', 'has no effect: the files have no section for this kind', '/undeclared/roles'.length + 1],
    ]);
  });

  test.each<readonly [string, string, Parameters<typeof buildAssembleInput>[1], Partial<Decision>, readonly string[]]>([
    ['a name that nothing has', `${kind}/x`, {}, {}, [idle]],
    ['a kind', kind, {}, {}, []],
    ['all items', `${kind}/*`, {}, {}, []],
    ['a name, where only a part was read', `${kind}/x`, {}, { population: buildPopulation({ filtered: true }) }, []],
    ['a name of a kind that cannot be read', `${kind}/x`, {}, { unreadable }, []],
    ['a name of another kind', 'roles/x', {}, {}, ['excludes nothing: the files have no section for roles']],
    [
      'a name near one of another kind',
      `${kind}/defualt`,
      { declared: [{ kind: 'roles', key: 'default' }], managed: [kind, 'roles'] },
      {},
      [idle],
    ],
    [
      'a name near one of its kind',
      `${kind}/defualt`,
      { declared: [{ kind, key: 'default' }] },
      {},
      [`${idle}; did you mean "default"?`],
    ],
  ])('--except with %s', (_name, text, about, decision, expected) => {
    expect(excluded(text, about, decision)).toEqual(expected);
  });

  test('of two kinds, the one that was read decides', () => {
    const input = buildAssembleInput([buildDecision(0, 9), buildDecision(0, 9, { kind: 'roles', unreadable })], {
      selection: { only: [], except: ['roles/x', `${kind}/x`], rotate: [] },
    });
    expect(assemblePlan(input).findings.map(({ key }) => key)).toEqual([`--except ${kind}/x`]);
  });
});
