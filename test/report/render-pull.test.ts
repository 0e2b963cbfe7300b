import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { PullReport } from '../../src/report/document.ts';
import { renderDocument } from '../../src/report/render-report.ts';
import { context } from './sample-reports.ts';

const source = { file: 'a.yaml', line: 2, column: 5 };
const report: PullReport = {
  tenant: { name: 'acme', base_url: 'https://login.acme.example/api/v2', api: 'full' },
  complete: false,
  files: [
    { file: 'a.yaml', before: 'a: 1\nb: 2\n', after: 'a: 1\nb: 3\n' },
    { file: 'b.liquid', before: null, after: '\u001b[31mred\n'.repeat(20) },
  ],
  edits: [
    { change: 'edit', kind: 'things', key: 'one', source },
    { change: 'add', kind: 'things', key: 'two', source },
  ],
  warnings: [{ code: 'PULL_KEPT', severity: 'warning', message: 'Kept.', source }],
  variables: ['TENANT_VAR_ONE_TOKEN'],
  notAdded: ['things/three'],
};
const render = (format: 'text' | 'json' | 'markdown' | 'github') =>
  renderDocument({ type: 'pull', pull: report }, format, context);

test('the document is as its schema describes it', () => {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../schemas/pull.schema.json'), 'utf8'));
  const ajv = new Ajv2020({ strict: false });
  const document = JSON.parse(render('json'));
  expect(ajv.validate(schema, document), ajv.errorsText()).toBe(true);
  expect(document.files[0].diff).toBe('--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n');
});

test('a long new file is cut, and invisible characters are shown', () => {
  const lines = render('text').split('\n');
  expect(lines.slice(0, 9)).toEqual([
    '--- a/a.yaml',
    '+++ b/a.yaml',
    '@@ -1,2 +1,2 @@',
    ' a: 1',
    '-b: 2',
    '+b: 3',
    '--- /dev/null',
    '+++ b/b.liquid',
    '@@ -0,0 +1,20 @@',
  ]);
  expect(lines.slice(9)).toEqual([
    ...Array(9).fill('+\\x1b[31mred'),
    '… and 11 more new lines',
    '',
    'Variables with secrets, which apply sends when it creates their item, changes what has the secret, or rotates it:',
    '  TENANT_VAR_ONE_TOKEN',
    '',
    '1 undeclared item kept by protect; --add writes them:',
    '  things/three',
    '',
    '1 new file, 1 changed file, 1 item added, 1 changed, 0 removed. The tenant https://login.acme.example/api/v2 could not be read completely.',
    '',
  ]);
});

test.each([
  ['a change', {}, '1 changed, 0 removed.'],
  ['no difference', { files: [], warnings: [] }, 'The files match the tenant.'],
  ['what is kept', { files: [] }, 'Nothing to write. 1 item of the files differs from the tenant and is kept.'],
])('every result names the URL that was read: %s', (_name, part, summary) => {
  const pull = { ...report, complete: true, ...part };
  for (const format of ['text', 'markdown', 'github'] as const)
    expect(renderDocument({ type: 'pull', pull }, format, context)).toContain(
      `${summary} Read from https://login.acme.example/api/v2.`,
    );
});

test('the log of a job has the differences', () => {
  expect(render('github')).toBe(render('text'));
  expect(render('markdown')).toContain('## tenant-sync pull\n');
});
