// A three-way plan of a tenant of a project: the project and all of its layers are those of the earlier commit.
import { expect, test } from 'vitest';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { scratchRepository } from '../support/scratch-repository.ts';
import { tenantWith } from '../support/tenant-with.ts';

const policies = (selector: string, limit: number) =>
  `rate_limit_policies:\n  - { consumer_selector: ${selector}, configuration: { action: block, limit: ${limit} } }\n`;

async function setUp() {
  const tenant = await tenantWith({
    rate_limit_policies: [livePolicy('default', 5), livePolicy('third_party_clients', 1)],
    resource_servers: [],
  });
  const repository = await scratchRepository({
    'all/tenant-sync.yaml': 'tenants: { old: { layers: [base, dev], base_url: "https://dev.acme.example/api/v2" } }\n',
    'all/base/a.yaml': policies('default', 5),
    'all/dev/a.yaml': policies('third_party_clients', 2),
  });
  repository.git('checkout', '--quiet', '-b', 'change');
  const plan = async (name: string) => {
    const env = { ...tenant.env, ...repository.env };
    const argv = ['plan', 'all', '--tenant', name, '--base', 'main', '--format', 'json'];
    const { stdout, stderr } = await runCommand(argv, { cwd: repository.path, env });
    const { actions = [], findings = [] } = stdout === '' ? {} : JSON.parse(stdout);
    const originOf = ({ key, origin }: { readonly key: string; readonly origin: string }) => [key, origin];
    return { origins: Object.fromEntries([...actions, ...findings].map(originOf)), stderr };
  };
  return { repository, plan };
}

const selector = (name: string) => `oauth_authentication_api/client/${name}`;
const tenants = (entry: string) => ({ 'all/tenant-sync.yaml': `tenants: { ${entry} }\n` });

test('a change of a shared layer is a change, and what differs already is drift', async () => {
  const { repository, plan } = await setUp();
  await repository.commit({
    ...tenants('old: { layers: [base, dev] }'),
    'all/base/a.yaml': policies('default', 6),
  });
  expect((await plan('old')).origins).toMatchObject({
    [selector('default')]: 'change',
    [selector('third_party_clients')]: 'drift',
  });
});

test('a moved layer is no difference, and a tenant that the base lacks is a change', async () => {
  const { repository, plan } = await setUp();
  await repository.commit({
    ...tenants('old: { layers: [base, env/dev] }, new: { layers: [base] }'),
    'all/dev/a.yaml': null,
    'all/env/dev/a.yaml': policies('third_party_clients', 2),
  });
  expect((await plan('old')).origins).toMatchObject({ [selector('third_party_clients')]: 'drift' });
  expect((await plan('new')).origins).toMatchObject({ [selector('third_party_clients')]: 'change' });
});

test('a project that was not valid is an invalid base', async () => {
  const { repository, plan } = await setUp();
  await repository.commit({ 'all/tenant-sync.yaml': 'tenants: { old: { layers: [nowhere] } }\n' });
  repository.git('branch', '--force', 'main', 'HEAD');
  await repository.commit(tenants('old: { layers: [base, dev] }'));
  const { origins, stderr } = await plan('old');
  expect(stderr).toContain('BASE_INVALID');
  expect(origins).toMatchObject({ [selector('third_party_clients')]: null });
});
