// Containers that can be created, changed and deleted themselves, over boxes of toys.
import { describe, expect, test } from 'vitest';
import type { ContainerKind, ContainerPart } from '../../src/differ/container-kind.ts';
import { decideContainers } from '../../src/differ/decide-containers.ts';
import { draftAction } from '../../src/differ/draft.ts';
import type { DecideInput, DesiredItem, ItemState } from '../../src/model/kind.ts';
import type { Action, ActionName } from '../../src/model/plan.generated.ts';
import type { LiveState } from '../../src/model/reader.ts';
import { buildAction } from '../support/build-action.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';

interface Box {
  readonly color?: string;
  readonly toys?: readonly string[];
}
interface LiveBox {
  readonly name: string;
  readonly id: string;
  readonly color: string;
  readonly toys: readonly string[];
  readonly pages?: number;
}

const part = (toy: string): ContainerPart => ({ id: toy, name: toy, value: true });
const request = (operation: string, path: string, body?: Record<string, unknown>) => ({
  operation,
  method: 'POST' as const,
  path,
  ...(body && { body }),
});

function moveToys(action: ActionName, { key }: DesiredItem, id: string, toys: readonly ContainerPart[]): Action {
  return draftAction({
    kind: 'boxes',
    key,
    part: action,
    action,
    reason: 'different',
    request: request(action, `/boxes/${id}/toys`, { toys: toys.map((toy) => toy.id) }),
    before: null,
    after: null,
    precondition: null,
    source: null,
  });
}

const boxes: ContainerKind<Box, LiveBox, ContainerPart> = {
  kind: 'boxes',
  unit: { verb: 'remove', one: 'toy', many: 'toys' },
  noun: { one: 'box', many: 'boxes' },
  namesOf: (items) => items.map(({ key }) => key),
  partsOf: ({ toys }) => (toys === undefined ? null : { wanted: toys.map(part), unwanted: [], pointer: '/toys' }),
  match(items, live) {
    const found = items.flatMap((item) => {
      const box = live.find(({ name }) => name === item.key);
      if (box === undefined) return [];
      const { id, name, color, toys, pages } = box;
      return [
        {
          item,
          id,
          names: [name, id],
          hidesName: false,
          parts: toys.map(part),
          fields: { id, name, color },
          ...(pages !== undefined && { pages }),
        },
      ];
    });
    const missing = items.filter((item) => item.state === 'present' && found.every((one) => one.item !== item));
    return {
      containers: found,
      missing,
      findings: [],
      conclusions: missing.map(({ key }) => ({ key, what: 'missing', ids: [] })),
    };
  },
  correct({ container: { item, id }, missing, undeclared }) {
    return [
      ...(missing.length === 0
        ? []
        : [{ action: moveToys('add', item, id, missing), lost: [], asked: [], grants: true }]),
      ...(undeclared.length === 0
        ? []
        : [{ action: moveToys('remove', item, id, undeclared), lost: undeclared, asked: [], grants: false }]),
    ];
  },
  correctUnread: ({ key }) => [moveToys('remove', { key } as DesiredItem, key, [])],
  own: {
    fieldsOf: ({ value: { color } }) => (color === undefined ? {} : { color }),
    create: ({ key, value }) => request('create', '/boxes', { name: key, color: value.color }),
    update: ({ id, item }) => request('update', `/boxes/${id}`, { color: item.value.color }),
    delete: ({ id }) => request('delete', `/boxes/${id}`),
    shown: ({ fields, parts }) => ({ ...fields, toys: parts.map(({ id }) => id) }),
  },
};

function decide(
  declared: Readonly<Record<string, Box>>,
  live: readonly LiveBox[],
  about: {
    readonly states?: Readonly<Record<string, ItemState>>;
    readonly keep?: typeof keepNothing;
    readonly state?: Partial<LiveState<LiveBox>>;
    readonly watched?: readonly Action[];
  } = {},
) {
  const { states = {}, keep = keepNothing, state = {}, watched = [] } = about;
  const input: DecideInput<Box, LiveBox> = {
    desired: withStates(desiredSection(Object.entries(declared)), states),
    live: { readable: true, items: live, filtered: false, ...state } as LiveState<LiveBox>,
    keep,
    api: 'full',
    rotate: new Set(),
    watched,
  };
  return decideContainers(boxes, input);
}

const red = (...toys: readonly string[]): LiveBox => ({ name: 'b', id: 'box_1', color: 'red', toys });
const summary = ({ actions }: { readonly actions: readonly Action[] }) =>
  actions.map(({ id, action, needs, request: { path, body } }) => [id, action, needs, path, body]);

describe('a missing container', () => {
  test('is created, and its parts are added under the id that the create returns', () => {
    const decision = decide({ b: { color: 'red', toys: ['car'] } }, []);
    expect(summary(decision)).toEqual([
      ['boxes/b', 'create', [], '/boxes', { name: 'b', color: 'red' }],
      ['boxes/b#add', 'add', ['boxes/b'], '/boxes/{result:boxes/b:id}/toys', { toys: ['car'] }],
    ]);
    expect(decision.actions[0]).toMatchObject({
      reason: 'missing',
      before: null,
      after: { name: 'b', color: 'red' },
      precondition: 'absent',
      source: { line: 2, column: 1 },
    });
    expect(decision).toMatchObject({ gains: ['boxes/b', 'boxes/b#add'], losses: [] });
  });

  test('without declared parts is created alone', () => {
    expect(summary(decide({ b: { color: 'red' } }, []))).toEqual([
      ['boxes/b', 'create', [], '/boxes', { name: 'b', color: 'red' }],
    ]);
  });
});

describe('fields of the container', () => {
  test('are brought to the declared ones, beside its parts', () => {
    const decision = decide({ b: { color: 'blue', toys: ['car'] } }, [red('ball')]);
    expect(summary(decision)).toEqual([
      ['boxes/b', 'update', [], '/boxes/box_1', { color: 'blue' }],
      ['boxes/b#add', 'add', [], '/boxes/box_1/toys', { toys: ['car'] }],
      ['boxes/b#remove', 'remove', ['boxes/b#add'], '/boxes/box_1/toys', { toys: ['ball'] }],
    ]);
    expect(decision.actions[0]).toMatchObject({
      reason: 'different',
      before: { id: 'box_1', name: 'b', color: 'red' },
      after: { id: 'box_1', name: 'b', color: 'blue' },
      changes: [{ field: 'color', before: 'red', after: 'blue' }],
    });
    expect(decision.gains).toEqual(['boxes/b#add']);
  });

  test('that are not declared are left alone, and so are parts that are not', () => {
    expect(decide({ b: { toys: ['car'] } }, [red('car')]).actions).toEqual([]);
    const decision = decide({ b: { color: 'red' } }, [red('car')]);
    expect(decision.actions).toEqual([]);
    // Guards count none of its parts, but the section is not empty.
    expect(decision.population).toMatchObject({ declared: 1, live: [{ key: 'b', parts: 0, stays: true }] });
  });

  test('an update relies on them', () => {
    const [one, other] = ['red', 'green'].map(
      (color) => decide({ b: { color: 'blue' } }, [{ ...red(), color }]).actions[0]?.precondition,
    );
    expect(one).not.toBe(other);
  });
});

describe('a container that is declared absent', () => {
  const absent = { states: { b: 'absent' } } as const;

  test('is deleted; each part is a loss', () => {
    const decision = decide({ b: {} }, [red('car', 'ball')], absent);
    expect(decision.actions).toMatchObject([
      {
        id: 'boxes/b',
        action: 'delete',
        reason: 'absent',
        needs: [],
        request: { operation: 'delete', path: '/boxes/box_1' },
        before: { id: 'box_1', name: 'b', color: 'red', toys: ['car', 'ball'] },
        after: null,
      },
    ]);
    expect(decision).toMatchObject({
      losses: [
        { id: 'boxes/b', item: 'boxes/b#car' },
        { id: 'boxes/b', item: 'boxes/b#ball' },
      ],
      asked: [],
      gains: [],
      population: { declared: 0, live: [{ key: 'b', parts: 2 }] },
    });
  });

  test('without parts is a loss itself', () => {
    expect(decide({ b: {} }, [red()], absent)).toMatchObject({
      losses: [{ id: 'boxes/b', item: 'boxes/b' }],
      population: { live: [{ key: 'b', parts: 1 }] },
    });
  });

  test('and does not exist needs nothing', () => {
    expect(decide({ b: {} }, [], absent)).toMatchObject({ actions: [], findings: [], losses: [] });
  });

  test('is kept where it is protected, and undeclared does not keep it', () => {
    const decision = decide({ b: {} }, [red('car')], {
      ...absent,
      keep: keeping({ isProtected: (name) => name === 'box_1' }),
    });
    expect(decision).toMatchObject({
      actions: [],
      losses: [],
      findings: [
        { code: 'LIVE_PROTECTED', message: 'on the tenant but declared absent; kept because it is protected' },
      ],
      population: { live: [] },
    });
    expect(
      decide({ b: {} }, [red('car')], { ...absent, keep: keeping({ undeclared: 'report', keepsParts: true }) }).actions,
    ).toHaveLength(1);
  });

  test('relies on its fields and on its parts', () => {
    const preconditions = [red(), red('car'), { ...red(), color: 'blue' }].map(
      (box) => decide({ b: {} }, [box], absent).actions[0]?.precondition,
    );
    expect(new Set(preconditions).size).toBe(3);
  });

  test('cannot be deleted where no operation reads it, and nothing else is sent about it', () => {
    const state = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation' } as const;
    expect(decide({ b: {} }, [], { ...absent, state })).toMatchObject({
      actions: [],
      findings: [
        { code: 'LIVE_UNREADABLE' },
        {
          code: 'LIVE_NOT_CHECKED',
          message: 'declared absent, but no available operation can read or delete it',
          source: { line: 2, column: 1 },
        },
      ],
    });
  });
});

describe('a container that was deleted', () => {
  const deleted = (key: string) => buildAction({ kind: 'boxes', key, action: 'delete', request: toBox('box_1') });
  const toBox = (id: string) => ({ operation: 'delete_box', method: 'DELETE', path: `/boxes/${id}` }) as const;
  const listed = (name: string) => ({ known: [{ id: 'box_1', name, isDeclarable: true }] });

  // Its key is its name or its id.
  test.each(['b', 'box_1'])('may be listed for a while: %s', (key) => {
    const decision = decide({ [key]: {} }, [], {
      states: { [key]: 'absent' },
      state: listed('b'),
      watched: [deleted(key)],
    });
    expect(decision).toMatchObject({ actions: [], findings: [] });
  });

  test('is left where it has another name', () => {
    const decision = decide({ b: {} }, [], { states: { b: 'absent' }, state: listed('c'), watched: [deleted('b')] });
    expect(decision.findings).toMatchObject([{ code: 'LIVE_DIFFERENT', key: 'b' }]);
  });
});

describe('containers of each sort in one section', () => {
  const live = [red('car'), { ...red('ball'), name: 'c', id: 'box_2' }];

  test('one that is left alone is neither changed nor counted', () => {
    const decision = decide({ b: { color: 'blue', toys: [] }, c: { toys: ['ball'] } }, live, {
      states: { b: 'unmanaged' },
    });
    expect(decision).toMatchObject({ actions: [], population: { live: [{ key: 'c', parts: 1 }] } });
  });

  test('what is kept is not counted', () => {
    const keep = keeping({ isProtected: (name) => name === 'box_1' });
    const decision = decide({ b: { toys: [] }, c: { toys: [] } }, live, { keep });
    expect(decision).toMatchObject({
      actions: [{ id: 'boxes/c#remove' }],
      population: {
        live: [
          { key: 'b', parts: 0 },
          { key: 'c', parts: 1 },
        ],
      },
    });
  });
});
