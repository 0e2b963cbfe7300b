// pull in a project: what differs goes into one layer of the tenant, and into no other.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const project = [
  'tenants:',
  '  acme-dev: { layers: [base, env/dev], environment: ACME_DEV, variables: { limit: 50 } }',
  '  acme-prod: { layers: [base, env/prod], environment: ACME_PROD }',
  '  globex: { layers: [base, env/prod, customers/globex], environment: ACME_PROD }',
  '',
].join('\n');

const files = {
  'tenant-sync.yaml': project,
  'base/policies.yaml': [
    'rate_limit_policies:',
    '  # The limit of a stage is its variable.',
    '  - { consumer_selector: default, configuration: { action: block, limit: "${var:limit}" } }',
    '  - { consumer_selector: third_party_clients, configuration: { action: block, limit: 7 } }',
    '',
  ].join('\n'),
  'base/vars.yaml': 'limit: 100\n',
  'base/roles.yaml': 'roles:\n  - { name: Support, description: Helps, permissions: [] }\n',
  'base/prompts.yaml': [
    'prompts:',
    '  login: { partials: { login: { form-content-start: base, form-content-end: { file: texts/end.liquid } } } }',
    '',
  ].join('\n'),
  'base/texts/end.liquid': 'end\n',
  'env/dev/policies.yaml': [
    'rate_limit_policies:',
    '  - consumer_selector: third_party_clients   # fewer',
    '    configuration: { action: log, limit: 9 }',
    '',
  ].join('\n'),
  'env/prod/roles.yaml': 'roles:\n  - { name: Support, description: Production }\n',
  'customers/globex/roles.yaml': 'roles:\n  - { name: Globex, description: Only here, permissions: [] }\n',
};

const prompts = { login: { partials: { login: { 'form-content-start': 'base', 'form-content-end': 'end\n' } } } };
const supportRole = { id: 'rol_1', name: 'Support', description: 'Helps', permissions: [] };
/** What acme-dev declares. */
const seed: Seed = {
  rate_limit_policies: [
    livePolicy('default', 50),
    { ...livePolicy('third_party_clients'), configuration: { action: 'log', limit: 9 } },
  ],
  roles: [supportRole],
  prompts,
};

async function setUp(live: Seed = {}, more: Readonly<Record<string, string>> = {}) {
  const tenant = await tenantWith({ ...seed, ...live });
  const root = await folder({ ...files, ...more });
  const env = Object.fromEntries(
    Object.entries(tenant.env).flatMap(([name, value]) =>
      ['ACME_DEV', 'ACME_PROD'].map((prefix) => [name.replace('TENANT_SYNC', prefix), value]),
    ),
  );
  const run = (...argv: string[]) => runCommand(argv, { cwd: root, env });
  const text = (file: string) => readFile(join(root, file), 'utf8');
  /** Pulls, and pulls and compares again. */
  const pull = async (...argv: string[]) => {
    const first = await run('pull', '.', '--yes', ...argv);
    const again = await run('pull', '.', '--check', ...argv);
    const { code } = await run('drift', '.', ...argv.slice(0, 2));
    return { ...first, again: again.stdout, drift: code };
  };
  return { root, run, text, pull, tenant };
}

const dev = ['--tenant', 'acme-dev'];

describe('which layer', () => {
  test('nothing differs', async () => {
    const { pull } = await setUp();
    const { code, stdout, stderr, drift } = await pull(...dev);
    expect(stderr).toBe('');
    expect(stdout).toContain('The files match the tenant');
    expect({ code, drift }).toEqual({ code: 0, drift: 0 });
  });
});

describe('what differs', () => {
  test('everything', async () => {
    const { pull, root } = await setUp({
      rate_limit_policies: [livePolicy('default', 60), livePolicy('client_id:new', 1)],
      roles: [
        { ...supportRole, description: 'Other' },
        { id: 'rol_2', name: 'New', permissions: [] },
      ],
      prompts: { login: { partials: { login: { 'form-content-start': 'mine', 'form-content-end': 'e2\n' } } } },
    });
    const { code, stdout, stderr, again, drift } = await pull(...dev);
    console.log(code, drift, stdout, stderr, again, root);
  });
});
