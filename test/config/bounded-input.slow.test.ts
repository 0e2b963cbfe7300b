// Limits of one file: each is refused at its place, before it costs more than its size.
import { expect, test } from 'vitest';
import { mostShown, openProblemList } from '../../src/config/errors/problem-list.ts';
import { firstTooMany, mostNodes, mostNodesIn, nodesIn } from '../../src/config/limits.ts';
import { loadDesired } from '../../src/config/load-desired.ts';
import { mostReferences } from '../../src/config/variables/references.ts';
import { noVariables } from '../../src/config/variables/variables.ts';
import { sourceText } from '../../src/diagnostics/source-text.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { renderProblems } from '../report/render.ts';
import { kinds } from '../support/all-kinds.ts';
import { anyText, openChoices } from '../support/generated-files.ts';
import { hostileInputs, policy } from '../support/hostile-inputs.ts';
import { diagnosticsOf, summaryOf } from '../support/load-files.ts';
import { memorySource } from '../support/memory-source.ts';

const places = (diagnostics: readonly Diagnostic[]) => diagnostics.map(summaryOf);

test('CONFIG_TOO_MANY_NODES: as many list items as are allowed, and one more', async () => {
  const listOf = (items: number) => ({ 'a.yaml': `roles: [${'a,'.repeat(items)}]\n` });
  // The key and the bracket count as well.
  const allowed = await diagnosticsOf(listOf(mostNodes - 2));
  expect(allowed[0]).toMatchObject({ code: 'CONFIG_WRONG_TYPE', source: { line: 1, column: 9 } });
  expect(places(await diagnosticsOf(listOf(mostNodes - 1)))).toEqual([
    `CONFIG_TOO_MANY_NODES a.yaml:1:${9 + 2 * (mostNodes - 2)} "a"`,
  ]);
});

test('CONFIG_TOO_MANY_NODES: lines', async () => {
  const lines = (count: number) => ({ 'a.yaml': `roles: []\n${'\n'.repeat(count - 2)}` });
  expect(await diagnosticsOf(lines(mostNodes))).toEqual([]);
  const [tooMany] = await diagnosticsOf(lines(mostNodes + 1));
  expect(tooMany).toMatchObject({
    code: 'CONFIG_TOO_MANY_NODES',
    source: { file: 'a.yaml', line: mostNodes },
    message:
      'The file has more than 200,000 keys and values, which is the limit. List items, brackets, escapes and lines count as well.',
    hint: 'split the file: sections of several files are joined',
  });
});

test('CONFIG_TOO_MANY_NODES: marks without values count apart', async () => {
  for (const mark of ['&a ', '!a ', ','])
    expect(places(await diagnosticsOf({ 'a.yaml': `[${mark.repeat(mostNodes + 1)}` })), mark).toEqual([
      `CONFIG_TOO_MANY_NODES a.yaml:1:${2 + mark.length * mostNodes} ${JSON.stringify(mark[0])}`,
    ]);
});

test('CONFIG_VARIABLE_LIMIT: references', async () => {
  const text = '${env:'.repeat(mostReferences + 1);
  const [first, ...others] = await diagnosticsOf({ 'a.yaml': `tenant:\n  name: "${text}"\n` });
  expect(first).toMatchObject({ code: 'CONFIG_VARIABLE_LIMIT', source: { line: 2, column: 9 } });
  expect(others).toEqual([]);
});

test('CONFIG_MORE_PROBLEMS: the first errors of a file in its order, in text and in JSON', async () => {
  const faulty = 300;
  const items = Array.from({ length: faulty }, (_, index) => policy(index, '    colour: red\n'));
  const diagnostics = await diagnosticsOf({
    'a.yaml': `rate_limit_policies:\n${items.join('')}`,
    'b.yaml': 'rolls: []\n',
  });
  const lines = diagnostics.map(({ source }) => source?.line);
  expect(lines).toEqual([...Array.from({ length: mostShown + 1 }, (_, index) => 8 + 7 * index), 1]);
  expect(diagnostics.at(-1)?.message).toBe('1 more file is not checked, because those before have 100 errors.');
  const more = diagnostics[mostShown];
  expect(more).toMatchObject({
    code: 'CONFIG_MORE_PROBLEMS',
    severity: 'error',
    message: 'And 200 more errors from here on. The first 100 are shown.',
    hint: 'fix the errors above and run the command again',
  });
  const text = renderProblems(diagnostics, 'text', 2);
  expect(text).toContain('And 200 more errors');
  expect(text).toContain('300 errors in 2 files');
  const json = JSON.parse(renderProblems(diagnostics, 'json', 2));
  expect(json.diagnostics).toHaveLength(mostShown + 2);
  expect(json.diagnostics[mostShown].message).toBe(more?.message);
  expect(json.summary).toEqual({ errors: 300, warnings: 0, files: 2 });
});

test('what is shown does not depend on the order in which problems are found', async () => {
  // The schema reports the unknown fields after the walk over the file has reported the equal keys below them.
  const unknown = Array.from({ length: 90 }, (_, index) => `  unknown${index}: v\n`).join('');
  const equal = '  name: a\n'.repeat(90);
  const diagnostics = await diagnosticsOf({ 'a.yaml': `tenant:\n${unknown}${equal}` });
  const lines = diagnostics.map(({ source }) => source?.line);
  expect(lines.slice(0, mostShown)).toEqual([
    ...Array.from({ length: 90 }, (_, index) => 2 + index),
    ...Array.from({ length: mostShown - 90 }, (_, index) => 93 + index),
  ]);
  expect(diagnostics.at(-1)).toMatchObject({ code: 'CONFIG_MORE_PROBLEMS', count: 79, source: { line: 103 } });
});

test('CONFIG_MORE_PROBLEMS: the order of files, not that of finding', () => {
  const list = openProblemList();
  const error = (file: string, line: number) =>
    list.report({
      code: 'CONFIG_WRONG_TYPE',
      message: `${line}`,
      at: { source: sourceText(file, '\n'.repeat(9)), start: line, end: line + 1 },
    });
  const files = Array.from({ length: 1_500 }, (_, index) => `${String(index).padStart(4, '0')}.yaml`);
  for (const file of files.toReversed()) for (const line of [1, 2, 3]) error(file, line);
  const diagnostics = list.finish(new Map());
  expect(diagnostics).toHaveLength(mostShown + 1);
  expect(diagnostics.at(-2)?.source).toEqual({ file: '0033.yaml', line: 2, column: 1 });
  expect(diagnostics.at(-1)).toMatchObject({
    message: 'And 4,400 more errors from here on. The first 100 are shown.',
    source: { file: '0033.yaml', line: 3, column: 1 },
    count: 4_400,
  });
});

test('CONFIG_MORE_PROBLEMS: problems without a place', () => {
  const list = openProblemList();
  for (let index = 0; index < 1_000; index += 1) list.report({ code: 'OPTION_MATCHES_NOTHING', message: `${index}` });
  expect(list.finish(new Map())).toHaveLength(mostShown + 1);
});

test('CONFIG_FOLDER_TOO_LARGE: bytes', async () => {
  const text = `roles: [] # ${'x'.repeat(3_900_000)}\n`;
  const files = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`${index + 10}.yaml`, text]));
  expect(places(await diagnosticsOf(files))).toEqual(['CONFIG_FOLDER_TOO_LARGE 22.yaml:1:1']);
});

test('CONFIG_FOLDER_TOO_LARGE: keys and values, before any file is parsed', async () => {
  // Not one of these files is YAML, and that is not reported. The key counts as well.
  const text = `tenant: ${'['.repeat(mostNodes - 1)}\n`;
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.yaml`, text]));
  expect(places(await diagnosticsOf(files(6)))).toEqual(['CONFIG_FOLDER_TOO_LARGE 5.yaml:1:1']);
  expect(firstTooMany(Object.keys(files(5)).map((file) => sourceText(file, text)))).toBeNull();
});

test('what may be too many keys and values, and is not', async () => {
  // A text has as many marks as a list of texts.
  const text = `prompts: { login: { x: "${'a,'.repeat(190_000)}" } }\n`;
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}.yaml`, text]));
  expect((await diagnosticsOf(files)).filter(({ code }) => code === 'CONFIG_FOLDER_TOO_LARGE')).toEqual([]);
});

test('the quick count of nodes is never below the exact one', () => {
  const texts = hostileInputs.map(({ make }) => make(50));
  for (let number = 0; number < 2_000; number += 1) texts.push(anyText(openChoices(number, 3)).written);
  for (const text of texts) expect(mostNodesIn(text), text).toBeGreaterThanOrEqual(nodesIn(text));
});

test('CONFIG_FOLDER_TOO_LARGE: texts, each time they are referred to', async () => {
  const screens = Array.from({ length: 13 }, (_, index) => `      s${index}: { form-content: { file: a.liquid } }\n`);
  const diagnostics = await diagnosticsOf({
    'a.yaml': `prompts:\n  login:\n    partials:\n${screens.join('')}`,
    'a.liquid': 'x'.repeat(4_000_000),
  });
  expect(diagnostics).toMatchObject([{ code: 'CONFIG_FOLDER_TOO_LARGE', source: { file: 'a.yaml', line: 16 } }]);
});

test('CONFIG_FOLDER_TOO_LARGE: values of variables', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 13 }, (_, index) => [
      `${index + 10}.yaml`,
      `prompts: { p${index}: { x: "\${env:TENANT_VAR_A}" } }\n`,
    ]),
  );
  const variables = { ...noVariables, env: { TENANT_VAR_A: 'x'.repeat(4_000_000) } };
  const { diagnostics } = await loadDesired(memorySource(files), kinds, variables);
  expect(diagnostics.find(({ code }) => code === 'CONFIG_FOLDER_TOO_LARGE')).toMatchObject({
    source: { file: '22.yaml', line: 1 },
  });
});

test('warnings are limited apart from errors', async () => {
  const points = Array.from({ length: 150 }, (_, index) => `        point-${index}: x\n`).join('');
  const text = `prompts:\n  login:\n    partials:\n      login:\n${points}rolls: []\n`;
  const diagnostics = await diagnosticsOf({ 'a.yaml': text });
  expect(diagnostics.at(-1)).toMatchObject({ code: 'CONFIG_UNKNOWN_FIELD', severity: 'error' });
  expect(diagnostics.at(-2)).toMatchObject({ code: 'CONFIG_MORE_PROBLEMS', severity: 'warning', count: 50 });
});

test('a text is made only for an error that is shown', () => {
  const { report, finish } = openProblemList();
  const source = sourceText('a.yaml', '\n'.repeat(1_000));
  let made = 0;
  for (let line = 0; line < 1_000; line += 1)
    report({
      at: { source, start: line, end: line + 1 },
      make: () => {
        made += 1;
        return { code: 'CONFIG_WRONG_TYPE', message: `${line}` };
      },
    });
  expect(finish(new Map())).toHaveLength(mostShown + 1);
  expect(made).toBe(mostShown);
});

test('a signal ends the check of a folder', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`${index}.yaml`, `rate_limit_policies:\n${policy(index)}`]),
  );
  const stop = new AbortController();
  const reason = new Error('stopped');
  setTimeout(() => stop.abort(reason));
  await expect(loadDesired(memorySource(files), kinds, noVariables, stop.signal)).rejects.toBe(reason);
});

test('a text of bad escapes is refused before each of them is an error', async () => {
  for (const bad of ['\\q', '\\u']) {
    const text = `tenant:\n  name: "${bad.repeat(mostNodes + 1)}"\n`;
    expect(places(await diagnosticsOf({ 'a.yaml': text }))).toEqual(['CONFIG_TOO_MANY_NODES a.yaml:2:9 "\\""']);
  }
});
