// Effects from files and a tenant to what people read, and through a saved plan.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildPermission as pair } from '../support/build-permission.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const identity = { resource: 'oauth_authentication_api', consumer: 'client' } as const;
const seed = {
  rate_limit_policies: [
    { id: 'rlp_1', ...identity, consumer_selector: 'client_id:old', configuration: { action: 'allow' } },
    { id: 'rlp_2', ...identity, consumer_selector: 'default', configuration: { action: 'block', limit: 100 } },
  ],
  roles: [{ id: 'rol_1', name: 'Support', permissions: [pair('read'), pair('refund')] }],
  prompts: { login: { partials: { login: { 'form-content-start': '<p>Hello</p>' } } } },
} as const;
const files = {
  'policies.yaml':
    'rate_limit_policies:\n  - consumer_selector: default\n    configuration: { action: block, limit: 100 }\n',
  'roles.yaml': 'roles:\n  - name: Support\n    permissions: { https://orders.example/: [read] }\n',
  'prompts.yaml': 'prompts:\n  login:\n    partials: { login: { form-content-start: { file: start.liquid } } }\n',
  'start.liquid': '<p>Hello</p>\n<script src="https://cdn.example/a.js"></script>\n',
};

interface PlannedEffects {
  readonly actions: readonly { readonly effects: readonly { readonly code: string; readonly source?: object }[] }[];
}

test('a plan shows them in JSON and as text, and a saved plan with them is applied', async () => {
  const tenant = await tenantWith(structuredClone(seed) as never);
  const path = await folder(files);
  const planFile = join(await folder({}), 'plan.json');
  const run = (...args: readonly string[]) => runCommand([args[0] ?? '', path, ...args.slice(1)], { env: tenant.env });

  const json = await run('plan', '--format', 'json', '--out', planFile);
  const { actions } = JSON.parse(json.stdout) as PlannedEffects;
  expect(actions.flatMap(({ effects }) => effects)).toMatchObject([
    { code: 'PARTIAL_SCRIPT', source: { file: 'start.liquid', line: 2, column: 1 } },
    { code: 'PARTIAL_EXTERNAL_ORIGIN', source: { file: 'start.liquid', line: 2, column: 9 } },
    { code: 'POLICY_FALLBACK' },
    { code: 'ACCESS_LOST', permissions: ['refund'] },
  ]);

  const { stdout } = await run('plan');
  for (const text of [
    'adds a script from https://cdn.example/a.js to login/form-content-start',
    'falls back to default: block above 100/s (now: allow)',
    'loses refund of orders.example',
  ])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(text);

  expect(await run('apply', '--plan', planFile, '--yes')).toMatchObject({ code: 0 });
  expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
});
