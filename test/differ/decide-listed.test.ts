// The decision for a kind that can be listed, over lamps with a secret colour: preconditions, gains, secrets.
import { describe, expect, test } from 'vitest';
import type { Correction, ListedKind } from '../../src/differ/decide-difference.ts';
import { decideListed } from '../../src/differ/decide-listed.ts';
import type { Corrected } from '../../src/differ/draft.ts';
import type { DecideInput, ItemState, KeepRules } from '../../src/model/kind.ts';
import type { Operation } from '../../src/model/operation.ts';
import type { PlannedRequest } from '../../src/model/plan.generated.ts';
import type { OddField } from '../../src/model/reader.ts';
import { buildFinding } from '../support/build-plan.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';

interface Lamp {
  readonly watts: number;
  readonly colour?: string;
}
interface LiveLamp {
  readonly id: string;
  readonly name: string;
  readonly watts: number;
  readonly updated_at?: string;
}

const operation = (id: string): Operation => ({ id, api: 'full' }) as Operation;
const secret = { pointer: '/colour', env: 'COLOUR' };
const patch = (id: string, body: Record<string, unknown>): PlannedRequest => ({
  operation: 'update',
  method: 'PATCH',
  path: `/lamps/${id}`,
  body,
});

const lamps: ListedKind<Lamp, LiveLamp> = {
  kind: 'lamps',
  identity: ['name'],
  keyOf: ({ name }) => name,
  idOf: ({ id }) => id,
  protectedAs: (lamp) => ['name' in lamp ? lamp.name : 'declared'],
  changesOf: ({ watts: after }, { watts: before }) =>
    before === after ? [] : [{ field: 'watts', path: ['watts'], before, after }],
  liveForm: ({ watts }) => ({ watts }),
  corrections: {
    missing: {
      operation: operation('create'),
      correct: ({ watts, colour }) => ({
        request: {
          operation: 'create',
          method: 'POST',
          path: '/lamps',
          body: { watts },
          ...(colour !== undefined && { secrets: [secret] }),
        },
      }),
    },
    different: {
      operation: operation('update'),
      correct: ({ live: { id }, desired: { watts, colour } }) => ({
        // From 100 watts on, the colour goes along.
        request: { ...patch(id, { watts }), ...(colour !== undefined && watts >= 100 && { secrets: [secret] }) },
      }),
    },
    undeclared: {
      operation: operation('delete'),
      correct: ({ id }) => ({ request: { operation: 'delete', method: 'DELETE', path: `/lamps/${id}` } }),
    },
  },
  secrets: {
    operation: operation('update'),
    secretsOf: ({ colour }) => (colour === undefined ? [] : [{ isReturned: false, field: 'colour', place: secret }]),
    resend: ({ colour, watts: declared }, { id, watts }, changes) =>
      watts === 0
        ? { impossible: 'it is broken' }
        : {
            request: { ...patch(id, { ...(changes.length > 0 && { watts: declared }), colour }), secrets: [secret] },
            notes: ['sends the colour'],
          },
  },
};

function decide(
  declared: Readonly<Record<string, Lamp>>,
  live: readonly LiveLamp[],
  about: Partial<DecideInput<Lamp, LiveLamp>> = {},
  listed: ListedKind<Lamp, LiveLamp> = lamps,
) {
  return decideListed(listed, {
    desired: desiredSection(Object.entries(declared)),
    live: { readable: true, items: live, filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(),
    ...about,
  });
}

const lamp = (parts: Partial<LiveLamp> = {}): LiveLamp => ({ id: 'lmp_1', name: 'a', watts: 40, ...parts });

describe('fields that are not as expected', () => {
  const [odd, other] = [lamp(), lamp({ id: 'lmp_2', name: 'b' })];
  const decideOdd = (declared: Parameters<typeof decide>[0], fields: readonly OddField[]) =>
    decide(declared, [odd, other], {
      live: { readable: true, items: [odd, other], filtered: false, odd: new Map([[odd, fields]]) },
    });
  const unknown = (...fields: string[]) => fields.map((field) => ({ field, what: 'unknown' }) as const);
  const [same, changed] = [{ watts: 40 }, { watts: 60 }];

  test('are one finding of the item, and nothing else changes', () => {
    const fields = [...unknown('beam.angle', 'glow'), { field: 'made', what: 'form' } as const];
    const { actions, findings } = decideOdd({ a: same, b: changed }, fields);
    expect(actions.map(({ key, notes }) => ({ key, notes }))).toEqual([{ key: 'b', notes: undefined }]);
    expect(findings).toMatchObject([
      {
        code: 'LIVE_UNEXPECTED_FIELD',
        severity: 'warning',
        key: 'a',
        message:
          'this version does not know beam.angle, glow, and does not compare it; not of the expected form: made; ' +
          'an update that sends beam replaces this',
        source: expect.objectContaining({ file: 'files.yaml' }),
      },
    ]);
  });

  test('many are counted, and a long name is cut', () => {
    const names = Array.from({ length: 12 }, (_none, index) => `${'n'.repeat(200)}${index}`);
    const [finding] = decideOdd({ a: same, b: same }, unknown(...names)).findings;
    expect(finding?.message).toMatch(/^this version does not know n{100}….* and 2 more, and does not compare it$/);
  });

  test('an update names those that it replaces', () => {
    const noteOf = (field: string) => decideOdd({ a: changed, b: same }, unknown(field)).actions[0]?.notes;
    expect(noteOf('watts.peak')).toEqual(['replaces what is not as this version expects it: watts.peak']);
    expect(noteOf('glow')).toBeUndefined();
  });

  test('a delete names them all', () => {
    const { actions, findings } = decideOdd({ b: same }, unknown('glow'));
    expect(actions).toMatchObject([
      { action: 'delete', key: 'a', notes: ['deletes what is not as this version expects it: glow'] },
    ]);
    expect(findings).toMatchObject([{ code: 'LIVE_UNEXPECTED_FIELD', key: 'a', source: null }]);
  });

  test('an item whose identity cannot be declared is kept', () => {
    const { actions, findings, losses } = decideOdd({ b: same }, [{ field: 'name', what: 'form' }]);
    expect({ actions, losses }).toEqual({ actions: [], losses: [] });
    expect(findings).toMatchObject([
      { code: 'LIVE_UNDELETABLE', key: 'a', message: expect.stringContaining('can declare its name') },
      { code: 'LIVE_UNEXPECTED_FIELD', key: 'a' },
    ]);
  });
});

describe('preconditions', () => {
  const ofUpdate = (live: LiveLamp) => decide({ a: { watts: 60 } }, [live]).actions[0]?.precondition;
  const ofDelete = (live: LiveLamp) => decide({}, [live]).actions[0]?.precondition;

  test('a create relies on nothing being there', () => {
    expect(decide({ a: { watts: 60 } }, []).actions).toMatchObject([{ action: 'create', precondition: 'absent' }]);
  });

  test('an update and a delete rely on the same live state: id and compared fields, no times', () => {
    expect(ofUpdate(lamp())).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(ofDelete(lamp())).toBe(ofUpdate(lamp()));
    expect(ofUpdate(lamp({ updated_at: '2026-11-21T10:00:00Z' }))).toBe(ofUpdate(lamp()));
    expect(ofUpdate({ watts: 40, name: 'a', id: 'lmp_1' })).toBe(ofUpdate(lamp()));
  });

  test('it is another one when a compared field or the item is another', () => {
    const all = [lamp(), lamp({ watts: 41 }), lamp({ id: 'lmp_2' })].map(ofUpdate);
    expect(new Set([...all, ofDelete(lamp({ name: 'b' }))]).size).toBe(4);
  });

  test('what the files declare has no influence', () => {
    expect(decide({ a: { watts: 75 } }, [lamp()]).actions[0]?.precondition).toBe(ofUpdate(lamp()));
  });

  test('a secret that is sent again relies on it as well', () => {
    const about = { rotate: new Set(['a']) };
    const [alone] = decide({ a: { watts: 40, colour: 'red' } }, [lamp()], about).actions;
    const [together] = decide({ a: { watts: 60, colour: 'red' } }, [lamp()], about).actions;
    expect([alone?.precondition, together?.precondition]).toEqual([ofUpdate(lamp()), ofUpdate(lamp())]);
  });
});

describe('an earlier deletion', () => {
  const [first, twin] = [lamp(), lamp({ id: 'lmp_2', watts: 41 })];
  const declared = { a: { watts: 40 } };
  const deletion = decide(declared, [first, twin]).actions;
  const findingsFor = (live: readonly LiveLamp[]) => decide(declared, live, { watched: deletion }).findings;

  test('of a duplicate is planned as long as both are live', () => {
    expect(deletion).toMatchObject([{ action: 'delete', reason: 'duplicate', before: { id: 'lmp_2' } }]);
    expect(decide(declared, [first, twin], { watched: deletion }).actions).toMatchObject([{ action: 'delete' }]);
    expect(findingsFor([first, twin]).filter(({ code }) => code === 'LIVE_DIFFERENT')).toEqual([]);
  });

  test('has reached its goal once the item is gone', () => {
    expect(findingsFor([first])).toEqual([]);
  });

  test('has not if the item is the declared one now: it is left, and reported', () => {
    expect(findingsFor([{ ...twin, watts: 40 }])).toMatchObject([
      { code: 'LIVE_DIFFERENT', key: 'a', message: expect.stringContaining('lmp_2 was to be deleted') },
    ]);
  });

  test('has not if the item has another identity now', () => {
    expect(findingsFor([first, { ...twin, name: 'b' }])).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ code: 'LIVE_DIFFERENT', message: expect.stringContaining('lmp_2 is b now') }),
      ]),
    );
  });
});

describe('what nothing available corrects', () => {
  const { secrets: _none, ...plain } = lamps;
  const declared = { a: { watts: 60 }, new: { watts: 1 } };
  const live = [lamp(), lamp({ id: 'lmp_2', name: 'old' })];
  const missing = 'declared but missing on the tenant; no available operation can create it';
  const different = 'differs from the files; no available operation can change it';
  const undeclared = 'on the tenant but not declared; no available operation can delete it';
  const all = [`LIVE_DIFFERENT a: ${different}`, `LIVE_MISSING new: ${missing}`, `LIVE_UNDELETABLE old: ${undeclared}`];
  const textsOf = ({ findings }: ReturnType<typeof decide>) =>
    findings.map(({ code, key, message }) => `${code} ${key}: ${message}`);

  test('has no operation', () => {
    const decision = decide(declared, live, {}, { ...plain, corrections: {} });
    expect([decision.actions, decision.losses, decision.gains, textsOf(decision)]).toEqual([[], [], [], all]);
    expect(decision.findings[0]?.changes).toEqual([{ field: 'watts', before: 40, after: 60 }]);
    expect(decision.findings.map(({ source }) => source?.line ?? null)).toEqual([2, 3, null]);
  });

  test('has none at the API level of the files', () => {
    expect(textsOf(decide(declared, live, { api: 'documented' }, plain))).toEqual(all);
    expect(decide(declared, live, {}, plain).actions).toHaveLength(3);
  });

  test('the kind refuses it', () => {
    const refused = { operation: operation('x'), correct: () => ({ impossible: 'it is dark' }) };
    const corrections = { missing: refused, different: refused, undeclared: refused };
    expect(textsOf(decide(declared, live, {}, { ...plain, corrections }))).toEqual(
      all.map((text) => text.replace(/no available .*/, 'it is dark')),
    );
  });

  test('an id that the specification does not allow is never sent', () => {
    const validate = Object.assign(({ id }: { id: string }) => id.length < 6, {
      errors: [{ keyword: 'maxLength', params: { limit: 5 } }],
    });
    const short = { ...operation('short'), params: { validate } } as unknown as Operation;
    const why = 'its id is longer than the 5 characters that the service specification allows';
    const { missing: create, different: update, undeclared: remove } = plain.corrections;
    if (create === undefined || update === undefined || remove === undefined) throw new Error('no corrections');
    const limited = {
      ...plain,
      corrections: {
        missing: { ...create, operation: short },
        different: { ...update, operation: short },
        undeclared: { ...remove, operation: short },
      },
    };
    const long = [lamp({ id: 'lmp_10' }), lamp({ id: 'lmp_20', name: 'old' })];
    const decision = decide(declared, long, {}, limited);
    expect(decision.actions.map(({ action }) => action)).toEqual(['create']);
    expect(textsOf(decision)).toEqual([
      `LIVE_DIFFERENT a: differs from the files; ${why}`,
      `LIVE_UNDELETABLE old: on the tenant but not declared; ${why}`,
    ]);
    expect(decide(declared, live, {}, limited).findings).toEqual([]);
  });

  test('a secret of such an item is not sent either', () => {
    const validate = Object.assign(() => false, { errors: [{ keyword: 'maxLength', params: { limit: 5 } }] });
    const { secrets } = lamps;
    if (secrets === undefined) throw new Error('no secrets');
    const hook = { ...secrets, operation: { ...operation('short'), params: { validate } } as unknown as Operation };
    const red = { a: { watts: 40, colour: 'red' } };
    const { actions, findings } = decide(red, [lamp()], { rotate: new Set(['a']) }, { ...lamps, secrets: hook });
    expect([actions, findings.map(({ message }) => message)]).toEqual([
      [],
      [
        'its colour is not sent although --rotate names this item; its id is longer than the 5 characters that the service specification allows',
      ],
    ]);
  });
});

describe('an earlier action of a listed item', () => {
  const update = decide({ a: { watts: 60 } }, [lamp()]).actions;
  const findingsOf = (live: readonly LiveLamp[], watched = update) =>
    decide({ a: { watts: 40 } }, live, { watched, keep: keeping({ undeclared: 'ignore' }) }).findings;

  test('an update of an item that is still there has nothing to report', () => {
    expect(findingsOf([lamp()])).toEqual([]);
    expect(findingsOf([lamp({ id: 'lmp_2' })])).toEqual([]);
  });

  test('an update of an item that has another identity now has', () => {
    expect(findingsOf([lamp({ name: 'b' }), lamp({ id: 'lmp_2' })])).toEqual([
      buildFinding('LIVE_DIFFERENT', {
        kind: 'lamps',
        key: 'a',
        message: 'its identity was changed on the tenant: lmp_1 is b now',
      }),
    ]);
  });

  test('a create has no id to look for', () => {
    const created = decide({ a: { watts: 60 } }, []).actions;
    expect(findingsOf([lamp({ id: 'undefined', name: 'b' })], created)).toEqual([]);
  });
});

test('names for patterns are not known of a part of the list', () => {
  const keep = keeping({ patterns: ['x'] });
  const live = { readable: true, items: [lamp()], filtered: true } as const;
  expect(decide({}, [], { keep, live }).names).toBeNull();
  expect(decide({}, [], { keep, live: { ...live, filtered: false } }).names).toEqual(['a']);
  expect(decide({}, [], { live: { ...live, filtered: false } }).names).toBeNull();
});

test('a list that cannot be read decides nothing', () => {
  const live = { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'status 403' } as const;
  const section = withStates(
    desiredSection([
      ['a', { watts: 1 }],
      ['b', { watts: 1 }],
      ['c', { watts: 1 }],
    ] as const),
    {
      b: 'unmanaged',
      c: 'absent',
    },
  );
  expect(decide({}, [], { live, desired: section })).toEqual({
    kind: 'lamps',
    actions: [],
    findings: [
      buildFinding('LIVE_FORBIDDEN', {
        kind: 'lamps',
        key: '*',
        message: 'status 403',
        source: { file: 'files.yaml', line: 1, column: 1 },
      }),
    ],
    losses: [],
    asked: [],
    gains: [],
    unreadable: live,
    population: { declared: 2, live: [], filtered: false, unit: { verb: 'delete', one: 'item', many: 'items' } },
    names: null,
  });
});

test('notes of a correction are notes of its action', () => {
  const { missing, different, undeclared } = lamps.corrections;
  const noted = <Input>(correction: Correction<Input> | undefined) =>
    correction && {
      ...correction,
      correct: (input: Input) => ({ ...correction.correct(input), notes: ['hot'] }) as Corrected,
    };
  const [create, update, erase] = [noted(missing), noted(different), noted(undeclared)];
  if (create === undefined || update === undefined || erase === undefined) throw new Error('no corrections');
  const { secrets: _none, ...plain } = lamps;
  const kind = { ...plain, corrections: { missing: create, different: update, undeclared: erase } };
  const { actions } = decide(
    { new: { watts: 1 }, a: { watts: 60 } },
    [lamp(), lamp({ id: 'lmp_2', name: 'old' })],
    {},
    kind,
  );
  expect(actions.map(({ id, reason, notes, source }) => [id, reason, notes, source?.column ?? null])).toEqual([
    ['lamps/new', 'missing', ['hot'], 1],
    ['lamps/a', 'different', ['hot'], 1],
    ['lamps/old', 'undeclared', ['hot'], null],
  ]);
});

test('creates are gains, updates are not', () => {
  const { gains, losses } = decide({ new: { watts: 1 }, a: { watts: 60 } }, [
    lamp(),
    lamp({ id: 'lmp_2', name: 'old' }),
  ]);
  expect(gains).toEqual(['lamps/new']);
  expect(losses).toEqual([{ id: 'lamps/old', item: 'lamps/old#lmp_2' }]);
});

describe('items that stay although the files do not list them', () => {
  const [a, twin, nameless] = [lamp(), lamp({ id: 'lmp_2' }), lamp({ id: 'a', name: '' })];
  const codesOf = ({ findings }: ReturnType<typeof decide>) => findings.map(({ code, key }) => `${code} ${key}`);

  test.each(['report', 'ignore'] as const)('a second item of a declared identity: %s', (undeclared) => {
    const decision = decide({ a: { watts: 40 } }, [a, twin], { keep: keeping({ undeclared }) });
    expect(decision.actions).toEqual([]);
    expect(codesOf(decision)).toEqual(['LIVE_DUPLICATE a']);
    expect(decision.findings[0]).toMatchObject({
      message: `a second live item with this identity (lmp_2); kept because undeclared is ${undeclared}`,
      source: { line: 2, column: 1 },
    });
    expect(decision.population.live).toEqual([{ key: 'a', parts: 1 }]);
    expect(decide({ a: { watts: 40 } }, [a, twin]).actions).toMatchObject([{ action: 'delete', part: 'lmp_2' }]);
  });

  test('several, none of which is as declared: nobody knows which one to keep', () => {
    const decision = decide({ a: { watts: 1 } }, [twin, a]);
    expect([decision.actions, decision.losses]).toEqual([[], []]);
    expect(decision.findings).toEqual([
      buildFinding('LIVE_DUPLICATE', {
        kind: 'lamps',
        key: 'a',
        message:
          '2 live items have this identity (lmp_1, lmp_2) and none matches the files; delete the extra ones on the tenant',
        source: { file: 'files.yaml', line: 2, column: 1 },
      }),
    ]);
  });

  test.each<readonly ['report' | 'ignore', readonly string[]]>([
    ['report', ['LIVE_UNDECLARED a']],
    ['ignore', []],
  ])('an undeclared one: %s', (undeclared, codes) => {
    const decision = decide({}, [a], { keep: keeping({ undeclared }) });
    expect([decision.actions, codesOf(decision)]).toEqual([[], codes]);
  });

  test('what cannot be declared is matched with nothing, also where a declared name is its id', () => {
    const named = { ...lamps, undeclarable: ({ name }: LiveLamp) => (name === '' ? 'it is dark' : null) };
    const about = { watched: [] };
    const decision = decide({ a: { watts: 40 } }, [nameless], about, named);
    expect(decision.actions.map(({ id }) => id)).toEqual(['lamps/a']);
    expect(decision.findings).toEqual([
      buildFinding('LIVE_UNDECLARABLE', {
        kind: 'lamps',
        key: 'a',
        message: 'on the tenant; left alone because it is dark, so no file can declare it',
      }),
    ]);
    expect(decision.population.live).toEqual([]);
    expect(decide({}, [nameless], { keep: keeping({ undeclared: 'ignore' }) }, named).findings).toEqual([]);
  });
});

test('guards count live items that no rule keeps, and names for patterns are those of both sides', () => {
  const old = lamp({ id: 'lmp_2', name: 'old' });
  const withOld = (keep: KeepRules) => decide({ new: { watts: 1 }, a: { watts: 60 } }, [lamp(), old], { keep });
  const a = { key: 'a', parts: 1 };
  expect(withOld(keepNothing)).toMatchObject({
    population: { live: [a, { key: 'old', parts: 1 }] },
    names: null,
  });
  for (const undeclared of ['report', 'ignore'] as const)
    expect(withOld(keeping({ undeclared })).population.live).toEqual([a]);
  const protecting = withOld(keeping({ patterns: ['old'], isProtected: (name) => name === 'old' }));
  expect(protecting).toMatchObject({ population: { live: [a] }, names: ['declared', 'declared', 'a', 'old'] });
});

describe('items that are not declared present', () => {
  const [a, old] = [lamp(), lamp({ id: 'lmp_2', name: 'old' })];
  const ofOld = (state: ItemState, about: Parameters<typeof decide>[2] = {}, live = [a, old], listed = lamps) => {
    const section = desiredSection([
      ['a', { watts: 40 }],
      ['old', { colour: 'red' } as Lamp],
    ]);
    return decide({}, live, { desired: withStates(section, { old: state }), ...about }, listed);
  };
  const place = { file: 'files.yaml', line: 3, column: 1 };

  test('absent and live: deleted, and a loss, whatever undeclared is', () => {
    for (const keep of [keepNothing, keeping({ undeclared: 'report' }), keeping({ undeclared: 'ignore' })]) {
      const { actions, losses, findings, population } = ofOld('absent', { keep });
      expect(actions).toMatchObject([
        { id: 'lamps/old', action: 'delete', reason: 'absent', before: { id: 'lmp_2' }, after: null, source: place },
      ]);
      expect(losses).toEqual([{ id: 'lamps/old', item: 'lamps/old#lmp_2' }]);
      expect(population).toMatchObject({ declared: 1, live: [{ key: 'a' }, { key: 'old' }] });
      expect(findings).toEqual([]);
    }
  });

  test('absent and live several times: each is deleted', () => {
    const { actions } = ofOld('absent', {}, [old, lamp({ id: 'lmp_3', name: 'old' })]);
    expect(actions.filter(({ reason }) => reason === 'absent').map(({ id }) => id)).toEqual([
      'lamps/old#lmp_2',
      'lamps/old#lmp_3',
    ]);
  });

  test('absent and not live: nothing', () => {
    expect(ofOld('absent', {}, [a])).toMatchObject({ actions: [], findings: [], losses: [] });
  });

  test('absent, and a pattern of protect covers the name that only the tenant shows: kept', () => {
    const keep = keeping({ patterns: ['old'], isProtected: (name) => name === 'old' });
    expect(ofOld('absent', { keep })).toMatchObject({
      actions: [],
      losses: [],
      findings: [
        { code: 'LIVE_PROTECTED', message: 'on the tenant but declared absent; kept because it is protected' },
      ],
    });
  });

  test('absent, and no available operation deletes it: a finding', () => {
    const { secrets: _none, ...plain } = lamps;
    const { actions, findings } = ofOld('absent', {}, [a, old], { ...plain, corrections: {} });
    expect(actions).toEqual([]);
    expect(findings).toMatchObject([
      {
        code: 'LIVE_UNDELETABLE',
        message: 'on the tenant but declared absent; no available operation can delete it',
        source: place,
      },
    ]);
  });

  test('unmanaged and live: kept, reported, and counted by no guard', () => {
    const { actions, losses, findings, population } = ofOld('unmanaged');
    expect({ actions, losses }).toEqual({ actions: [], losses: [] });
    expect(findings).toMatchObject([
      {
        code: 'LIVE_UNMANAGED',
        severity: 'note',
        key: 'old',
        message: 'on the tenant; left alone because the files declare it unmanaged',
        source: place,
      },
    ]);
    expect(population).toMatchObject({ declared: 1, live: [{ key: 'a' }] });
  });

  test('unmanaged and not live: nothing', () => {
    expect(ofOld('unmanaged', {}, [a])).toMatchObject({ actions: [], findings: [], losses: [] });
  });

  test('no secret of them is compared or sent', () => {
    for (const state of ['absent', 'unmanaged'] as const)
      expect(JSON.stringify(ofOld(state, { rotate: new Set(['old']) }))).not.toContain('colour');
  });
});

describe('secrets', () => {
  const red = { watts: 40, colour: 'red' };
  const notCompared = (message: string) =>
    buildFinding('LIVE_SECRET_NOT_COMPARED', {
      kind: 'lamps',
      key: 'a',
      message,
      source: { file: 'files.yaml', line: 2, column: '/colour'.length + 1 },
    });
  const unseen = notCompared(
    'its colour cannot be compared because the tenant never returns it; resend it with apply --rotate lamps/a',
  );
  const notSent = (why: string) => notCompared(`its colour is not sent although --rotate names this item; ${why}`);
  const twins = [lamp(), lamp({ id: 'lmp_2' })];

  test.each<[string, Lamp, LiveLamp[], boolean, unknown[], unknown[]]>([
    ['in sync: reported', red, [lamp()], false, [], [unseen]],
    [
      'beside an update without it: reported',
      { ...red, watts: 60 },
      [lamp()],
      false,
      [{ reason: 'different' }],
      [unseen],
    ],
    ['an update that sends it', { ...red, watts: 100 }, [lamp()], false, [{ request: { secrets: [secret] } }], []],
    ['a create sends it', red, [], false, [{ action: 'create' }], []],
    ['no secret declared', { watts: 40 }, [lamp()], true, [], []],
    [
      'asked for, in sync: an update of its own',
      red,
      [lamp()],
      true,
      [
        {
          id: 'lamps/a',
          reason: 'rotated',
          changes: [],
          notes: ['sends the colour'],
          request: { body: { colour: 'red' }, secrets: [secret] },
        },
      ],
      [],
    ],
    [
      'asked for, beside an update: one request',
      { ...red, watts: 60 },
      [lamp()],
      true,
      [{ id: 'lamps/a', reason: 'different', request: { body: { watts: 60, colour: 'red' }, secrets: [secret] } }],
      [],
    ],
    ['asked for, impossible', { ...red, watts: 0 }, [lamp({ watts: 0 })], true, [], [notSent('it is broken')]],
    ['not asked for, impossible', { ...red, watts: 0 }, [lamp({ watts: 0 })], false, [], []],
  ])('%s', (_name, declared, live, asked, actions, findings) => {
    const decision = decide({ a: declared }, live, { rotate: new Set(asked ? ['a'] : ['other']) });
    expect(decision.actions).toMatchObject(actions);
    expect(decision.actions).toHaveLength(actions.length);
    expect(decision.findings).toEqual(findings);
  });

  test('several live items of a name: nobody knows which one', () => {
    const { actions, findings } = decide({ a: red }, twins, { rotate: new Set(['a']) });
    expect(actions.map(({ action }) => action)).toEqual(['delete']);
    expect(findings).toEqual([notSent('several live items have this name')]);
  });

  test('without an operation that sends it, nothing is reported', () => {
    expect(decide({ a: red }, [lamp()], { api: 'documented', rotate: new Set(['a']) })).toMatchObject({
      actions: [],
      findings: [],
    });
  });
});
