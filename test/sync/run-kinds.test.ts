import { describe, expect, test } from 'vitest';
import { runKinds, withRelated } from '../../src/engine/run-kinds.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { AnyKind, KindHead, KindName } from '../../src/model/kind.ts';
import { kinds as loadedKinds } from '../support/all-kinds.ts';

const head = (name: string, more: Partial<KindHead> = {}): KindHead => ({
  name: name as KindName,
  title: name,
  undeclared: 'report',
  ...more,
});

describe('the kinds that a run loads', () => {
  const all = [
    head('ports'),
    head('ships', { needs: ['ports', 'crews'] as unknown as KindName[], goneWith: ['ports'] as unknown as KindName[] }),
    head('crews', { needs: ['unions'] as unknown as KindName[] }),
    head('unions'),
    head('lights'),
  ];

  test.each([
    [[], []],
    [['lights'], ['lights']],
    [['crews'], ['crews', 'unions']],
    [['ships'], ['ships', 'ports', 'crews', 'unions']],
    // Ships go with their ports.
    [['ports'], ['ports', 'ships', 'crews', 'unions']],
  ])('%j', (names, expected) => {
    expect([...withRelated(new Set(names), all)]).toEqual(expected);
  });

  test('without any, the first one shows whether the tenant can be reached', async () => {
    const [first] = await runKinds({ kinds: [] }, kinds);
    expect(first?.name).toBe(kinds[0]?.name);
  });

  test('a list of loaded kinds stays as it is', async () => {
    expect(await runKinds({ kinds: [] }, loadedKinds)).toEqual(loadedKinds);
  });
});

describe.each(loadedKinds.map((kind): [string, AnyKind] => [kind.name, kind]))('%s', (name, kind) => {
  const found = kinds.find((one) => one.name === name);

  test('is what its head says', async () => {
    const { load, needs = [], goneWith = [], ...rest } = found ?? {};
    expect(kind).toMatchObject(rest);
    expect(await load?.()).toBe(kind);
    expect(needs).toEqual(expect.arrayContaining([...(kind.references?.to ?? [])]));
    expect(goneWith).toEqual(expect.arrayContaining([...(kind.references?.goneWith ?? [])]));
  });

  test('has a validator of its section', () => {
    expect(kind.section?.validate('no section')).toBe(false);
  });
});
