// Each mark of a write has evidence: a fixture that the embedded tenant replays, which reads no mark, or a reason why it is assumed.
import { describe, expect, test } from 'vitest';
import type { Resource } from '../../src/model/resource.ts';
import { evidenceOf, hasPlace, kindsWithFixtures, marksOf, nullsOf, splitMark } from '../support/kind-fixtures.ts';
import { replay } from '../support/replay-fixture.ts';

async function descriptionOf(folder: string): Promise<Resource> {
  return (await import(`../../src/service/${folder}/description.generated.ts`)).description;
}

describe.each(kindsWithFixtures)('$name', (kind) => {
  test.each(kind.fixtures)('$mark', async (fixture) => replay(fixture, kind));

  test('no mark of a write is without evidence', async () => {
    const { resources, fields } = await descriptionOf(kind.folder);
    const nulls = [
      ...nullsOf(fields),
      ...Object.entries(resources).flatMap(([name, one]) => nullsOf(one.fields, `/resources/${name}/fields`)),
    ];
    const missing = [...marksOf(kind.kind), ...nulls].filter((mark) => evidenceOf(mark, kind) === 'none');
    expect(missing).toEqual([]);
  });

  test('evidence is for something that the description has', () => {
    const marks = [...kind.fixtures.map(({ mark }) => mark), ...Object.keys(kind.assumed)];
    expect(marks.filter((mark) => !hasPlace(splitMark(mark), kind.kind))).toEqual([]);
  });
});
