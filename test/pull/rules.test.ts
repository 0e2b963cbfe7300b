// Rules of pull that no tenant of the service can show, or only a very large one.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptySource } from '../../src/config/files/overlaid-source.ts';
import { ReferenceText } from '../../src/edit/written-value.ts';
import { nothingRead } from '../../src/items/pull-items.ts';
import { prompts } from '../../src/kinds/prompts/index.ts';
import { rateLimitPolicies } from '../../src/kinds/rate-limit-policies/index.ts';
import { roles } from '../../src/kinds/roles/index.ts';
import type { AnyKind, KeepRules, PullRules } from '../../src/model/kind.ts';
import { refusedItems, whyNotWritten } from '../../src/pull/inexpressible-items.ts';
import { changesOf, type ItemChange, isInSync, type KindState } from '../../src/pull/item-changes.ts';
import { newTexts } from '../../src/pull/new-texts.ts';
import { withSecrets } from '../../src/pull/references.ts';
import { writePulled } from '../../src/sync/index.ts';
import { withValuesAt } from '../../src/values/json-pointer.ts';
import { buildAction } from '../support/build-action.ts';
import { buildFinding, buildPlan } from '../support/build-plan.ts';
import { keeping } from '../support/keep-rules.ts';
import { folder } from '../support/temp-folder.ts';

const add = (kind: AnyKind, key: string, value: unknown): ItemChange => ({ change: 'add', kind, key, value });

describe('a long section is split into files that can be loaded', () => {
  const filesOf = async (kind: AnyKind, values: readonly unknown[]) => {
    const { created, edited, texts } = await newTexts({
      written: { at: '', items: [], yaml: new Map(), texts: new Map(), header: null },
      changes: values.map((value, index) => add(kind, `item-${index}`, value)),
      protect: [],
      ignored: [],
      idle: new Set(),
      source: emptySource,
      sections: new Set(),
    });
    expect([edited.size, texts.size]).toEqual([0, 0]);
    return [...created].map(([file, text]) => `${file}: ${text.match(/^ {2}(?:- \w|item-\d)/gm)?.length}`);
  };
  // A list of n numbers has 2 n + 1 nodes, and as many bytes in JSON.
  const numbers = (count: number) => ({ a: Array.from({ length: count }, () => 1) });
  const letters = (count: number) => ({ a: 'x'.repeat(count) });
  const [one, two, three] = ['', '-2', '-3'].map((end) => `rate-limit-policies${end}.yaml`);

  test.each([
    ['as many nodes as fit', [numbers(37_500), numbers(37_497)], [`${one}: 2`]],
    ['one more', [numbers(37_500), numbers(37_498)], [`${one}: 1`, `${two}: 1`]],
    ['an item that does not fit', [numbers(75_001)], [`${one}: 1`]],
    ['several files', [60_000, 14_000, 60_000, 14_000].map(numbers), [`${one}: 2`, `${two}: 2`]],
    ['as many bytes as fit', [letters(1_250_000), letters(1_249_984)], [`${one}: 2`]],
    ['one more byte', [letters(1_250_000), letters(1_249_985)], [`${one}: 1`, `${two}: 1`]],
    ['bytes of UTF-8', [letters(1_250_000), { a: 'ä'.repeat(625_000) }], [`${one}: 1`, `${two}: 1`]],
    [
      'several long items',
      [2_000_000, 400_000, 2_000_000, 400_000, 2_000_000].map(letters),
      [`${one}: 2`, `${two}: 2`, `${three}: 1`],
    ],
  ])('%s', async (_name, values, files) => {
    expect(await filesOf(rateLimitPolicies, values)).toEqual(files);
  });

  test('a mapping as well', async () => {
    expect(await filesOf(prompts, [numbers(60_000), numbers(60_000)])).toEqual([
      'prompts.yaml: 1',
      'prompts-2.yaml: 1',
    ]);
  });
});

describe('items that cannot be written', () => {
  test.each<[unknown, string | null]>([
    [{ a: ['fine', { b: 1, c: true }] }, null],
    [{ a: ['fine', { b: 'hidden' }] }, 'it contains the value of a secret'],
    [{ a: { hidden: 'fine' } }, 'it contains the value of a secret'],
    ['hidden', 'it contains the value of a secret'],
    [['-----BEGIN PRIVATE KEY-----\nMII'], 'it contains the value of a secret'],
    [{ a: null }, null],
    [null, null],
    [{ a: 1.5 }, 'the number 1.5 is not an integer that is exact'],
  ])('%j', (value, reason) => {
    expect(whyNotWritten(value, (text) => text === 'hidden')).toBe(reason);
  });

  test('by the first error of their files, each on its own, with the operations that the header allows', async () => {
    const role = (more: object) => ({ name: 'A', permissions: [], ...more });
    const changes = [
      { ...add(roles, 'gone', { nonsense: 1 }), change: 'remove' } as never,
      add(roles, 'A', role({})),
      add(roles, 'B', role({ permissions: 1, description: 2 })),
      { ...add(prompts, 'login', { partials: 'none' }), change: 'edit' } as never,
      add(prompts, 'signup', { partials: { signup: { 'a-warning': 'text' } } }),
      add(roles, 'C', role({ name: ' ' })),
    ];
    const found = await refusedItems(changes, [roles, prompts], { api: 'full' });
    expect(Object.fromEntries(found)).toEqual({
      'roles/B': '"permissions" must be a mapping or a list, but it is an integer',
      'prompts/login': '"partials" must be a mapping, but it is a string',
      'roles/C': expect.stringContaining('This name may look like another one'),
    });
    expect([...(await refusedItems([add(roles, 'A', role({}))], [roles], { api: 'documented' }))]).toEqual([
      [
        'roles/A',
        'A role can be identified by name only if roles can be listed; api: documented has no operation that lists them',
      ],
    ]);
  });
});

describe('references in place of values', () => {
  const secret = { ...roles, pull: { ...(roles.pull as PullRules), secrets: () => ['/list/1/token', '/none', '/id'] } };
  test.each([
    ['${env:TENANT_VAR_A}', true],
    ['a ${env:TENANT_VAR_A}', false],
    ['${env:TENANT_VAR_A} b', false],
    ['plain', false],
    [7, false],
  ])('%s', (token, isReference) => {
    const result = withSecrets(secret, { list: [{ token: 'x' }, { token, more: 1 }], id: 'rol_1' });
    const expected = isReference ? new ReferenceText(String(token)) : token;
    expect(result).toEqual({ list: [{ token: 'x' }, { token: expected, more: 1 }], id: 'rol_1' });
  });

  test.each([
    ['', 'new'],
    ['/a', { a: 'new', b: [1, { c: 2 }] }],
    ['/b/0', { a: 'x', b: ['new', { c: 2 }] }],
    ['/b/1/c', { a: 'x', b: [1, { c: 'new' }] }],
    ['/b/2', { a: 'x', b: [1, { c: 2 }] }],
    ['/a/b', { a: 'x', b: [1, { c: 2 }] }],
    ['/toString', { a: 'x', b: [1, { c: 2 }] }],
  ])('at "%s"', (pointer, expected) => {
    expect(withValuesAt({ a: 'x', b: [1, { c: 2 }] }, new Map([[pointer, 'new']]))).toEqual(expected);
  });

  test('kinds without secrets have none', () => {
    expect(withSecrets(roles, { name: '${env:TENANT_VAR_A}' })).toEqual({ name: '${env:TENANT_VAR_A}' });
    const { pull: _none, ...without } = roles;
    expect(withSecrets(without, { name: 'a' })).toEqual({ name: 'a' });
  });
});

describe('live items that no file can express', () => {
  const rules: PullRules<unknown, string> = {
    form: 'list',
    keyOf: (live) => live,
    declare: (live) => (live.startsWith('odd') ? { inexpressible: 'it is odd' } : { written: { name: live } }),
    adopt: (written) => ({ written }),
    protectAs: (live) => (live === 'odd none' ? '' : `name of ${live}`),
  };
  const found = (undeclared: readonly string[], isManaged: boolean, keep: Partial<KeepRules> = {}) => {
    const state: KindState = {
      kind: roles,
      rules: rules as PullRules,
      reading: nothingRead,
      keyOf: String,
      items: [],
      live: [],
      undeclared,
      keep: keeping(keep),
      isManaged,
    };
    const { changes, kept } = changesOf(state, {
      plan: buildPlan(),
      selection: { only: [], except: [], rotate: [] },
      adds: () => true,
      names: { secret: () => '' },
      refused: new Map([['roles/refused', 'it was refused']]),
      whyUnwritable: () => null,
    });
    const protect = new Set(kept.flatMap(({ patterns = [] }) => patterns));
    return [changes.map(({ key }) => key), kept.map(({ diagnostic }) => diagnostic.message), [...protect]];
  };
  const leftOut = (name: string, why: string, rest: string) =>
    `roles/${name} cannot be written into files: ${why}.${rest}`;
  const isProtected = ' It is added to protect.roles, so that it stays and is no difference.';

  test('are protected under the names that patterns mean, each once', () => {
    expect(found(['odd b', 'fine', 'odd a', 'refused'], true)).toEqual([
      ['fine'],
      [
        leftOut('odd a', 'it is odd', isProtected),
        leftOut('odd b', 'it is odd', isProtected),
        leftOut('refused', 'it was refused', isProtected),
      ],
      ['name of odd a', 'name of odd b', 'name of refused'],
    ]);
  });

  test.each<[string, Partial<KeepRules>]>([
    ['protected', { isProtected: (name) => name === 'name of odd a' }],
    ['ignored', { undeclared: 'ignore' }],
  ])('need no rule where they are %s', (_name, keep) => {
    expect(found(['odd a'], true, keep)).toEqual([[], [leftOut('odd a', 'it is odd', '')], []]);
  });

  test('are reported where they stay differences, and protected', () => {
    expect(found(['odd a'], true, { undeclared: 'report' })[2]).toEqual(['name of odd a']);
  });

  test('have no rule without a name that a pattern could mean', () => {
    const message = leftOut('odd none', 'it is odd', '');
    expect(found(['fine', 'odd none', 'one more'], true)).toEqual([['fine', 'one more'], [message], []]);
  });

  test('two of one identity are none', () => {
    const message = leftOut('twin', '2 live items have this identity', isProtected);
    expect(found(['twin', 'twin'], true)).toEqual([[], [message], ['name of twin']]);
  });
});

describe('a result is in sync', () => {
  const finding = (code: 'LIVE_DIFFERENT' | 'LIVE_PROTECTED', key = 'one', kind: 'roles' | 'prompts' = 'roles') =>
    buildFinding(code, { kind, key });
  const action = (key = 'one', kind: 'roles' | 'prompts' = 'roles') => buildAction({ kind, key });
  const known = [finding('LIVE_DIFFERENT')];
  test.each([
    ['without anything left', true, {}],
    ['with an action', false, { actions: [action()] }],
    ['with an action for an item that is kept', true, { actions: [action('kept')] }],
    [
      'with an action for an item of another kind that has its key',
      false,
      { actions: [action('kept'), action('other')] },
    ],
    ['with an action of a kind that is not pulled', true, { actions: [action('one', 'prompts')] }],
    ['with a new difference', false, { findings: [finding('LIVE_DIFFERENT')] }],
    ['with a new finding that is no difference', true, { findings: [finding('LIVE_PROTECTED')] }],
    ['with a new difference of an item that is kept', true, { findings: [finding('LIVE_DIFFERENT', 'kept')] }],
    [
      'with a new difference of a kind that is not pulled',
      true,
      { findings: [finding('LIVE_DIFFERENT', 'one', 'prompts')] },
    ],
    ['with a difference that was there before', true, { findings: known, before: known }],
    [
      'with a difference that was there before, of an item that is changed',
      false,
      { findings: known, before: known, changed: 'one' },
    ],
    [
      'with a difference of another item than before',
      false,
      { findings: [finding('LIVE_DIFFERENT', 'two')], before: known },
    ],
    ['with another finding than before', false, { findings: known, before: [finding('LIVE_PROTECTED')] }],
  ] as const)('%s: %s', (_name, expected, left) => {
    const {
      actions = [],
      findings = [],
      before = [],
      changed,
    } = { changed: undefined, ...left } as {
      actions?: [];
      findings?: [];
      before?: [];
      changed?: string;
    };
    const kept = [{ kind: 'roles', key: 'kept', diagnostic: { code: 'PULL_KEPT', severity: 'warning', message: '' } }];
    const result = isInSync(
      buildPlan({ findings: before }),
      buildPlan({ actions, findings }),
      {
        parts: [{ changes: [], kept: kept as never, notAdded: [] }],
        changes: changed === undefined ? [] : [add(roles, changed, {})],
      },
      [{ kind: roles } as KindState],
    );
    expect(result).toBe(expected);
  });
});

describe('what is written', () => {
  const files = [{ file: 'a.yaml', before: null, after: 'prompts: {}\n' }];

  test('is in the folder, and nothing of it is left to do', async () => {
    const path = await folder({});
    expect(await writePulled(path, { files, add: ['prompts'] })).toEqual({ status: 'written' });
    expect(await readFile(join(path, 'a.yaml'), 'utf8')).toBe('prompts: {}\n');
  });

  test('without files ends what an interrupted pull has left', async () => {
    const path = await folder({ '.tenant-sync-pull.json': '["prompts"]' });
    expect(await writePulled(path, { files: [], add: [] })).toEqual({ status: 'written' });
    await expect(readFile(join(path, '.tenant-sync-pull.json'))).rejects.toThrow('ENOENT');
  });

  test('a file that changed, and one that a link leads to, are refused with their location', async () => {
    const path = await folder({ 'a.yaml': 'roles: []\n' });
    const source = { file: 'a.yaml', line: 1, column: 1 };
    expect(await writePulled(path, { files, add: [] })).toMatchObject({
      status: 'refused',
      diagnostics: [
        {
          code: 'PULL_FILE_CHANGED',
          message: 'This file changed after it was read, so it was not overwritten.',
          hint: 'pull again',
          source,
        },
      ],
    });
    const other = await folder({});
    await mkdir(join(path, 'in'));
    await symlink(other, join(path, 'in', 'out'));
    const linked = [{ ...files[0], file: 'in/out/b.yaml' }] as typeof files;
    expect(await writePulled(path, { files: linked, add: [] })).toMatchObject({
      status: 'refused',
      diagnostics: [
        {
          code: 'PULL_FILE_CHANGED',
          message: 'The path of this file leads out of the tenant folder. Only files below the folder are written.',
          hint: 'replace the link with a folder or a file',
          source: { ...source, file: 'in/out/b.yaml' },
        },
      ],
    });
    await writeFile(join(path, 'file'), '');
    await expect(writePulled(join(path, 'file'), { files, add: [] })).rejects.toThrow('EEXIST');
  });
});
