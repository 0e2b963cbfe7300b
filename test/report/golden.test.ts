import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Format, joined } from '../../src/report/document.ts';
import { type FormatName, formatRow } from '../../src/report/formats.ts';
import { sameChanges } from '../../src/report/same-changes.ts';
import { fleet } from './fleet.ts';
import { context, sampleReports, threeWayPlan } from './sample-reports.ts';

/** UPDATE_GOLDEN=1 writes the files anew; reviewing the difference decides. */
const update = process.env['UPDATE_GOLDEN'] === '1';
const folder = join(import.meta.dirname, 'golden');
const extensions: Readonly<Record<Format, string>> = {
  text: 'txt',
  markdown: 'md',
  github: 'github.txt',
  json: 'json',
};
const formats = Object.keys(extensions) as Format[];
const cases = Object.entries(sampleReports).flatMap(([name, render]) =>
  formats.map((format) => ({ file: `${name}.${extensions[format]}`, render, format })),
);

/** A format that is long: one plan with everything that a base adds. */
const further: readonly {
  readonly file: string;
  readonly format: FormatName;
  readonly of: (text: string) => string;
}[] = [
  // Its style and its script are not of interest.
  { file: 'plan-three-way.html', format: 'html', of: (text) => text.slice(...between(text, '<main>', '</main>')) },
];

/** What several tenants have in common, and what only one has. */
const ofSeveral = (['plan', 'drift', 'apply'] as const).flatMap((command) => [
  { file: `fleet-${command}.txt`, format: 'text' as const, documents: fleet[command], of: (text: string) => text },
  { file: `fleet-${command}.md`, format: 'markdown' as const, documents: fleet[command], of: (text: string) => text },
  {
    file: `fleet-${command}.html`,
    format: 'html' as const,
    documents: fleet[command],
    of: (text: string) => text.slice(...between(text, '<main>', '</main>')),
  },
]);

function between(text: string, start: string, end: string): [number, number] {
  return [text.indexOf(start), text.indexOf(end) + end.length];
}

function expectGolden(file: string, text: string): void {
  const path = join(folder, file);
  if (update) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}

describe('golden reports', () => {
  test.each(cases)('$file', ({ file, render, format }) => expectGolden(file, render(format)));

  test.each(further)('$file', async ({ file, format, of }) => {
    const render = await formatRow(format).load();
    const filesUrl = 'https://forge.example/acme/blob/0123456789abcdef0123456789abcdef01234567';
    const about = { ...context, filesUrl, version: '1.2.3' };
    expectGolden(file, of(await joined(render([{ type: 'plan', plan: threeWayPlan, diagnostics: [] }], about))));
  });

  test.each(ofSeveral)('$file', async ({ file, format, documents, of }) => {
    const render = await formatRow(format).load();
    const about = { ...context, version: '1.2.3' };
    expectGolden(file, of(await joined(render(sameChanges(documents), about))));
  });

  test('there is no golden file without a case', () => {
    expect(readdirSync(folder).sort()).toEqual([...cases, ...further, ...ofSeveral].map(({ file }) => file).sort());
  });
});
