import { expect, describe as group, test } from 'vitest';
import { prompts as kind } from '../../src/kinds/prompts/index.ts';
import type { DesiredPrompt, LivePrompt } from '../../src/kinds/prompts/partials.ts';
import type { DecideInput, Decision, KeepRules } from '../../src/model/kind.ts';
import type { Action, Finding } from '../../src/model/plan.generated.ts';
import type { LiveState, Unreadable } from '../../src/model/reader.ts';
import type { Partials } from '../../src/service/prompts/types.generated.ts';
import {
  validatePartials,
  validatePromptParams,
  validateSetBody,
} from '../../src/service/prompts/validators.generated.ts';
import { buildAction, someState } from '../support/build-action.ts';
import { buildPopulation } from '../support/build-decision.ts';
import { buildFinding } from '../support/build-plan.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';

type Desired = readonly (readonly [string, DesiredPrompt])[];

const unit = { verb: 'remove', one: 'text', many: 'texts' } as const;
const containers = { one: 'prompt', many: 'prompts' };
const start = 'form-content-start';
const end = 'form-footer-end';
const place = (column = 1) => ({ file: 'files.yaml', line: 2, column });

function decideOn(
  desired: Desired,
  live: LiveState<LivePrompt>,
  about: Partial<DecideInput<DesiredPrompt, LivePrompt>> = {},
): Decision {
  return kind.decide({
    desired: desiredSection(desired),
    live,
    keep: keepNothing,
    api: 'full',
    rotate: new Set(),
    ...about,
  });
}

function readable(items: Readonly<Record<string, Partials>>): LiveState<LivePrompt> {
  return {
    readable: true,
    items: Object.entries(items).map(([prompt, partials]) => ({ prompt, partials })),
    filtered: false,
  };
}

/** The put of the first declared prompt. */
function put(about: Pick<Action, 'before' | 'after' | 'sources'> & Partial<Action>, prompt = 'login'): Action {
  return buildAction({
    kind: 'prompts',
    key: prompt,
    action: 'put',
    reason: 'different',
    request: {
      operation: 'set_prompt_partials',
      method: 'PUT',
      path: `/prompts/${prompt}/partials`,
      body: about.after ?? {},
    },
    precondition: someState,
    source: place(),
    ...about,
  });
}

function source(screen: string, point: string) {
  const pointer = `/${screen}/${point}`;
  return { pointer, source: place(`/partials${pointer}`.length + 1) };
}

interface Row {
  readonly name: string;
  readonly declared: Partials;
  readonly live: Partials;
  readonly keep?: KeepRules;
  readonly actions?: readonly Action[];
  readonly findings?: readonly Finding[];
  readonly lost?: readonly string[];
}

const kept = (code: Finding['code'], message: string): Finding =>
  buildFinding(code, { kind: 'prompts', key: 'login', message, source: place() });

const unknownScreen = (screen: string) => ({
  ...kept(
    'LIVE_UNKNOWN_SCREEN',
    `"${screen}" is not a known screen of this prompt, and the tenant has no text on it; use one of the known names`,
  ),
  source: place(`/partials/${screen.replace('/', '~1')}`.length + 1),
});

const rows: readonly Row[] = [
  { name: 'nothing on either side', declared: {}, live: {} },
  {
    name: 'equal sides',
    declared: { login: { [start]: 'a', [end]: 'b' } },
    live: { login: { [start]: 'a', [end]: 'b' } },
  },
  {
    name: 'the order of keys is no difference',
    declared: { two: { [start]: 'a', [end]: 'b' }, one: { [end]: 'c' } },
    live: { one: { [end]: 'c' }, two: { [end]: 'b', [start]: 'a' } },
  },
  {
    name: 'empty screens are no difference',
    declared: { login: { [start]: 'a' }, empty: {} },
    live: { void: {}, login: { [start]: 'a' } },
  },
  {
    name: 'a prompt without partials gets them, without the empty screens',
    declared: { login: { [start]: 'a' }, empty: {} },
    live: {},
    actions: [
      put({ reason: 'missing', before: null, after: { login: { [start]: 'a' } }, sources: [source('login', start)] }),
    ],
  },
  {
    name: 'a live prompt of empty screens has none',
    declared: { login: { [start]: 'a' } },
    live: { login: {} },
    actions: [
      put({ reason: 'missing', before: null, after: { login: { [start]: 'a' } }, sources: [source('login', start)] }),
    ],
  },
  {
    name: 'one changed text puts the whole object',
    declared: { login: { [start]: 'new', [end]: 'b' } },
    live: { login: { [end]: 'b', [start]: 'old' } },
    actions: [
      put({
        before: { login: { [start]: 'old', [end]: 'b' } },
        after: { login: { [start]: 'new', [end]: 'b' } },
        sources: [source('login', start), source('login', end)],
      }),
    ],
  },
  {
    name: 'white space is a difference',
    declared: { login: { [start]: 'a\n' } },
    live: { login: { [start]: 'a \n' } },
    actions: [
      put({
        before: { login: { [start]: 'a \n' } },
        after: { login: { [start]: 'a\n' } },
        sources: [source('login', start)],
      }),
    ],
  },
  {
    name: 'what a put removes is noted and counted, in an order of its own',
    declared: { login: { [start]: 'a' } },
    live: { other: { z: '3' }, login: { [end]: '2', b: '1', [start]: 'a' } },
    actions: [
      put({
        before: { login: { [start]: 'a', [end]: '2', b: '1' }, other: { z: '3' } },
        after: { login: { [start]: 'a' } },
        notes: [
          'removes login/b: on the tenant but not declared',
          'removes login/form-footer-end: on the tenant but not declared',
          'removes other/z: on the tenant but not declared',
        ],
        sources: [source('login', start)],
      }),
    ],
    lost: ['login/b', 'login/form-footer-end', 'other/z'],
  },
  {
    name: 'an empty object clears the prompt',
    declared: {},
    live: { login: { [start]: 'a' } },
    actions: [
      put({
        before: { login: { [start]: 'a' } },
        after: {},
        notes: ['removes login/form-content-start: on the tenant but not declared'],
        sources: [],
      }),
    ],
    lost: ['login/form-content-start'],
  },
  {
    name: 'a protected prompt loses nothing: what is live stays in the body',
    declared: { login: { [start]: 'new' } },
    live: { other: { b: '2', a: '1' }, login: { [end]: 'kept', [start]: 'old' } },
    keep: keeping({ isProtected: (name) => name === 'login' }),
    actions: [
      put({
        before: { login: { [start]: 'old', [end]: 'kept' }, other: { a: '1', b: '2' } },
        after: { login: { [start]: 'new', [end]: 'kept' }, other: { a: '1', b: '2' } },
        sources: [source('login', start)],
      }),
    ],
    findings: [
      kept(
        'LIVE_PROTECTED',
        '3 texts would be removed (login/form-footer-end, other/a, other/b); kept because it is protected',
      ),
    ],
  },
  {
    name: 'a protected prompt that only has more is left alone, and that is said',
    declared: { login: { [start]: 'a' } },
    live: { login: { [end]: 'kept', [start]: 'a' } },
    keep: keeping({ isProtected: () => true }),
    findings: [kept('LIVE_PROTECTED', '1 text would be removed (login/form-footer-end); kept because it is protected')],
  },
  {
    name: 'a base with keep_undeclared keeps in the same way, and nothing is reported of it',
    declared: {},
    live: { login: { [start]: 'a' } },
    keep: keeping({ keepsParts: true }),
  },
  {
    name: 'a protected prompt with nothing to keep is a prompt like any other',
    declared: { login: { [start]: 'new' } },
    live: { login: { [start]: 'old' } },
    keep: keeping({ isProtected: () => true }),
    actions: [
      put({
        before: { login: { [start]: 'old' } },
        after: { login: { [start]: 'new' } },
        sources: [source('login', start)],
      }),
    ],
  },
  {
    name: 'names that objects have of their own are names like any other',
    declared: { login: { [start]: 'a' } },
    live: { constructor: { toString: 'x' }, login: { [start]: 'a', valueOf: 'y' } },
    keep: keeping({ isProtected: () => true }),
    findings: [
      kept(
        'LIVE_PROTECTED',
        '2 texts would be removed (constructor/toString, login/valueOf); kept because it is protected',
      ),
    ],
  },
  {
    name: 'declared ones of such names are missing where they are not live',
    declared: { toString: { valueOf: 'x' } },
    live: {},
    actions: [
      put({
        reason: 'missing',
        before: null,
        after: { toString: { valueOf: 'x' } },
        sources: [source('toString', 'valueOf')],
      }),
    ],
    findings: [unknownScreen('toString')],
  },
  {
    name: 'places are pointers, so names are escaped',
    declared: { 'a/b': { 'c~d': 'x' } },
    live: {},
    actions: [
      put({ reason: 'missing', before: null, after: { 'a/b': { 'c~d': 'x' } }, sources: [source('a~1b', 'c~0d')] }),
    ],
    findings: [unknownScreen('a/b')],
  },
];

group('decide', () => {
  test.each(rows)('$name', ({ declared, live, keep = keepNothing, actions = [], findings = [], lost = [] }) => {
    const decision = decideOn([['login', { partials: declared }]], readable({ login: live }), { keep });
    expect(decision).toEqual({
      kind: 'prompts',
      actions,
      findings,
      losses: lost.map((item) => ({ id: 'prompts/login', item: `prompts/login#${item}` })),
      asked: [],
      gains: actions.filter(({ after }) => Object.keys(after ?? {}).length > 0).map(({ id }) => id),
      unreadable: null,
      population: buildPopulation({ live: [expect.objectContaining({ key: 'login' })], unit, containers }),
      names: null,
    });
  });

  test('the body keeps the order of the files, what is kept comes last', () => {
    const keep = keeping({ keepsParts: true });
    const [action] = decideOn(
      [['login', { partials: { z: { y: '1', x: '2' }, a: { b: '3' } } }]],
      readable({ login: { b: { c: '4' }, z: { w: '5' } } }),
      {
        keep,
      },
    ).actions;
    expect(JSON.stringify(action?.request.body)).toBe('{"z":{"y":"1","x":"2","w":"5"},"a":{"b":"3"},"b":{"c":"4"}}');
  });

  test('prompts are decided one by one; those without partials or that were not read are left alone', () => {
    const decision = decideOn(
      [
        ['signup', { partials: { signup: { [start]: 'a' } } }],
        ['login-id', {}],
        ['passkeys', { partials: {} }],
        ['login', { partials: { login: { [start]: 'b' } } }],
      ],
      readable({ login: { login: { [start]: 'old', [end]: 'gone' } }, signup: { signup: { [start]: 'a' } } }),
    );
    expect(decision.actions.map(({ id }) => id)).toEqual(['prompts/login']);
    expect(decision.losses).toEqual([{ id: 'prompts/login', item: 'prompts/login#login/form-footer-end' }]);
    expect(decision.population.live).toEqual([
      { key: 'signup', parts: 1 },
      { key: 'login', parts: 2 },
    ]);
    expect(decision.population.declared).toBe(3);
  });
});

group('decide where partials cannot be read', () => {
  const why: Unreadable = {
    readable: false,
    structural: true,
    code: 'LIVE_UNREADABLE',
    message: 'no operation reads prompt partials',
  };
  const unreadable = buildFinding('LIVE_UNREADABLE', {
    kind: 'prompts',
    key: '*',
    message: why.message,
    source: { file: 'files.yaml', line: 1, column: 1 },
  });
  const partials = { login: { [start]: '<b>hello</b>\nworld\n' }, empty: {} };
  const blind = { api: 'documented' } as const;

  test('each declared prompt is put whole', () => {
    expect(decideOn([['login', { partials }]], why, blind)).toEqual({
      kind: 'prompts',
      actions: [
        buildAction({
          kind: 'prompts',
          key: 'login',
          action: 'put',
          reason: 'unreadable',
          request: { operation: 'set_prompt_partials', method: 'PUT', path: '/prompts/login/partials', body: partials },
          before: null,
          after: partials,
          source: place(),
        }),
      ],
      findings: [unreadable],
      losses: [],
      asked: [],
      gains: [],
      unreadable: why,
      population: buildPopulation({ live: [] }),
      names: null,
    });
  });

  test('a prompt without partials is unmanaged', () => {
    expect(decideOn([['login', {}]], why, blind)).toMatchObject({ actions: [], findings: [unreadable] });
  });

  test('a protected prompt is left alone, and that is said', () => {
    expect(
      decideOn([['login', { partials }]], why, { ...blind, keep: keeping({ isProtected: () => true }) }),
    ).toMatchObject({
      actions: [],
      findings: [
        unreadable,
        kept('LIVE_PROTECTED', 'its live state cannot be read; not changed because it is protected'),
      ],
    });
  });

  test('after a failed read nothing is put', () => {
    const failed: Unreadable = { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'status 403' };
    expect(decideOn([['login', { partials }]], failed)).toEqual({
      kind: 'prompts',
      actions: [],
      findings: [{ ...unreadable, code: 'LIVE_FORBIDDEN', message: 'status 403' }],
      losses: [],
      asked: [],
      gains: [],
      unreadable: failed,
      population: buildPopulation({ live: [] }),
      names: null,
    });
  });

  test('describe names the insertion points', () => {
    const [action] = decideOn([['login', { partials }]], why, blind).actions;
    expect(action && kind.describe(action)).toEqual({
      parts: [{ parts: [{ name: 'form-content-start' }] }],
      texts: [{ label: 'login / form-content-start', before: null, after: '<b>hello</b>\nworld\n', source: null }],
    });
    expect(action && kind.describe({ ...action, after: {} })).toEqual({
      summary: 'no partials',
      texts: [],
    });
  });
});

group('describe', () => {
  test('a part and a text for each insertion point that changes', () => {
    const declared = { login: { [start]: 'new \u{1f600}', same: 's', added: 'a' } };
    const [action] = decideOn(
      [['login', { partials: declared }]],
      readable({ login: { login: { same: 's', [end]: 'gone', [start]: 'old' } } }),
    ).actions;
    expect(action && kind.describe(action)).toEqual({
      parts: [
        { does: 'changes', parts: [{ name: 'form-content-start' }] },
        { does: 'adds', parts: [{ name: 'added' }] },
        { does: 'deletes', parts: [{ name: 'form-footer-end' }] },
      ],
      texts: [
        {
          label: 'login / form-content-start',
          before: 'old',
          after: 'new \u{1f600}',
          source: source('login', start).source,
        },
        { label: 'login / added', before: null, after: 'a', source: source('login', 'added').source },
        { label: 'login / form-footer-end', before: 'gone', after: null, source: null },
      ],
    });
  });

  test('clearing a prompt removes each of its texts', () => {
    const [action] = decideOn([['login', { partials: {} }]], readable({ login: { login: { [end]: 'gone' } } })).actions;
    expect(action && kind.describe(action)).toMatchObject({
      parts: [{ does: 'deletes', parts: [{ name: 'form-footer-end' }] }],
    });
  });

  test('the line of a new prompt names its texts, with the screen if it has another name', () => {
    const declared = { login: { [start]: 'a' }, 'login-email': { [start]: 'b' } };
    const [action] = decideOn([['login', { partials: declared }]], readable({ login: {} })).actions;
    expect(action && kind.describe(action).parts).toEqual([
      { parts: [{ name: 'form-content-start' }, { name: 'login-email/form-content-start' }] },
    ]);
  });
});

test('file references are found wherever a text can be', () => {
  const declared = {
    partials: { login: { a: 'text', 'b/c~d': { file: 'x.liquid' } }, other: { e: { file: 'y.liquid' } } },
  };
  expect(kind.fileReferences?.(declared)).toEqual(['/partials/login/b~1c~0d', '/partials/other/e']);
  expect(kind.fileReferences?.({})).toEqual([]);
});

group('fix', () => {
  const action = put({ before: null, after: {}, sources: [] }, 'passkeys');
  const planRemedy = 'the tenant does not have partials: remove the prompts from the files';

  test.each<readonly [string, string | null]>([
    [
      'status 400: This feature requires at least one custom domain',
      'partials require a custom domain: add one to the tenant and rerun',
    ],
    [
      'status 403: This feature is not available for your plan. Upgrade to a professional or enterprise plan.',
      planRemedy,
    ],
    ['status 403: Your account does not have custom prompts', planRemedy],
    ['status 403: Please upgrade your subscription to use partials', planRemedy],
    [
      `status 400: Path validation error: 'Invalid value "passkeys"' on property prompt (Name of the prompt).`,
      'the prompt "passkeys" is not enabled on the tenant: enable it there or remove it from the files',
    ],
    [
      `status 400: Payload validation error: 'String is too long, maximum 10000' on property passkeys.form-content.`,
      'a partial can have at most 10,000 characters: shorten the text',
    ],
    ['status 403: Insufficient scope, expected any of: update:prompts', null],
    ['the service asked for a wait that is too long', null],
    [`status 400: Path validation error: 'Invalid value "x"' on property id (Id of the role).`, null],
    ['', null],
  ])('%s', (message, expected) => {
    expect(kind.fix?.(action, message)).toBe(expected);
  });
});

/** Answers of the form that real ones have; their texts are our own. */
group('answers of the service', () => {
  test.each<readonly [string, unknown, boolean]>([
    ['no partials', {}, true],
    ['one screen', { login: { [start]: '<p>ü</p>' } }, true],
    ['a screen and an insertion point that nobody knows yet', { 'login-next': { 'form-middle': '' } }, true],
    ['a text over the limit, which only a request may not have', { login: { [start]: 'x'.repeat(10_001) } }, true],
    ['a list', [], false],
    ['a text in place of a screen', { login: 'x' }, false],
    ['no text', { login: { [start]: null } }, false],
  ])('%s', (_name, answer, accepted) => {
    expect(validatePartials(answer)).toBe(accepted);
  });

  test('a request has texts of at most 10,000 characters, counted in code points', () => {
    expect(validateSetBody({ login: { [start]: '\u{1f600}'.repeat(10_000) } })).toBe(true);
    expect(validateSetBody({ login: { [start]: 'x'.repeat(10_001) } })).toBe(false);
  });

  test('the names of prompts', () => {
    expect(['login', 'passkeys', 'confirmation', 'logout'].map((prompt) => validatePromptParams({ prompt }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
