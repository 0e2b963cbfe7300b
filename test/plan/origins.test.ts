// Who moved a difference of a three-way plan: the files, the tenant, or both.
import { describe, expect, test } from 'vitest';
import type { Action, FieldChange, Finding, HeaderChange, Origin, PartOrigin } from '../../src/model/plan.generated.ts';
import type { FileChanges } from '../../src/plan/file-changes.ts';
import { openOrigins } from '../../src/plan/origins.ts';
import { type ActionParts, buildAction } from '../support/build-action.ts';
import { buildDecision } from '../support/build-decision.ts';
import { buildFinding } from '../support/build-plan.ts';

const kind = 'rate_limit_policies';
const isP = (of: string, key: string) => of === kind && key === 'p';

interface Scene {
  /** What the base would do, and what it reports. */
  readonly base?: readonly Action[];
  readonly findings?: readonly Finding[];
  /** How the files of policy `p` differ from the base. */
  readonly files?: 'same' | 'changed' | 'new item' | 'new section';
  readonly secrets?: readonly FieldChange[];
  readonly header?: readonly HeaderChange[];
}

function origins({ base = [], findings = [], files = 'changed', secrets = [], header = [] }: Scene) {
  const changes: FileChanges = {
    isNewSection: (of) => files === 'new section' && of === kind,
    isNewItem: (of, key) => files === 'new item' && isP(of, key),
    isChanged: (of, key) => files !== 'same' && isP(of, key),
    changedSecrets: (of, key) => (isP(of, key) ? secrets : []),
    changedKeys: () => [],
    isEmptied: () => false,
    header,
    sections: [],
  };
  return openOrigins(changes, [buildDecision(0, 0, { actions: [...base] })], findings);
}

const change = (field: string, before: unknown, after: unknown): FieldChange => ({ field, before, after });
/** An update of a listed item, whose live form has more fields than the files. */
const fields = (changes: readonly FieldChange[], parts: ActionParts = {}) =>
  buildAction({
    key: 'p',
    action: 'update',
    reason: 'different',
    before: { id: 'rlp_1' },
    after: { limit: 0 },
    changes,
    ...parts,
  });
const to = (limit: unknown, parts: ActionParts = {}) => fields([change('limit', 100, limit)], parts);
/** An action that sets texts or members of a container. */
const entire = (before: object | null, after: object | null, parts: ActionParts = {}) =>
  buildAction({ key: 'p', action: 'put', reason: 'different', before, after, ...parts });
const create = (after: object, parts: ActionParts = {}) =>
  buildAction({ key: 'p', action: 'create', reason: 'missing', before: null, after, ...parts });
const deletion = (part?: string) => buildAction({ key: 'p', ...(part !== undefined && { part }) });
const scopes = (before: readonly unknown[], after: readonly unknown[]) => entire({ scopes: before }, { scopes: after });

const part = (name: string, origin: Origin, ...base: readonly unknown[]): PartOrigin => ({
  part: name,
  origin,
  ...(base.length > 0 && { base: base[0] }),
});

describe('an action', () => {
  test.each<readonly [string, Action, Scene, Origin | readonly PartOrigin[]]>([
    ['the base has nothing to do', to(50), {}, 'change'],
    ['the base plans the same', to(50), { base: [to(50)] }, 'drift'],
    ['the base plans another value', to(50), { base: [to(80)] }, [part('limit', 'both', 80)]],
    ['the base plans the same of another item', to(50), { base: [to(50, { key: 'q' })] }, 'change'],
    ['the base plans the same of another kind', to(50), { base: [to(50, { kind: 'roles' })] }, 'change'],
    ['the base plans another field', to(50), { base: [fields([change('other', 1, 2)])] }, 'change'],
    [
      'the base plans what is below the field',
      fields([change('a', 1, 2)]),
      { base: [fields([change('a.b', 1, 2)])] },

      [part('a', 'both')],
    ],
    [
      'the base plans what is above the field',
      fields([change('a.b', 1, 2)]),
      { base: [fields([change('a', 1, 2)])] },

      [part('a.b', 'both')],
    ],
    [
      'the base plans a field whose name starts like it',
      fields([change('a', 1, 2)]),
      { base: [fields([change('ab', 1, 2)])] },
      'change',
    ],
    [
      'one field of each',
      fields([change('a', 1, 2), change('b', 1, 2)]),
      { base: [fields([change('a', 1, 2)])] },

      [part('a', 'drift'), part('b', 'change')],
    ],
    [
      'the base removes the field',
      to(50),
      { base: [fields([{ field: 'limit', before: 100 }])] },

      [part('limit', 'both')],
    ],
    ['the base wants null', to(50), { base: [to(null)] }, [part('limit', 'both', null)]],
    ['the same value with its fields in another order', to({ a: 1, b: 2 }), { base: [to({ b: 2, a: 1 })] }, 'drift'],
    ['the base creates the item', to(50), { base: [create({})] }, [part('limit', 'both')]],
    ['the base deletes the item', to(50), { base: [deletion()] }, [part('limit', 'both')]],
    ['both delete it', deletion(), { base: [deletion()] }, 'drift'],
    ['only the files delete it', deletion(), {}, 'change'],
    ['the base changes what is deleted', deletion(), { base: [to(50)] }, 'both'],
    ['the base deletes another one of its identity', deletion('rlp_1'), { base: [deletion('rlp_2')] }, 'both'],
    ['both create it', create({ a: 1 }), { base: [create({ a: 1 })] }, 'drift'],
    ['each creates another', create({ a: 1 }), { base: [create({ a: 2 })] }, 'both'],
    ['an item that is new in the files', create({}), { files: 'new item', base: [create({})] }, 'change'],
    ['an item of a new section', create({}), { files: 'new section', base: [create({})] }, 'change'],
    ['a secret that is set again', to(50, { reason: 'rotated' }), { base: [to(50)] }, null],
    ['a secret that the base sets again', to(50), { base: [to(50, { reason: 'rotated' })] }, 'change'],
    ['what is not read, and the base sends the same', to(50, { reason: 'unreadable' }), { base: [to(50)] }, null],
    ['what is not read, and the base sends another', to(50, { reason: 'unreadable' }), { base: [to(60)] }, 'change'],
    ['what is not read, and the base sends less', to(50, { reason: 'unreadable' }), {}, 'change'],
    ['a member that the base adds', scopes(['a'], ['a', 'b']), { base: [scopes(['a'], ['b', 'a'])] }, 'drift'],
    [
      'members of both',
      scopes([], ['a', 'b']),
      { base: [scopes([], ['a'])] },

      [part('/scopes/"a"', 'drift'), part('/scopes/"b"', 'change')],
    ],
    ['another member', scopes([], ['a']), { base: [scopes([], ['b'])] }, 'change'],
    [
      'a member that the base adds and the files remove',
      scopes(['a'], []),
      { base: [scopes(['b'], ['b', 'a'])] },

      [part('/scopes/"a"', 'both')],
    ],
    ['a member that both remove', scopes(['a', 'b'], ['b']), { base: [scopes(['a', 'c'], ['c'])] }, 'drift'],
    ['a list in place of nothing', entire(null, { l: ['a'] }), { base: [entire({}, { l: ['a'] })] }, 'drift'],
    ['a list that goes away', entire({ l: ['a'] }, {}), { base: [entire({ l: ['a'] }, { l: [] })] }, 'drift'],
    [
      'a text of a screen',
      entire({ a: { x: '1' } }, { a: { x: '2' } }),
      { base: [entire({ a: { x: '0' } }, { a: { x: '2' } })] },
      'drift',
    ],
    [
      'a text of another screen',
      entire({ a: { x: '1' } }, { a: { x: '2' } }),
      { base: [entire({ b: { x: '1' } }, { b: { x: '2' } })] },
      'change',
    ],
    ['a text that goes away', entire({ a: 'x' }, null), { base: [entire({ a: 'x' }, { a: null })] }, 'drift'],
    [
      'an item with the fields of the files alone: they are compared, not its changes',
      entire({ a: 1 }, { a: 2 }, { changes: [change('b', 1, 2)] }),
      { base: [fields([change('b', 1, 2)])] },
      'change',
    ],
    ['nothing that differs', entire({ a: 1 }, { a: 1 }), {}, 'change'],
    ['nothing that differs, and the base differs', entire({ a: 1 }, { a: 1 }), { base: [to(1)] }, 'both'],
    [
      'nothing that differs, and the tenant moved',
      entire({ a: 1 }, { a: 1 }),
      { base: [to(1)], files: 'same' },
      'drift',
    ],
    [
      'the base differs without a request, and the files changed',
      to(50),
      { findings: [buildFinding('LIVE_DIFFERENT', { key: 'p' })] },
      'both',
    ],
    [
      'the base differs without a request, and the files did not change',
      to(50),
      { findings: [buildFinding('LIVE_DIFFERENT', { key: 'p' })], files: 'same' },
      'drift',
    ],
    [
      'the base reports the same field',
      to(50),
      { findings: [buildFinding('LIVE_DIFFERENT', { key: 'p', changes: [change('limit', 100, 50)] })] },
      'drift',
    ],
    ['the base reports another item', to(50), { findings: [buildFinding('LIVE_DIFFERENT', { key: 'q' })] }, 'change'],
    ['a rule of the base kept it', to(50), { findings: [buildFinding('LIVE_UNDECLARED', { key: 'p' })] }, 'change'],
    ['the base could not check it', to(50), { findings: [buildFinding('LIVE_NOT_CHECKED', { key: 'p' })] }, 'change'],
  ])('%s', (_name, action, scene, expected) => {
    expect(origins(scene).ofAction(action)).toEqual(
      Array.isArray(expected) ? { origin: 'both', part_origins: expected } : { origin: expected },
    );
  });

  test('each of several actions of the base counts', () => {
    const base = [fields([change('a', 1, 2)]), fields([change('b', 1, 2)])];
    const scene = origins({ base });
    expect(scene.ofAction(fields([change('b', 1, 2)]))).toEqual({ origin: 'drift' });
    expect(scene.ofAction(fields([change('a', 1, 2)]))).toEqual({ origin: 'drift' });
  });
});

describe('a finding', () => {
  const finding = (code: Finding['code'], parts: Partial<Finding> = {}) => buildFinding(code, { key: 'p', ...parts });
  const different = finding('LIVE_DIFFERENT');
  const ofTenant = (key: string) => finding('RULE_UNMATCHED', { kind: 'tenant', key });
  const header = [{ field: 'guards.max_delete_count', source: null }];

  test.each<readonly [string, Finding, Scene, Origin]>([
    ['a rule that changed', ofTenant('guards.max_delete_count'), { header }, 'change'],
    ['a rule that did not change', ofTenant('guards.max_delete_percent'), { header }, null],
    [
      'an approval that was added',
      ofTenant('approvals: 0123'),
      { header: [{ field: 'approvals', source: null }] },
      'change',
    ],
    ['one of an entire kind', finding('LIVE_DIFFERENT', { key: '*' }), { files: 'new section' }, null],
    ['what is no difference', finding('LIVE_NOT_CHECKED'), {}, 'change'],
    ['what is no difference, of files that did not change', finding('LIVE_NOT_CHECKED'), { files: 'same' }, null],
    ['a difference of a new item', different, { files: 'new item', findings: [different] }, 'change'],
    ['a difference that the base has as well', different, { findings: [different] }, 'drift'],
    ['one that the base has with another message', different, { findings: [{ ...different, message: 'x' }] }, 'both'],
    ['an error of the files', finding('LIVE_NOT_FOUND'), { findings: [different], files: 'same' }, 'change'],
    [
      'an error that the base has as well',
      finding('LIVE_NOT_FOUND'),
      { findings: [finding('LIVE_NOT_FOUND')] },
      'drift',
    ],
    ['a difference that only the files have', different, {}, 'change'],
    ['a difference of what the base corrects', different, { base: [to(50)] }, 'both'],
    ['the same, of files that did not change', different, { base: [to(50)], files: 'same' }, 'drift'],
    [
      'a field that the base corrects',
      finding('LIVE_DIFFERENT', { changes: [change('limit', 100, 50)] }),
      { base: [to(50)] },
      'drift',
    ],
    [
      'a field that the base does not want',
      finding('LIVE_DIFFERENT', { changes: [change('limit', 100, 50)] }),
      {},
      'change',
    ],
    ['an undeclared item', finding('LIVE_UNDECLARED'), {}, 'change'],
    [
      'an undeclared item that the base reports',
      finding('LIVE_UNDECLARED'),
      { findings: [finding('LIVE_UNDECLARED')] },
      'drift',
    ],
    [
      'what no file can declare, of files that did not change',
      finding('LIVE_UNDECLARABLE'),
      { files: 'same' },
      'change',
    ],
    ['a secret', finding('LIVE_SECRET_NOT_COMPARED'), { files: 'same' }, null],
  ])('%s', (_name, one, scene, origin) => {
    expect(origins(scene).ofFinding(one)).toEqual({ origin });
  });

  test('a secret for which the files name another variable', () => {
    const secrets = [change('token', '${env:A}', '${env:B}')];
    expect(origins({ secrets }).ofFinding(finding('LIVE_SECRET_NOT_COMPARED'))).toEqual({
      origin: 'change',
      severity: 'warning',
      message: 'as the message says; the files name another variable than the base',
      changes: secrets,
    });
    expect(origins({ secrets }).ofFinding(different)).toEqual({ origin: 'change' });
    expect(origins({ secrets, files: 'same' }).ofFinding(finding('LIVE_SECRET_NOT_COMPARED', { key: 'q' }))).toEqual({
      origin: null,
    });
  });
});
