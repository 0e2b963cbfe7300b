// The decision for named containers of parts, over shelves of books.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContainerChange, ContainerPart, ContainersOnly } from '../../src/differ/container-kind.ts';
import { decideContainers } from '../../src/differ/decide-containers.ts';
import { draftAction } from '../../src/differ/draft.ts';
import type { KeepRules } from '../../src/model/kind.ts';
import type { Action, ActionName, Finding } from '../../src/model/plan.generated.ts';
import type { LiveState, Unreadable } from '../../src/model/reader.ts';
import { buildPopulation } from '../support/build-decision.ts';
import { buildFinding } from '../support/build-plan.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';
import { propertyRuns } from '../support/thorough.ts';

/** Books by title, each in an edition. */
interface Shelf {
  readonly books?: Readonly<Record<string, number>>;
  readonly absent?: readonly string[];
}
interface LiveShelf {
  readonly name: string;
  readonly id: string;
  readonly books: Readonly<Record<string, number>>;
}

const unit = { verb: 'remove', one: 'book', many: 'books' } as const;
const place = (pointer: string) => ({ file: 'files.yaml', line: 2, column: pointer.length + 1 });
const parts = (books: Readonly<Record<string, number>>): ContainerPart[] =>
  Object.entries(books).map(([title, value]) => ({ id: title, name: `"${title}"`, value }));

function request(action: ActionName, key: string, titles: readonly string[]): Action {
  const body = { titles };
  return draftAction({
    kind: 'shelves',
    key,
    part: action,
    action,
    reason: 'different',
    request: { operation: action, method: 'POST', path: `/shelves/${key}`, body },
    before: null,
    after: null,
    precondition: null,
    source: null,
  });
}

const titlesOf = (list: readonly ContainerPart[]) => list.map(({ id }) => id);

const shelves: ContainersOnly<Shelf, LiveShelf, ContainerPart> = {
  kind: 'shelves',
  unit,
  noun: { one: 'shelf', many: 'shelves' },
  namesOf: (items) => items.map(({ key }) => key),
  partsOf: ({ books, absent = [] }) =>
    books === undefined && absent.length === 0
      ? null
      : {
          wanted: books === undefined ? null : parts(books),
          unwanted: absent.map((title) => ({ id: title, name: title, value: null })),
          pointer: '/books',
        },
  match: (items, live) => ({
    containers: items.flatMap((item) =>
      live
        .filter(({ name }) => name === item.key)
        .map(({ id, name, books }) => ({ item, id, names: [name, id], parts: parts(books) })),
    ),
    findings: items
      .filter(({ key }) => !live.some(({ name }) => name === key))
      .map(({ key }) => buildFinding('LIVE_NOT_FOUND', { kind: 'shelves', key })),
  }),
  correct({ container: { item }, missing, changed, unwanted, undeclared }: ContainerChange<Shelf, ContainerPart>) {
    const granted = [...missing, ...changed];
    const removed = [...unwanted, ...undeclared];
    return [
      ...(granted.length === 0
        ? []
        : [{ action: request('add', item.key, titlesOf(granted)), lost: [], asked: [], grants: true }]),
      ...(removed.length === 0
        ? []
        : [
            {
              action: request('remove', item.key, titlesOf(removed)),
              lost: undeclared,
              asked: unwanted,
              grants: false,
            },
          ]),
    ];
  },
  correctUnread: ({ key, value: { absent = [] } }) => (absent.length === 0 ? [] : [request('remove', key, absent)]),
  notChecked: ({ books }) => (books === undefined ? null : 'books'),
};

const section = (...items: readonly (readonly [string, Shelf])[]) => desiredSection(items);

function decide(shelf: Shelf, live: LiveState<LiveShelf>, keep: KeepRules = keepNothing) {
  const desired = section(['s', shelf]);
  return decideContainers(shelves, { desired, live, keep, api: 'full', rotate: new Set() });
}

const readable = (...items: readonly LiveShelf[]): LiveState<LiveShelf> => ({ readable: true, items, filtered: false });
const holding = (books: Readonly<Record<string, number>>) => readable({ name: 's', id: 'shf_1', books });
const sent = ({ actions }: { readonly actions: readonly Action[] }) =>
  actions.map(({ id, needs, request: { body } }) => [id, (Object(body).titles as string[]).join(' '), needs]);
const kept = (code: Finding['code'], message: string) =>
  buildFinding(code, { kind: 'shelves', key: 's', message, source: place('/books') });

const isProtected = keeping({ isProtected: (name) => name === 'shf_1' });
const full: Shelf = { books: { a: 1, b: 2 }, absent: ['x'] };
const live = holding({ b: 3, c: 4, x: 5 });
const add = ['shelves/s#add', 'a b', []];

describe('readable', () => {
  test.each<[string, Shelf, LiveState<LiveShelf>, KeepRules, unknown[], unknown[], string[]]>([
    ['equal sides', { books: { a: 1 } }, holding({ a: 1 }), keepNothing, [], [], []],
    ['nothing declared, nothing live', { books: {} }, holding({}), keepNothing, [], [], []],
    ['only absent parts, none of them live', { absent: ['x'] }, holding({ a: 1 }), keepNothing, [], [], []],
    [
      'a map: another value is a change',
      { books: { a: 1 } },
      holding({ a: 2 }),
      keepNothing,
      [['shelves/s#add', 'a', []]],
      [],
      [],
    ],
    [
      'an undeclared part is lost',
      { books: {} },
      holding({ a: 1 }),
      keepNothing,
      [['shelves/s#remove', 'a', []]],
      [],
      ['"a"'],
    ],
    [
      'a part declared absent is no loss',
      { absent: ['a'] },
      holding({ a: 1, b: 1 }),
      keepNothing,
      [['shelves/s#remove', 'a', []]],
      [],
      [],
    ],
    [
      'a part in both lists is removed',
      { books: { a: 1 }, absent: ['a'] },
      holding({ a: 1 }),
      keepNothing,
      [['shelves/s#remove', 'a', []]],
      [],
      [],
    ],
    [
      'all at once: a removal needs what is granted',
      full,
      live,
      keepNothing,
      [add, ['shelves/s#remove', 'x c', ['shelves/s#add']]],
      [],
      ['"c"'],
    ],
    [
      'protected: nothing is removed',
      full,
      live,
      isProtected,
      [add],
      [kept('LIVE_PROTECTED', '2 books would be removed ("c", "x"); kept because it is protected')],
      [],
    ],
    [
      'a base with keep_undeclared: only what is declared absent',
      full,
      live,
      keeping({ keepsParts: true }),
      [add, ['shelves/s#remove', 'x', ['shelves/s#add']]],
      [],
      [],
    ],
    [
      'undeclared: parts are an exact set whatever it is',
      full,
      live,
      keeping({ undeclared: 'ignore' }),
      [add, ['shelves/s#remove', 'x c', ['shelves/s#add']]],
      [],
      ['"c"'],
    ],
    [
      'protected comes before keep_undeclared of a base',
      { books: {} },
      holding({ a: 1 }),
      keeping({ isProtected: () => true, keepsParts: true }),
      [],
      [kept('LIVE_PROTECTED', '1 book would be removed ("a"); kept because it is protected')],
      [],
    ],
    [
      'protected, with nothing to keep',
      { books: { a: 1 } },
      holding({}),
      isProtected,
      [['shelves/s#add', 'a', []]],
      [],
      [],
    ],
  ])('%s', (_name, shelf, state, keep, actions, findings, lost) => {
    const decision = decide(shelf, state, keep);
    expect(sent(decision)).toEqual(actions);
    expect(decision.findings).toEqual(findings);
    expect(decision.losses).toEqual(lost.map((name) => ({ id: 'shelves/s#remove', item: `shelves/s#${name}` })));
    expect(decision.gains).toEqual(decision.actions.filter(({ action }) => action === 'add').map(({ id }) => id));
  });

  test('a finding names ten parts at most', () => {
    const books = Object.fromEntries(Array.from({ length: 12 }, (_none, index) => [`b${index}`, 1]));
    expect(decide({ books: {} }, holding(books), isProtected).findings[0]?.message).toMatch(
      /^12 books would be removed \("b0", .*, "b9" and 2 more\); kept/,
    );
  });

  test('guards count the live parts of containers whose complete set is declared', () => {
    const desired = section(['s', { books: { a: 1 } }], ['t', { absent: ['x'] }], ['unmanaged', {}]);
    const state = readable(
      { name: 's', id: '1', books: { a: 1, b: 2 } },
      { name: 't', id: '2', books: { a: 1, b: 2, c: 3 } },
      { name: 'unmanaged', id: '3', books: { x: 1 } },
    );
    const decision = decideContainers(shelves, {
      desired,
      live: state,
      keep: keepNothing,
      api: 'full',
      rotate: new Set(),
    });
    expect(decision.population).toEqual(
      buildPopulation({
        declared: 2,
        live: [{ key: 's', parts: 2 }],
        unit,
        containers: { one: 'shelf', many: 'shelves' },
      }),
    );
    expect(sent(decision)).toEqual([['shelves/s#remove', 'b', []]]);
  });

  test('a declaration that names no container is an error, and nothing else is decided about it', () => {
    expect(decide({ books: { a: 1 } }, readable())).toMatchObject({
      actions: [],
      losses: [],
      findings: [{ code: 'LIVE_NOT_FOUND', severity: 'error', key: 's' }],
    });
    expect(decide({}, readable())).toMatchObject({ actions: [], findings: [] });
  });

  test('law: after the actions, the live parts are the declared ones', () => {
    const books = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'toString'), fc.nat(2), { noNullPrototype: true });
    fc.assert(
      fc.property(books, books, (declared, present) => {
        const decision = decide({ books: declared }, holding(present));
        const after = new Map(Object.entries(present));
        for (const { action, request } of decision.actions)
          for (const title of Object(request.body).titles as string[])
            if (action === 'remove') after.delete(title);
            else after.set(title, declared[title] ?? -1);
        expect(after).toEqual(new Map(Object.entries(declared)));
        expect(decision.losses).toHaveLength(
          Object.keys(present).filter((title) => !Object.hasOwn(declared, title)).length,
        );
      }),
      propertyRuns(100),
    );
  });
});

describe('unreadable', () => {
  const structural: Unreadable = {
    readable: false,
    structural: true,
    code: 'LIVE_UNREADABLE',
    message: 'no operation',
  };
  const failed: Unreadable = { ...structural, structural: false, code: 'LIVE_FORBIDDEN', message: 'status 403' };
  const finding = (why: Unreadable) =>
    buildFinding(why.code, { kind: 'shelves', key: '*', message: why.message, source: { ...place(''), line: 1 } });
  const notChecked = buildFinding('LIVE_NOT_CHECKED', {
    kind: 'shelves',
    key: 's',
    message:
      'its books are declared, but no available operation can read the live ones; they are neither compared nor changed',
    source: place('/books'),
  });
  const protectedS = buildFinding('LIVE_PROTECTED', {
    kind: 'shelves',
    key: 's',
    message: 'its live state cannot be read; not changed because it is protected',
  });
  const byKey = keeping({ isProtected: (name) => name === 's' });
  const remove = ['shelves/s#remove', 'x', []];

  test.each<[string, Shelf, Unreadable, KeepRules, unknown[], unknown[]]>([
    [
      'no operation: what can be sent is sent',
      { absent: ['x'] },
      structural,
      keepNothing,
      [remove],
      [finding(structural)],
    ],
    ['no operation: the rest is reported', full, structural, keepNothing, [remove], [finding(structural), notChecked]],
    ['no operation, protected', full, structural, byKey, [], [finding(structural), protectedS, notChecked]],
    [
      'no operation, protected, nothing to send',
      { books: {} },
      structural,
      byKey,
      [],
      [finding(structural), notChecked],
    ],
    ['no operation, unmanaged', {}, structural, keepNothing, [], [finding(structural)]],
    ['a failed reading: nothing is sent', full, failed, keepNothing, [], [finding(failed)]],
    ['a failed reading, protected', full, failed, byKey, [], [finding(failed)]],
  ])('%s', (_name, shelf, why, keep, actions, findings) => {
    const decision = decide(shelf, why, keep);
    expect(sent(decision)).toEqual(actions);
    expect(decision).toMatchObject({ findings, losses: [], gains: [], unreadable: why });
  });
});

describe('names under protect', () => {
  test('a container is kept by no other pattern', () => {
    expect(decide({ books: {} }, holding({ a: 1 }), keeping({ patterns: ['x'] })).actions).toHaveLength(1);
    expect(decide({ books: {} }, holding({ a: 1 }), keeping({ patterns: ['x'] })).names).toEqual(['s']);
    expect(decide({ books: {} }, holding({ a: 1 })).names).toBeNull();
  });

  test.each<readonly [string, readonly string[], boolean]>([
    ['no pattern', [], false],
    ['a pattern that is the id of a declared one', ['s'], false],
    ['a pattern that is something else', ['x'], true],
  ])('a container that cannot be read, and is declared by its id: %s', (_name, patterns, isKept) => {
    const structural: Unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: '' };
    const unread = (idOf: (shelf: Shelf) => string | null) =>
      decideContainers(
        { ...shelves, idOf },
        {
          desired: section(['s', { absent: ['x'] }]),
          live: structural,
          keep: keeping({ patterns }),
          api: 'full',
          rotate: new Set(),
        },
      );
    expect([unread(() => 's').actions.length, unread(() => null).actions.length]).toEqual([isKept ? 0 : 1, 1]);
  });
});

describe('what a reading shows beside the parts', () => {
  const withMore = (more: object, about: Partial<Parameters<typeof decideContainers>[1]> = {}, shelf: Shelf = full) => {
    const kind: typeof shelves = {
      ...shelves,
      match: (items, found) => {
        const matched = shelves.match(items, found);
        return { ...matched, containers: matched.containers.map((container) => ({ ...container, ...more })) };
      },
    };
    const desired = section(['s', shelf], ['t', {}]);
    const input = { desired, live, keep: keepNothing, api: 'full', rotate: new Set<string>(), ...about } as const;
    return decideContainers(kind, input as Parameters<typeof decideContainers<Shelf, LiveShelf, ContainerPart>>[1]);
  };

  test('odd fields are one finding', () => {
    const odd = [{ field: 'glow', what: 'unknown' }];
    expect(withMore({ odd }).findings).toMatchObject([
      { code: 'LIVE_UNEXPECTED_FIELD', key: 's', source: { line: 2 } },
    ]);
    expect(withMore({ odd: [] }).findings).toEqual([]);
  });

  test('undeclared containers are reported where they are listed', () => {
    const report = keeping({ undeclared: 'report' });
    const known = { ...holding({ a: 1, b: 2 }), undeclared: ['other'] } as LiveState<LiveShelf>;
    const reported = withMore({}, { keep: report, live: known });
    expect([reported.findings.map(({ code, key }) => [code, key]), reported.unlisted]).toEqual([
      [['LIVE_UNDECLARED', 'other']],
      undefined,
    ]);
    expect(withMore({}, { keep: report, live: holding({ a: 1, b: 2 }) })).toMatchObject({
      findings: [],
      unlisted: true,
    });
    expect(withMore({}, { live: known }).findings).toEqual([]);
    expect('unlisted' in withMore({}, { live: holding({}) })).toBe(false);
  });
});

test('of containers that always exist, absent means without parts', () => {
  const desired = withStates(section(['s', {}], ['t', { books: { a: 1 } }]), { s: 'absent', t: 'unmanaged' });
  const live = readable({ name: 's', id: '1', books: { a: 1, b: 1 } }, { name: 't', id: '2', books: {} });
  const decision = decideContainers(shelves, { desired, live, keep: keepNothing, api: 'full', rotate: new Set() });
  expect(sent(decision)).toEqual([['shelves/s#remove', 'a b', []]]);
  expect(decision.population).toMatchObject({ declared: 0, live: [{ key: 's', parts: 2 }] });
});

test('parts that are declared absent are asked for, and not left', () => {
  const decision = decide({ books: { b: 2 }, absent: ['x', 'y'] }, holding({ b: 2, x: 1, y: 1 }));
  expect(decision.asked).toEqual(['"x"', '"y"'].map((name) => ({ id: 'shelves/s#remove', item: `shelves/s#${name}` })));
  expect(decision.population.live).toEqual([{ key: 's', parts: 3 }]);
});

test('an action of a part has it in its id', () => {
  const base = request('add', 's', []);
  const { id: _id, part: _part, ...rest } = base;
  expect(draftAction({ ...rest, part: 'add' })).toMatchObject({ id: 'shelves/s#add', part: 'add' });
  const plain = draftAction(rest);
  expect([plain.id, 'part' in plain]).toEqual(['shelves/s', false]);
});
