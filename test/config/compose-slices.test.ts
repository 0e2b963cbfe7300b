// A large file is composed in slices, and gives the same tree and the same mistakes as the library alone.

import { expect, test } from 'vitest';
import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import { openPauses } from '../../src/config/pauses.ts';
import { composeDocument } from '../../src/config/yaml/compose-document.ts';
import { anyText, openChoices } from '../support/generated-files.ts';
import { hostileInputs } from '../support/hostile-inputs.ts';
import { thorough } from '../support/thorough.ts';

/** A key that is long enough to be composed in slices is too long, and the library may report one of the two. */
const keyMistakes = new Set(['MULTILINE_IMPLICIT_KEY', 'KEY_OVER_1024_CHARS']);

async function composed(text: string, sliceLength: number) {
  const found = await composeDocument(text, openPauses(), sliceLength);
  if ('problem' in found) return found;
  const others = found.mistakes.filter(({ code }) => !keyMistakes.has(code));
  const mistakes = [...new Set(others.map(({ code, start, end }) => `${start} ${end} ${code}`))].sort();
  const isWrong = found.mistakes.length > 0;
  return { version: found.version, isWrong, mistakes, tree: isWrong ? null : outlined(found.root) };
}

function outlined(node: unknown): unknown {
  if (isPair(node)) return [outlined(node.key), outlined(node.value)];
  if (isAlias(node)) return ['*', node.source, node.range];
  if (isScalar(node)) return [node.value, node.type, node.tag, node.anchor, node.range];
  if (!isMap(node) && !isSeq(node)) return node;
  return [isMap(node) ? 'map' : 'list', node.flow, node.tag, node.anchor, node.range, node.items.map(outlined)];
}

async function expectSame(text: string, sliceLength: number) {
  const atOnce = await composed(text, Number.POSITIVE_INFINITY);
  // Here, keys are short.
  if ('mistakes' in atOnce && atOnce.isWrong && atOnce.mistakes.length === 0) return;
  expect(
    await composed(text, sliceLength),
    `slices of ${sliceLength}: ${JSON.stringify(text.slice(0, 1_000))}`,
  ).toEqual(atOnce);
}

for (const input of hostileInputs)
  test(input.name, async () => {
    for (const units of [20, 60]) await expectSame(input.make(units), 16);
    await expectSame(input.make(60).repeat(3), 16);
  });

test('generated files', async () => {
  for (let number = 0; number < (thorough ? 3_000 : 500); number += 1) {
    const choices = openChoices(number, 7);
    const { written } = anyText(choices);
    const wrapped = choices.chance(0.5) ? written : written.repeat(3);
    for (const sliceLength of [1, 16]) await expectSame(wrapped, sliceLength);
  }
}, 300_000);

test('long lists and mappings in each other', async () => {
  const many = (unit: (index: number) => string) => Array.from({ length: 16 }, (_, index) => unit(index)).join('');
  const texts = [
    many((index) => `k${index}:\n${many((inner) => `  - { a: ${inner}, b: [${many((deep) => `${deep}, `)}] }\n`)}`),
    many((index) => `- - x${index}\n  - y\n  # a comment\n  -\n    - z\n`),
    many((index) => `? [a, b${index}]\n: - c\n  - d\n`),
    `{ ${many((index) => `k${index}: [ ${many((inner) => `a: ${inner}, `)} ], ? b${index}, `)} }`,
    `a: &x [${many((index) => `&y${index} v, *x, `)}]\nb: *x\n`,
    many((index) => `k${index}: |\n  text\n  more\n\n# comment\n`),
  ];
  for (const text of texts) for (const sliceLength of [1, 7, 64]) await expectSame(text, sliceLength);
}, 300_000);
