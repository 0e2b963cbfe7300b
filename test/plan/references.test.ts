// Items that name others: what comes first, what has to go first, and what is left out.
import { describe, expect, test } from 'vitest';
import type { AnyKind, Decision, ItemState } from '../../src/model/kind.ts';
import { isThere, type Node } from '../../src/model/nodes.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { LiveState, Unreadable } from '../../src/model/reader.ts';
import { linkKinds } from '../../src/plan/link-kinds.ts';
import { openNames } from '../../src/plan/names.ts';
import { providedBy, relyingOnNodes, withNodes, withReferences } from '../../src/plan/references.ts';
import { buildAction } from '../support/build-action.ts';
import { buildDecision } from '../support/build-decision.ts';
import { desiredItem } from '../support/desired-section.ts';
import { keeping } from '../support/keep-rules.ts';
import { type Port, portNaming, ports, type Ship, shipsKind } from '../support/ports-and-ships.ts';

const forbidden: Unreadable = { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'status 403' };

/** Actions by `create ports/Delft`, `update ships/Ada (id s1)`. */
function action(text: string): Action {
  const [, does = '', kind = '', key = '', id] = /^(\w+) (\w+)\/(\w+)(?: \(id (\w+)\))?$/.exec(text) ?? [];
  const operation = `${does}_${kind.slice(0, -1)}`;
  const method = does === 'create' ? 'POST' : does === 'delete' ? 'DELETE' : 'PATCH';
  const request = { operation, method, path: id === undefined ? `/${kind}` : `/${kind}/${id}` } as const;
  return buildAction({
    kind,
    key,
    action: does as Action['action'],
    request,
    source: { file: 'f', line: 9, column: 1 },
  });
}

interface Scene {
  readonly livePorts?: readonly Port[] | Unreadable;
  readonly liveShips?: readonly Ship[];
  readonly declaredPorts?: Readonly<Record<string, ItemState>>;
  readonly declaredShips?: Readonly<Record<string, Omit<Ship, 'id' | 'name'>>>;
  readonly actions?: readonly string[];
  readonly isSelected?: (kind: string, key: string) => boolean;
  readonly ships?: AnyKind;
}

function linked(scene: Scene) {
  const { livePorts = [], liveShips = [], declaredPorts = {}, declaredShips = {}, actions = [] } = scene;
  const ships = scene.ships ?? shipsKind();
  const list: LiveState<Port> =
    'readable' in livePorts ? livePorts : { readable: true, filtered: false, items: livePorts };
  const portItems = Object.entries(declaredPorts).map(([key, state]) => ({
    ...desiredItem(key, { name: key }),
    state,
  }));
  const shipItems = Object.entries(declaredShips).map(([key, ship]) => desiredItem(key, { name: key, ...ship }));
  const named = { kind: 'ports', naming: portNaming, live: list, items: portItems, isManaged: true, keep: keeping({}) };
  const names = openNames((kind) => (kind === 'ports' ? named : undefined));
  const decide = (kind: string): Decision =>
    buildDecision(0, 0, { kind, actions: actions.map(action).filter((one) => one.kind === kind) });
  const live: LiveState<Ship> = { readable: true, filtered: false, items: liveShips };
  const kinds = [ports, ships];
  const items = new Map([
    ['ports', portItems],
    ['ships', shipItems],
  ]);
  const decisions = [
    withNodes(decide('ports'), ports, names),
    withReferences(decide('ships'), { kind: ships, kinds, items: shipItems, live, names }),
  ];
  const result = linkKinds(decisions, scene.isSelected ?? (() => true), (token, withdrawing) =>
    relyingOnNodes(kinds, (kind) => items.get(kind) ?? [], token, withdrawing),
  );
  const found = [...result.decisions.flatMap(({ findings }) => findings), ...result.relying];
  return {
    needs: Object.fromEntries(result.decisions.flatMap((one) => one.actions.map(({ id, needs }) => [id, needs]))),
    findings: found.map(
      ({ code, kind, key, message, source }) => `${code} ${kind}/${key} ${source?.column} ${message}`,
    ),
  };
}

const delft: Port = { port_id: 'p1', name: 'Delft', quays: ['a'] };

test('what is probably meant is looked for a hundred times at most', () => {
  const ships = Array.from({ length: 102 }, (_one, index) => [`s${index}`, { port: 'Delt' }] as const);
  const { findings } = linked({ livePorts: [delft], declaredShips: Object.fromEntries(ships) });
  expect(findings.filter((text) => text.endsWith('did you mean "Delft"?'))).toHaveLength(100);
  expect(findings.slice(100)).toEqual(
    ['s100', 's101'].map(
      (ship) =>
        `LIVE_NOT_FOUND ships/${ship} 6 no port on the tenant or in the files has the name "Delt"; create it, or correct the name`,
    ),
  );
});

test('an id that no list shows is no error where the tenant has it', () => {
  const scene = {
    liveShips: [{ id: 's1', name: 'Ada', port: 'p9' }],
    declaredShips: { Ada: { port: 'id:p9' } },
  } as const;
  expect(linked(scene).findings).toEqual([]);
});

describe('what names a new item', () => {
  const create = ['create ports/Delft', 'create ships/Ada'];
  const files = { declaredPorts: { Delft: 'present' }, declaredShips: { Ada: { port: 'Delft' } } } as const;

  test('comes after it', () => {
    expect(linked({ ...files, actions: create })).toEqual({
      needs: { 'ports/Delft': [], 'ships/Ada': ['ports/Delft'] },
      findings: [],
    });
  });

  test('is left out if the plan does not create it', () => {
    const findings = [
      'LIVE_NOT_FOUND ships/Ada 6 the port "Delft" is not on the tenant, and this plan does not create it; fix what is reported about it, or select it as well',
    ];
    expect(linked({ ...files, actions: ['create ships/Ada'] })).toEqual({ needs: {}, findings });
    const isSelected = (kind: string) => kind === 'ships';
    expect(linked({ ...files, actions: create, isSelected }).findings).toEqual(findings);
    expect(linked({ ...files, actions: [] }).findings).toEqual([]);
  });

  test('comes after what is new below a live item, and is left out if nothing adds it', () => {
    const scene = { ...files, livePorts: [delft], actions: ['create ships/Ada'] };
    expect(linked({ ...scene, declaredShips: { Ada: { port: 'Delft', quays: ['a'] } } }).needs).toEqual({
      'ships/Ada': [],
    });
    expect(linked({ ...scene, declaredShips: { Ada: { port: 'Delft', quays: ['a', 'b'] } } })).toEqual({
      needs: {},
      findings: [
        'LIVE_NOT_FOUND ships/Ada 9 the port "Delft" does not have quays/b, and this plan does not add it; correct it, or select the port as well',
      ],
    });
  });
});

describe('what names something that is not there', () => {
  test.each<[string, Scene, string]>([
    [
      'a misspelt name',
      { livePorts: [delft], declaredPorts: { Delft: 'present' }, declaredShips: { Ada: { port: 'Delt' } } },
      'LIVE_NOT_FOUND ships/Ada 6 no port on the tenant or in the files has the name "Delt"; did you mean "Delft"?',
    ],
    [
      'any name',
      { declaredShips: { Ada: { port: 'Oz' } } },
      'LIVE_NOT_FOUND ships/Ada 6 no port on the tenant or in the files has the name "Oz"; create it, or correct the name',
    ],
    [
      'an id',
      { declaredShips: { Ada: { port: 'id:p9' } } },
      'LIVE_NOT_FOUND ships/Ada 6 no port on the tenant has the id "p9"; correct it',
    ],
    [
      'a name that two have',
      {
        livePorts: [delft, { port_id: 'p0', name: 'Delft' }],
        declaredPorts: { Delft: 'present' },
        declaredShips: { Ada: { port: 'Delft' } },
      },
      'LIVE_AMBIGUOUS ships/Ada 6 2 ports have the name "Delft" (p0, p1); name one of them by its id: { id: p0 }',
    ],
    [
      'what the files delete',
      { livePorts: [delft], declaredPorts: { Delft: 'absent' }, declaredShips: { Ada: { port: 'Delft' } } },
      'LIVE_REFERENCED ships/Ada 6 names the port "Delft", which the files delete; keep the port, or name another one',
    ],
    [
      'what could not be read',
      { livePorts: forbidden, declaredShips: { Ada: { port: 'Delft' } } },
      'LIVE_FORBIDDEN ships/Ada 6 not changed, because it names the port "Delft" and ports could not be read: status 403',
    ],
  ])('%s is left out, and others are not', (_name, scene, finding) => {
    const declaredShips = { ...scene.declaredShips, Bea: {} };
    const actions = ['create ships/Ada', 'create ships/Bea'];
    expect(linked({ ...scene, declaredShips, actions })).toEqual({ needs: { 'ships/Bea': [] }, findings: [finding] });
  });
});

describe('an item that is deleted', () => {
  const ada: Ship = { id: 's1', name: 'Ada', port: 'p1' };
  const files = { livePorts: [delft], liveShips: [ada], declaredPorts: { Delft: 'absent' } } as const;

  test('goes after what names it, and after what ceases to', () => {
    const gone = linked({ ...files, actions: ['delete ports/Delft (id p1)', 'delete ships/Ada (id s1)'] });
    expect(gone.needs).toEqual({ 'ports/Delft': ['ships/Ada'], 'ships/Ada': [] });
    const other = linked({
      ...files,
      livePorts: [delft, { port_id: 'p2', name: 'Oz' }],
      declaredPorts: { Delft: 'absent', Oz: 'present' },
      declaredShips: { Ada: { port: 'Oz' } },
      actions: ['delete ports/Delft (id p1)', 'update ships/Ada (id s1)'],
    });
    expect(other).toEqual({ needs: { 'ports/Delft': ['ships/Ada'], 'ships/Ada': [] }, findings: [] });
  });

  test('waits for nothing that leaves the field alone', () => {
    const actions = ['delete ports/Delft (id p1)', 'update ships/Ada (id s1)'];
    expect(linked({ ...files, declaredShips: { Ada: {} }, actions }).needs).toEqual({
      'ports/Delft': [],
      'ships/Ada': [],
    });
  });

  test('stays if a declared item names it, which is an error at both places', () => {
    const scene: Scene = {
      ...files,
      declaredShips: { Ada: { port: 'Delft' } },
      actions: ['delete ports/Delft (id p1)'],
    };
    expect(linked(scene)).toEqual({
      needs: {},
      findings: [
        'LIVE_REFERENCED ships/Ada 6 names the port "Delft", which the files delete; keep the port, or name another one',
        'LIVE_REFERENCED ports/Delft 1 not deleted, because the files have an item that names it: ships/Ada',
      ],
    });
    expect(linked({ ...scene, declaredShips: { Ada: { port: 'id:p1' } } }).needs).toEqual({});
    // Also if that item is not selected.
    expect(linked({ ...scene, isSelected: (kind) => kind === 'ports' }).needs).toEqual({});
  });
});

test('what is there once actions are done: items, and what is below them', () => {
  const scopes = (...values: readonly string[]) => ({ scopes: values.map((value) => ({ value })) });
  const naming = {
    ...portNaming,
    nodesOf: ({ scopes: all }: ReturnType<typeof scopes>) => all.map(({ value }) => value),
  };
  const kinds = [{ ...ports, naming }] as readonly AnyKind[];
  const done = (does: Action['action'], before: object | null, after: object | null) =>
    providedBy([buildAction({ kind: 'ports', key: 'Delft', action: does, before, after } as Partial<Action>)], kinds);
  const [port, a, b] = [undefined, 'a', 'b'].map((below) => isThere({ kind: 'ports', key: 'Delft', below } as Node));
  expect(done('create', null, scopes('a', 'b'))).toEqual([port, a, b]);
  expect(done('add', scopes('a'), scopes('a', 'b'))).toEqual([port, b]);
  expect(done('remove', scopes('a', 'b'), scopes('a'))).toEqual([]);
  expect(done('delete', scopes('a'), null)).toEqual([]);
});
