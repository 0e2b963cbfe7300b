// Everything that pull writes and reports for a case, exactly. UPDATE_GOLDEN=1 rewrites exact-results.txt; review decides.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { pull } from '../../src/sync/index.ts';
import { groupBy } from '../../src/values/group-by.ts';
import { memorySource } from '../support/memory-source.ts';
import { pullTenant, written } from '../support/pull-tenant.ts';
import { type PullCase, pullCases } from './cases.ts';

const goldenFile = join(import.meta.dirname, 'exact-results.txt');
const isUpdate = Boolean(process.env['UPDATE_GOLDEN']);
const expected = await readFile(goldenFile, 'utf8').catch(() => '');
const found: string[] = [];
afterAll(() => (isUpdate ? writeFile(goldenFile, found.join('\n')) : undefined));

const at = (source: Diagnostic['source'] | null) => (source ? ` (${source.file}:${source.line}:${source.column})` : '');
const told = ({ code, severity, message, hint, source }: Diagnostic) =>
  `${severity} ${code}${at(source)} ${message}\n${hint === undefined ? '' : `  hint: ${hint}\n`}`;

async function resultOf({ seed, files, options = {} }: PullCase): Promise<string> {
  const { tenant, planOf } = await pullTenant(seed.clients ? { clients: seed.clients } : {});
  // A seed may not have everything that a tenant may.
  await tenant.tenant.change((state) => Object.assign(state, structuredClone(seed)));
  const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
  const run = (source: PullCase['files']) => pull({ files: memorySource(source), tenant: access, ...options });
  const result = await run(files);
  if (result.status !== 'pulled')
    return `${result.status}\n${'diagnostics' in result ? result.diagnostics.map(told).join('') : ''}`;
  const reads = groupBy(
    tenant.tenant.requests.filter(({ method }) => method === 'GET'),
    ({ operation }) => operation,
  );
  const after = written(files, result);
  const again = await run(after);
  expect(again).toMatchObject(again.status === 'pulled' ? { files: [], edits: [] } : { status: 'invalid' });
  const left = options.variables === undefined ? await planOf(after) : [];
  const lines = [
    ...result.files.map(({ file, before, after: text }) => `--- ${file}${before === null ? ' (new)' : ''}\n${text}`),
    ...result.edits.map(({ change, kind, key, source }) => `${change} ${kind}/${key}${at(source)}\n`),
    ...result.warnings.map(told),
    ...result.notAdded.map((item) => `not added: ${item}\n`),
    ...result.variables.map((name) => `variable: ${name}\n`),
    ...[...reads].map(([operation, all]) => `read: ${operation} ${all.length}\n`).sort(),
    ...(result.complete ? [] : ['not complete\n']),
    ...left.map((line) => `then: ${line}\n`),
  ];
  return (lines.join('') || 'nothing\n').replaceAll(tenant.baseUrl, 'BASE_URL');
}

describe.each(Object.entries(pullCases))('%s', (group, cases) => {
  test.each(cases)('$name', async (one) => {
    const title = `=== ${group}: ${one.name}\n`;
    const result = await resultOf(one);
    found.push(`${title}${result}`);
    if (!isUpdate) expect(result).toBe(expected.split(title)[1]?.split('\n=== ')[0]);
  });
});
