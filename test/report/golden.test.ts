import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Format } from '../../src/report/render-report.ts';
import { sampleReports } from './sample-reports.ts';

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

describe('golden reports', () => {
  test.each(cases)('$file', ({ file, render, format }) => {
    const text = render(format);
    const path = join(folder, file);
    if (update) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text);
    }
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  test('there is no golden file without a case', () => {
    expect(readdirSync(folder).sort()).toEqual(cases.map(({ file }) => file).sort());
  });
});
