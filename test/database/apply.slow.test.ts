// apply with its state in a database: machines are state folders of their own.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseStore } from '../../src/database/database-store.ts';
import { parseJournal } from '../../src/journal/parse-journal.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { asAdmin, newDatabase } from '../support/postgres.ts';
import { type RunOptions, runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const policy = (limit: number) =>
  `rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: ${limit} } }\n`;
const header = (text: string) => `tenant: { ${text} }\n`;

async function setUp(files: Readonly<Record<string, string>> = { 'policies.yaml': policy(5) }) {
  const url = await newDatabase();
  const tenant = await tenantWith({ rate_limit_policies: [livePolicy('default', 6)], resource_servers: [] });
  const cwd = await folder(files);
  const env = { ...tenant.env, TENANT_SYNC_STATE_URL: url };
  // Each run has a state folder of its own.
  const run = (argv: readonly string[], options: RunOptions = {}) =>
    runCommand(argv, { cwd, ...options, env: { ...env, ...options.env } });
  const writes = () =>
    tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token');
  return { url, tenant, run, writes };
}

const journals = "select name, string_agg(text, '' order by position) as text from tenant_sync.texts group by name";

test('the second of two machines names the first, and sends nothing', async () => {
  const { url, tenant, run, writes } = await setUp();
  const started = '2026-01-02T03:04:05.000Z';
  const held = await databaseStore(url).acquire({ baseUrl: tenant.baseUrl, started, toolVersion: '0' });
  if ('lock' in held) throw new Error('held');
  onTestFinished(() => held.release());
  const second = await run(['apply', '.', '--yes']);
  expect({ code: second.code, stdout: second.stdout, writes: writes() }).toEqual({ code: 4, stdout: '', writes: [] });
  expect(second.stderr).toMatch(/APPLY_LOCKED/);
  expect(second.stderr).toMatch(new RegExp(`process ${process.pid} on \\S+, since ${started}, session \\d+`));
  await held.release();
  expect((await run(['apply', '.', '--yes'])).code).toBe(0);
  expect(writes()).toHaveLength(1);
});

test('the journal has the lines of a journal in a folder, and that of the next plan replaces it', async () => {
  const { url, tenant, run } = await setUp();
  await run(['apply', '.', '--yes']);
  const texts = await asAdmin(url, journals);
  const parsed = parseJournal(String(texts[0]?.['text']));
  if ('broken' in parsed) throw new Error(parsed.broken.why);
  expect(texts).toHaveLength(1);
  expect(parsed.apply).toMatchObject({
    baseUrl: tenant.baseUrl,
    summary: { done: 1 },
    actions: [{ outcome: 'done' }],
  });
  await run(['apply', '.', '--yes'], { cwd: await folder({ 'policies.yaml': policy(7) }) });
  const [after, ...others] = await asAdmin(url, journals);
  expect(others).toEqual([]);
  expect(String(after?.['text']).match(/"record":"start"/g)).toHaveLength(1);
});

test('what a killed apply left in flight is resolved by the next, also of a saved plan', async () => {
  const { url, run, writes } = await setUp();
  await run(['plan', '.', '--out', 'plan.json']);
  await run(['apply', '.', '--plan', 'plan.json', '--yes']);
  // As if it had been killed after its intent, before anything was sent.
  const [{ text } = {}] = await asAdmin(url, journals);
  const intended = String(text).split('\n').slice(0, 2).join('\n');
  await asAdmin(url, 'delete from tenant_sync.texts');
  await asAdmin(url, 'insert into tenant_sync.texts (name, text) select $1, $2', [
    `journal ${JSON.parse(intended.split('\n')[0] ?? '').base_url.replace('127.0.0.1', 'localhost')}`,
    `${intended}\n`,
  ]);
  const { code, stderr } = await run(['apply', '.', '--plan', 'plan.json', '--yes']);
  expect({ code, writes: writes().length }).toEqual({ code: 0, writes: 1 });
  expect(stderr).toMatch(/^The last apply, started \S+, did not finish/m);
  const [resumed] = await asAdmin(url, journals);
  const parsed = parseJournal(String(resumed?.['text']));
  expect(parsed).toMatchObject({ apply: { summary: { done: 1 } } });
});

test.each(['wrong', '%77rong'])('neither the URL nor the password %s is shown', async (password) => {
  const { url, run } = await setUp();
  const wrong = url.replace(/:[^:@/]*@/, `:${password}@`);
  const { code, stderr, stdout } = await run(['apply', '.', '--yes', '--debug'], {
    env: { TENANT_SYNC_STATE_URL: wrong },
  });
  expect(code).toBe(3);
  expect(stderr).toContain('STATE_DENIED');
  expect(stderr).toContain('TENANT_SYNC_STATE_URL');
  for (const secret of ['wrong', password, wrong]) expect(stderr + stdout).not.toContain(secret);
});

test.each([
  ['not a URL', 'db.example', 'ENV_INVALID', 3],
  ['no server', 'postgres://127.0.0.1:1/x', 'DATABASE_UNREACHABLE', 1],
])('%s: nothing is sent', async (_why, url, shown, code) => {
  const { run, writes } = await setUp();
  const result = await run(['apply', '.', '--yes'], { env: { TENANT_SYNC_STATE_URL: url } });
  expect({ code: result.code, writes: writes() }).toEqual({ code, writes: [] });
  expect(result.stderr).toContain(shown);
});

test('--state-dir and a database cannot be used together', async () => {
  const { run } = await setUp();
  const { code, stderr } = await run(['apply', '.', '--yes', '--state-dir', 'here']);
  expect({ code, isNamed: stderr.includes('--state-dir cannot be used with TENANT_SYNC_STATE_URL') }).toEqual({
    code: 3,
    isNamed: true,
  });
});

test('state: database in the header: apply requires the URL, and other commands do not', async () => {
  const { run, writes } = await setUp({ 'tenant.yaml': header('state: database'), 'policies.yaml': policy(5) });
  const without = { env: { TENANT_SYNC_STATE_URL: undefined } };
  const refused = await run(['apply', '.', '--yes'], without);
  expect({ code: refused.code, writes: writes() }).toEqual({ code: 3, writes: [] });
  expect(refused.stderr).toMatch(/^tenant\.yaml:1:\d+.*\n?.*ENV_MISSING/m);
  expect((await run(['plan', '.'], without)).code).toBe(0);
  expect((await run(['apply', '.', '--yes'])).code).toBe(0);
});

async function fleet(more = '') {
  const scene = await startFleet({
    files: { 'base/policies.yaml': policy(5) },
    live: { a: [livePolicy('default', 6)], b: [livePolicy('default', 6)] },
    waves: { b: 2 },
    more,
  });
  const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(argv, { cwd: scene.cwd, env: { ...scene.env, ...env } });
  return { ...scene, run };
}

test.each(['--all', '--tenant=a'])('state: database in tenant-sync.yaml: apply %s requires the URL', async (which) => {
  const { run, requests, cwd } = await fleet('state: database\n');
  const { code, stderr } = await run(['apply', '.', which, '--yes']);
  expect({ code, writes: requests.filter((request) => !request.includes(' GET ')) }).toEqual({ code: 3, writes: [] });
  expect(stderr).toContain('ENV_MISSING');
  expect(stderr).toContain('TENANT_SYNC_STATE_URL is not set');
  // Once, with the line that requires it.
  const lines = (await readFile(join(cwd, 'tenant-sync.yaml'), 'utf8')).split('\n');
  const at = `tenant-sync.yaml:${lines.indexOf('state: database') + 1}:8`;
  expect(stderr.match(/tenant-sync\.yaml:\d+:\d+/g)).toEqual([at]);
  expect((await run(['apply', '.', which, '--yes'], { TENANT_SYNC_STATE_URL: await newDatabase() })).code).toBe(0);
});

test('a run that one machine began is resumed by another', async () => {
  const { run, requests, env } = await fleet();
  const database = { TENANT_SYNC_STATE_URL: await newDatabase() };
  const first = await run(['apply', '.', '--all', '--yes'], { ...database, TENANT_B_CLIENT_SECRET: 'wrong' });
  expect(first.code).toBe(1);
  const resume = /--resume ([0-9a-f]{8})/.exec(first.stderr)?.[1] ?? '';
  requests.length = 0;
  expect((await run(['apply', '.', '--all', '--yes', '--resume', resume], { ...env, ...database })).code).toBe(0);
  expect(requests.filter((request) => request.startsWith('a '))).toEqual([]);
  const unknown = await run(['apply', '.', '--all', '--yes', '--resume', '00000000'], database);
  expect({ code: unknown.code, isNamed: unknown.stderr.includes('no such run in the database') }).toEqual({
    code: 3,
    isNamed: true,
  });
});
