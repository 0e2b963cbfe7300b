// The service specification, statement by statement: docs/internals/conformance.md prints this table.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runCheck } from './check-statement.ts';
import { renderConformance } from './render-conformance.ts';
import { statements } from './statements.ts';

const numbered = statements.map((statement, index) => ({ ...statement, number: index + 1 }));
const sections = [...new Set(statements.map(({ section }) => section))];

test('every section that has statements is covered, in order, and no statement is written twice', () => {
  const expected = '0 1 2.1 2.2 2.3 2.4 2.5 3 4 4.1 4.2 4.3 4.4 4.5 5 6 7 8 9'.split(' ');
  expect(sections).toEqual(expected);
  expect(new Set(statements.map(({ section, text }) => `${section} ${text}`)).size).toBe(statements.length);
  expect(statements.filter(({ checks }) => checks.length === 0)).toEqual([]);
  expect(statements.length).toBeGreaterThanOrEqual(160);
});

describe.each(sections)('service specification %s', (section) => {
  test.each(numbered.filter((statement) => statement.section === section))('$number: $text', async ({ checks }) => {
    for (const check of checks) await runCheck(check);
  });
});

test('docs/internals/conformance.md is current', () => {
  const text = readFileSync(new URL('../../docs/internals/conformance.md', import.meta.url), 'utf8');
  expect(text).toBe(renderConformance());
});
