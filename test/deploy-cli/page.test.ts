// docs/from-deploy-cli.md: what auth0-deploy-cli exported (deploy-cli.long.test.ts compares it with the tool) becomes files that
// are in sync with the same tenant, by the commands of the page.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadJq } from 'jq-wasm';
import { expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';
import { exportedTenant } from './exported-tenant.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/from-deploy-cli.md'), 'utf8');
const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
const [start, ...conversions] = script.trimEnd().split(/\n(?=jq )/);
const jq = await loadJq();

/** Runs `jq [-s] 'FILTER' FOLDER/*.json > FILE` in a working directory that has the export. */
async function convert(line: string, cwd: string): Promise<void> {
  const [, slurp, filter = '', place = '', file = ''] = /^jq (-s )?'([\s\S]*)' (\S+) > (\S+)$/.exec(line) ?? [];
  const from = join(cwd, dirname(place));
  const names = place.endsWith('*.json')
    ? (await readdir(from)).filter((name) => name.endsWith('.json')).sort()
    : [place.split('/').at(-1) ?? ''];
  const values = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(from, name), 'utf8')) as object),
  );
  const { stdout, stderr } = jq.raw(slurp === undefined ? (values[0] ?? null) : values, filter);
  expect(stderr, line).toBe('');
  await writeFile(join(cwd, file), stdout);
}

test('an exported folder becomes files in sync', async () => {
  expect(start).toBe('mkdir -p tenant && cp -r export/prompts/partials tenant/');
  expect(conversions).toHaveLength(5);
  const cwd = await folder({});
  await cp(join(import.meta.dirname, 'export'), join(cwd, 'export'), { recursive: true });
  await mkdir(join(cwd, 'tenant'));
  await cp(join(cwd, 'export/prompts/partials'), join(cwd, 'tenant/partials'), { recursive: true });
  for (const line of conversions) await convert(line, cwd);

  const { env } = await tenantWith(exportedTenant);
  const validated = await runCommand(['validate', 'tenant'], { cwd });
  expect(validated.stdout).toContain(
    'valid: rate_limit_policies 2, roles 2, resource_servers 1, prompts 1, event_streams 2',
  );
  const { stdout, code } = await runCommand(['plan', 'tenant', '--exit-code'], {
    cwd,
    env: { ...env, TENANT_VAR_USERS_TO_CRM_PASSWORD: 'made-up-1', TENANT_VAR_USERS_TO_HR_TOKEN: 'made-up-2' },
  });
  expect(stdout).toContain('In sync');
  expect(code).toBe(0);
  expect(await readFile(join(cwd, 'tenant/apis.yaml'), 'utf8')).not.toContain('exported-in-clear');
  const streams = await readFile(join(cwd, 'tenant/streams.yaml'), 'utf8');
  expect([...streams.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => name)).toEqual([
    'TENANT_VAR_USERS_TO_HR_TOKEN',
    'TENANT_VAR_USERS_TO_CRM_PASSWORD',
  ]);
});

test('pull names the same variables for secrets', async () => {
  const { env } = await tenantWith(exportedTenant);
  const { stdout, stderr } = await runCommand(['pull', await folder({}), '--yes'], { env });
  for (const name of ['TENANT_VAR_USERS_TO_CRM_PASSWORD', 'TENANT_VAR_USERS_TO_HR_TOKEN'])
    expect(stdout + stderr).toContain(name);
});

test('the page has at most 640 words', () => {
  expect(page.match(/\S+/g)?.length).toBeLessThanOrEqual(640);
});
