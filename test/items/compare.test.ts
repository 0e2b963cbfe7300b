import { describe, expect, test } from 'vitest';
import { changesOf } from '../../src/items/compare.ts';
import type { Fields } from '../../src/model/field.ts';
import { type Names, noNames } from '../../src/model/names.ts';

const fields: Fields = {
  name: { identity: true },
  color: {},
  hint: { none: '' },
  expires: { nullable: true },
  tags: { list: 'set', items: {} },
  steps: { list: 'ordered', items: {} },
  labels: { map: {} },
  keys: { map: { secret: 'changed' } },
  page: { json: true },
  token: { secret: 'hidden' },
  code: { sides: 'CU' },
  owner: { ref: { to: 'clients' } },
  owners: { list: 'set', items: { ref: { to: 'clients' } } },
  light: { fields: { reach: {}, lamp: { none: 'led' } } },
  options: { forms: { by: 'strategy', beside: true, of: { radio: { band: {} } } } },
  strategy: { sides: 'CR' },
};

const names: Names = {
  ...noNames,
  find: (_to, name) => (name === 'Web' || name === 'id:c1' ? { is: 'live', id: 'c1' } : { is: 'unknown' }),
  nameOf: (_to, id) => (id === 'c1' ? 'Web' : `id:${id}`),
};

describe('the declared fields that differ', () => {
  test.each([
    ['a field that the files leave out is unmanaged', {}, { color: 'red' }, []],
    ['a value', { color: 'red' }, { color: 'blue' }, ['color: "blue" -> "red"']],
    ['a value that is not live', { color: 'red' }, {}, ['color:  -> "red"']],
    ['a value that is as much as nothing', { hint: '' }, {}, []],
    ['nothing, where the value is live that is as much', { hint: null }, { hint: '' }, []],
    ['null, where nothing is live', { expires: null }, {}, []],
    ['null, where something is live', { expires: null }, { expires: 5 }, ['expires: 5 -> ']],
    ['an object of nulls, where none is live', { light: { reach: null } }, {}, []],
    ['a set in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a', 'a'] }, []],
    ['an empty list that the tenant does not return', { tags: [] }, {}, []],
    ['an ordered list in another order', { steps: [1, 2] }, { steps: [2, 1] }, ['steps: [2,1] -> [1,2]']],
    [
      'a key of a map that the files leave out',
      { labels: { a: '1' } },
      { labels: { a: '1', 'b.c': '2' } },
      ['labels.b.c: "2" -> '],
    ],
    ['a key of a map that is not set', { labels: { a: '1' } }, { labels: { a: '1', b: null } }, []],
    ['a key of a map that is new', { labels: { a: '1' } }, {}, ['labels.a:  -> "1"']],
    ['secrets', { token: 'x', keys: { a: 'x' } }, { token: 'y', keys: { a: 'y' } }, []],
    ['a field that the service never returns', { code: 'x' }, {}, []],
    ['JSON', { page: { a: [1, 2] } }, { page: { a: [2, 1] } }, ['page: {"a":[2,1]} -> {"a":[1,2]}']],
    ['a nested field', { light: { reach: 1 } }, { light: { reach: 2, lamp: 'x' } }, ['light.reach: 2 -> 1']],
    ['a nested field that is as much as nothing', { light: { lamp: 'led' } }, { light: { reach: 2 } }, []],
    ['a reference by its name', { owner: 'Web' }, { owner: 'c1' }, []],
    ['a reference by its id', { owner: 'id:c1' }, { owner: 'c1' }, []],
    ['a name that is the id of another item', { owner: 'c1' }, { owner: 'c1' }, ['owner: "Web" -> "c1"']],
    ['another reference, by its name', { owner: 'Other' }, { owner: 'c1' }, ['owner: "Web" -> "Other"']],
    ['references in another order', { owners: ['id:c2', 'Web'] }, { owners: ['c1', 'c2'] }, []],
    [
      'a field of a form that a field beside it names',
      { strategy: 'radio', options: { band: 1 } },
      { strategy: 'radio', options: { band: 2 } },
      ['options.band: 2 -> 1'],
    ],
    [
      'an object of another form, which no update can change',
      { strategy: 'radio', options: { band: 1 } },
      { strategy: 'light', options: { color: 'red' } },
      ['strategy: "light" -> "radio"'],
    ],
    [
      'an object whose form the tenant does not return',
      { strategy: 'radio', options: { band: 1 } },
      {},
      ['strategy:  -> "radio"'],
    ],
  ])('%s', (_name, declared, live, expected) => {
    const text = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));
    const found = changesOf(fields, declared, live, { names });
    expect(found.map(({ field, before, after }) => `${field}: ${text(before)} -> ${text(after)}`)).toEqual(expected);
  });

  test('the path of a key with a dot', () => {
    expect(changesOf(fields, { labels: {} }, { labels: { 'b.c': 1 } })[0]?.path).toEqual(['labels', 'b.c']);
  });

  test('two spellings of a value in the field that has them', () => {
    const isSame = (field: string, live: unknown, declared: unknown) =>
      field === 'steps[].url' && live === 'x/' && declared === 'x';
    const steps: Fields = { steps: { list: 'ordered', items: { fields: { url: {} } } }, url: {} };
    expect(changesOf(steps, { steps: [{ url: 'x' }] }, { steps: [{ url: 'x/' }] }, { isSame })).toEqual([]);
    expect(changesOf(steps, { steps: [{ url: 'x/' }] }, { steps: [{ url: 'x' }] }, { isSame })).toHaveLength(1);
    expect(changesOf(steps, { url: 'x' }, { url: 'x/' }, { isSame })).toHaveLength(1);
  });
});
