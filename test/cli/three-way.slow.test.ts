// Plans with --base: a git repository, a branch, and an embedded tenant that was changed behind its back.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { itemName } from '../../src/report/view/items.ts';
import { attributeOf, elementsOf, textOf } from '../report/html/read-html.ts';
import { kinds } from '../support/all-kinds.ts';
import { declaredPolicy, livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type ScratchRepository, scratchRepository } from '../support/scratch-repository.ts';
import { tenantWith } from '../support/tenant-with.ts';

const api = 'https://orders.example/';
const apis = [
  {
    id: '5f1111111111111111111111',
    identifier: api,
    name: 'Orders',
    scopes: ['read', 'write', 'admin'].map((value) => ({ value })),
  },
];
const role = (name: string, permissions: readonly string[]) =>
  `  - name: ${name}\n    permissions: { "${api}": [${permissions.join(', ')}] }\n`;
const liveRole = (id: string, name: string, permissions: readonly string[]) => ({
  id,
  name,
  description: '',
  permissions: permissions.map((permission_name) => ({ resource_server_identifier: api, permission_name })),
});

interface Planned {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly plan: Plan;
}

async function planOf(
  { path, env }: Pick<ScratchRepository, 'path' | 'env'>,
  tenant: Awaited<ReturnType<typeof tenantWith>>,
  ...options: readonly string[]
): Promise<Planned> {
  const argv = ['plan', join(path, 'tenant'), '--format', 'json', ...options];
  const { code, stdout, stderr } = await runCommand(argv, { env: { ...env, ...tenant.env } });
  if (code === 3) throw new Error(stderr);
  return { code, stdout, stderr, plan: JSON.parse(stdout) as Plan };
}

const originsOf = ({ actions, findings }: Plan) =>
  Object.fromEntries([
    ...actions.map(({ id, origin }) => [id, origin]),
    ...findings.map(({ code, key, origin }) => [`${code} ${key}`, origin]),
  ]);
const limited = (limit: number) => `rate_limit_policies:\n${declaredPolicy('client_id:a', limit)}`;
const policy = (name: string) => `rate_limit_policies/oauth_authentication_api/client/${name}`;

/** Base and branch, and a tenant that was like the base until somebody changed it. */
const base = {
  'tenant/policies.yaml': `rate_limit_policies:\n${['changed', 'edited', 'both', 'gone', 'deleted'].map((name) => declaredPolicy(`client_id:${name}`)).join('')}`,
  'tenant/roles.yaml': `roles:\n${role('Support', ['read'])}${role('Sales', ['read'])}`,
  'tenant/prompts.yaml':
    'prompts:\n  login: { partials: { login: { form-content-start: { file: partials/a.liquid } } } }\n',
  'tenant/partials/a.liquid': '<p>one</p>\n',
};
const branch = {
  'tenant/policies.yaml': null,
  'tenant/limits/policies.yaml': `# moved\nrate_limit_policies:\n${[
    declaredPolicy('client_id:both', 50),
    declaredPolicy('client_id:edited'),
    declaredPolicy('client_id:new'),
    declaredPolicy('client_id:changed', 50),
    declaredPolicy('client_id:deleted'),
  ].join('')}`,
  'tenant/roles.yaml': `roles:\n${role('Sales', ['read'])}${role('Support', ['write', 'read'])}`,
  'tenant/partials/a.liquid': '<p>two</p>\n',
};
const seed: Seed = {
  rate_limit_policies: [
    livePolicy('client_id:changed'),
    livePolicy('client_id:edited', 80),
    livePolicy('client_id:both', 80),
    livePolicy('client_id:gone'),
    livePolicy('client_id:by-hand'),
  ],
  roles: [liveRole('rol_1', 'Support', ['read', 'admin']), liveRole('rol_2', 'Sales', ['read', 'admin'])],
  resource_servers: apis,
  prompts: { login: { partials: { login: { 'form-content-start': '<p>one</p>' } } } },
};

test('every action is labelled by what moved: the files, the tenant or both', async () => {
  const repository = await scratchRepository(base);
  const commit = repository.git('rev-parse', 'HEAD');
  repository.git('checkout', '--quiet', '-b', 'branch');
  await repository.commit(branch);
  repository.git('checkout', '--quiet', 'main');
  // The base is where the branch began, and not what main has become.
  await repository.commit({ 'tenant/policies.yaml': 'rate_limit_policies: []\n' });
  repository.git('checkout', '--quiet', 'branch');
  const tenant = await tenantWith(seed);
  const { plan } = await planOf(repository, tenant, '--base', 'main');
  expect(plan.base).toEqual({ ref: 'main', commit, behind: true, valid: true, header: [], sections: [] });
  expect(originsOf(plan)).toEqual({
    [policy('client_id:changed')]: 'change',
    [policy('client_id:new')]: 'change',
    [policy('client_id:gone')]: 'change',
    [policy('client_id:edited')]: 'drift',
    [policy('client_id:deleted')]: 'drift',
    [policy('client_id:by-hand')]: 'drift',
    [policy('client_id:both')]: 'both',
    'roles/Support#add': 'change',
    'roles/Support#remove': 'drift',
    'roles/Sales#remove': 'drift',
    'prompts/login': 'change',
  });
  const parts = plan.actions.flatMap(({ key, part_origins }) =>
    part_origins === undefined ? [] : [[key, part_origins]],
  );
  expect(parts).toEqual([
    ['oauth_authentication_api/client/client_id:both', [{ part: 'configuration.limit', origin: 'both', base: 100 }]],
  ]);
});

test('a branch that lacks newer changes of its base is warned of, as what they did looks like drift', async () => {
  const repository = await scratchRepository({ 'tenant/policies.yaml': limited(100), 'README.md': 'one\n' });
  repository.git('checkout', '--quiet', '-b', 'branch');
  await repository.commit({ 'tenant/roles.yaml': 'roles: []\n' });
  repository.git('checkout', '--quiet', 'main');
  await repository.commit({ 'README.md': 'two\n' });
  repository.git('checkout', '--quiet', 'branch');
  const tenant = await tenantWith({ rate_limit_policies: [livePolicy('client_id:a', 50)] });
  const planned = async () => {
    const argv = ['plan', join(repository.path, 'tenant'), '--base', 'main'];
    const { code, stdout, stderr } = await runCommand(argv, { env: { ...tenant.env, ...repository.env } });
    const [sentence] = /^No changes from this pull request.*$/m.exec(stdout) ?? [];
    return { code, sentence, warns: stderr.includes('BASE_BEHIND') };
  };
  const merging = 'No changes from this pull request; applying these files would revert 1 change made on the tenant.';
  const elsewhere = await planned();
  expect(elsewhere).toEqual({ code: 0, sentence: merging, warns: false });

  repository.git('checkout', '--quiet', 'main');
  await repository.commit({ 'tenant/policies.yaml': limited(50) });
  repository.git('checkout', '--quiet', 'branch');
  const applying =
    'No changes from this pull request; applying these files would revert 1 change made on the tenant or by newer commits.';
  expect(await planned()).toEqual({ code: 0, sentence: applying, warns: true });

  repository.git('merge', '--quiet', '--no-edit', 'main');
  expect(await planned()).toEqual({ code: 0, sentence: undefined, warns: false });
});

test('a request with parts of both sides says which part is whose', async () => {
  const repository = await scratchRepository({ 'tenant/roles.yaml': `roles:\n${role('Support', ['read', 'write'])}` });
  await repository.write({ 'tenant/roles.yaml': `roles:\n${role('Support', ['read'])}` });
  const tenant = await tenantWith({
    resource_servers: apis,
    roles: [liveRole('rol_1', 'Support', ['read', 'write', 'admin'])],
  });
  const { plan } = await planOf(repository, tenant, '--base', 'HEAD');
  const parts = plan.actions.flatMap(({ part_origins = [] }) =>
    part_origins.map(({ part, origin }) => [/"permission_name":"(\w+)"/.exec(part)?.[1], origin]),
  );
  expect(parts).toEqual([
    ['admin', 'drift'],
    ['write', 'change'],
  ]);
  const options = { env: { ...repository.env, ...tenant.env } };
  const { stdout } = await runCommand(['plan', join(repository.path, 'tenant'), '--base', 'HEAD'], options);
  expect(stdout).toMatch(/Support +loses admin \(drift\), write of orders\.example; .*both\n/);
});

test('plans have no base without --base', async () => {
  const repository = await scratchRepository(base);
  const { plan } = await planOf(repository, await tenantWith(seed));
  expect(plan.base).toBeNull();
  expect(new Set(plan.actions.map(({ origin }) => origin))).toEqual(new Set([null]));
});

test('a header that changed is data of the plan, and so are sections that come and go', async () => {
  const header =
    'tenant: { name: one, protect: { roles: [b, a] }, keep_undeclared: [roles], guards: { max_delete_count: 3 } }\n';
  const repository = await scratchRepository({ 'tenant/a.yaml': `${header}roles: []\n` });
  const changed =
    'tenant: { name: two, protect: { roles: [a, b] }, api: documented, guards: { max_delete_count: 9 } }\n';
  await repository.write({ 'tenant/a.yaml': `${changed}prompts: {}\n` });
  const { plan } = await planOf(repository, await tenantWith({}), '--base', 'HEAD');
  const source = (column: number) => ({ file: 'a.yaml', line: 1, column });
  expect(plan.base).toMatchObject({
    header: [
      { field: 'api', after: 'documented', source: source(55) },
      { field: 'guards.max_delete_count', before: 3, after: 9, source: source(95) },
      // The header lacks it.
      { field: 'keep_undeclared', before: ['roles'], source: source(1) },
    ],
    sections: [
      { kind: 'prompts', change: 'added' },
      { kind: 'roles', change: 'removed' },
    ],
  });
  expect(originsOf(plan)).toMatchObject({ 'RULE_GUARD_WIDENED guards.max_delete_count': 'change' });
});

test('a folder that the base lacks is new: everything is a change', async () => {
  const repository = await scratchRepository({ 'README.md': 'text\n' });
  await repository.write(base);
  const { plan } = await planOf(repository, await tenantWith(seed), '--base', 'HEAD');
  expect(new Set(Object.values(originsOf(plan)))).toEqual(new Set(['change']));
});

test('a base with errors gives a warning, and no origin is known', async () => {
  const repository = await scratchRepository({ ...base, 'tenant/policies.yaml': 'rate_limit_policies: [{}]\n' });
  await repository.write(base);
  const { code, plan, stderr } = await planOf(repository, await tenantWith(seed), '--base', 'HEAD');
  expect(code).not.toBe(3);
  expect(stderr).toMatch(/warning {2}BASE_INVALID\n.*policies\.yaml:1:/);
  expect(plan.base).toMatchObject({ valid: false, header: [] });
  expect(new Set(Object.values(originsOf(plan)))).toEqual(new Set([null]));
});

test('variables and texts are those of the base; the environment is that of now', async () => {
  const declared = [
    'rate_limit_policies:',
    '  - consumer_selector: "client_id:a"',
    '    configuration:',
    '      action: block',
    '      limit: ${var:limit}',
    '',
  ].join('\n');
  const repository = await scratchRepository({
    'tenant/a.yaml': declared,
    'tenant/vars.yaml': 'limit: 100\n',
    'tenant/b.yaml': 'tenant: { name: "${env:TENANT_VAR_GONE}" }\n',
    'tenant/p.yaml': 'prompts:\n  login: { partials: { login: { form-content-start: { file: text.liquid } } } }\n',
    'tenant/text.liquid': '<p>one</p>\n',
  });
  await repository.write({
    'tenant/vars.yaml': 'limit: 50\n',
    'tenant/b.yaml': 'tenant: { name: now }\n',
    // As a checkout on another system has it.
    'tenant/text.liquid': '<p>one</p>\r\n',
  });
  const tenant = await tenantWith({
    rate_limit_policies: [livePolicy('client_id:a', 100)],
    prompts: { login: { partials: { login: { 'form-content-start': '<p>by hand</p>' } } } },
  });
  const { plan } = await planOf(repository, tenant, '--base', 'HEAD');
  expect(originsOf(plan)).toEqual({ [policy('client_id:a')]: 'change', 'prompts/login': 'drift' });
  const { plan: changed } = await planOf(repository, tenant, '--base', 'HEAD', '--changed');
  expect(changed.selection.only).toEqual([policy('client_id:a')]);
});

test('a file of --var-file is that of the base, which is not valid without it', async () => {
  const declared = [
    'rate_limit_policies:',
    '  - consumer_selector: "client_id:a"',
    '    configuration:',
    '      action: block',
    '      limit: ${var:limit}',
    '',
  ].join('\n');
  const repository = await scratchRepository({ 'tenant/a.yaml': declared, 'prod.yaml': 'limit: 100\n' });
  await repository.write({ 'prod.yaml': 'limit: 50\n', 'new.yaml': 'limit: 60\n' });
  const tenant = await tenantWith({ rate_limit_policies: [livePolicy('client_id:a', 100)] });
  const plan = async (file: string, ...options: readonly string[]) =>
    (await planOf(repository, tenant, '--base', 'HEAD', '--var-file', join(repository.path, file), ...options)).plan;
  expect(originsOf(await plan('prod.yaml'))).toEqual({ [policy('client_id:a')]: 'change' });
  expect((await plan('prod.yaml', '--changed')).selection.only).toEqual([policy('client_id:a')]);
  expect((await plan('prod.yaml', '--var', 'limit=70')).actions.map(({ origin }) => origin)).toEqual(['drift']);
  const without = await plan('new.yaml');
  expect([without.base?.valid, without.actions.map(({ origin }) => origin)]).toEqual([false, [null]]);
});

test('the tenant is read once, and the same states give the same bytes', async () => {
  const repository = await scratchRepository(base);
  await repository.write(branch);
  const tenant = await tenantWith(seed);
  const requests = () => tenant.tenant.requests.filter(({ path }) => !path.includes('oauth')).length;
  await planOf(repository, tenant);
  const alone = requests();
  const { plan } = await planOf(repository, tenant, '--base', 'HEAD');
  expect(requests()).toBe(2 * alone);
  const { plan: again } = await planOf(repository, tenant, '--base', 'HEAD');
  const timeless = (made: Plan) => JSON.stringify({ ...made, generated_at: '', checksum: '' });
  expect(timeless(again)).toBe(timeless(plan));
});

test('text and Markdown show the origins that JSON has', async () => {
  const repository = await scratchRepository(base);
  await repository.write(branch);
  const tenant = await tenantWith(seed);
  const env = { ...repository.env, ...tenant.env };
  const argv = ['plan', join(repository.path, 'tenant'), '--base', 'HEAD'];
  for (const format of ['text', 'markdown']) {
    const { stdout } = await runCommand([...argv, '--format', format], { env });
    expect(stdout).toMatch(
      /from this pull request, 2 of them also changed on the tenant; applying these files would revert/,
    );
    const line = stdout.split('\n').find((text) => text.includes('client_id:edited'));
    expect(line).toContain('drift');
    expect(stdout).toContain('limit 80 → 50 (base 100)');
  }
});

/** The origin of each item: that of all its actions, or else both. */
function mergedOrigins(found: readonly (readonly [item: string, origin: string | null])[]) {
  const origins = new Map<string, Set<string | null>>();
  for (const [item, origin] of found) origins.set(item, (origins.get(item) ?? new Set()).add(origin));
  return Object.fromEntries([...origins].map(([item, of]) => [item, of.size === 1 ? [...of][0] : 'both']).sort());
}

test('HTML and annotations show the origins that JSON has', async () => {
  const repository = await scratchRepository(base);
  repository.git('checkout', '--quiet', '-b', 'branch');
  await repository.commit(branch);
  const tenant = await tenantWith(seed);
  const file = (format: string) => join(repository.path, `report.${format}`);
  const formats = ['json', 'html', 'github'];
  const reports = formats.flatMap((format) => ['--report', `${format}=${file(format)}`]);
  const argv = ['plan', join(repository.path, 'tenant'), '--base', 'main', ...reports];
  const { code } = await runCommand(argv, { env: { ...repository.env, ...tenant.env } });
  expect(code).toBe(0);
  const [json = '', html = '', github = ''] = await Promise.all(
    formats.map((format) => readFile(file(format), 'utf8')),
  );
  const { actions } = JSON.parse(json) as Plan;
  const items = mergedOrigins(
    actions
      .map(({ kind, key, origin }) => [itemName({ kind, key }, kinds), origin] as const)
      .map(([{ noun, name }, origin]) => [`${noun} ${name}`, origin]),
  );
  expect(Object.values(items)).toEqual(expect.arrayContaining(['change', 'drift', 'both']));

  const rows = elementsOf(parse(html), 'li').filter((row) =>
    textOf(row)
      .trimStart()
      .match(/^.(?:add|change|delete)\b/u),
  );
  // Like an annotation, a row of a change in the files has no origin.
  const shown = rows.map((row) => {
    const text = (name: string) =>
      elementsOf(row, 'span')
        .filter((span) => attributeOf(span, 'class') === name)
        .map(textOf)
        .join('');
    return [`${text('noun')} ${text('name')}`, text('origin') || 'change'] as const;
  });
  expect(mergedOrigins(shown)).toEqual(items);

  const sentences = [...github.matchAll(/^::\w+ [^:]*::(\w+ [^ ]+?) will be (?:added|changed|deleted)\b.*$/gm)];
  const annotated = sentences.map(
    ([line, item = '']) => [item, / \((drift|both)\)$/.exec(line)?.[1] ?? 'change'] as const,
  );
  expect(mergedOrigins(annotated)).toEqual(items);

  // An effect is of the action that causes it. What the row of the item states has no annotation of its own.
  const caused = actions.flatMap(({ origin, effects }) =>
    effects.map((effect) => {
      const { noun, name } = itemName(effect, kinds);
      return `${effect.code} ${noun} ${name} ${origin}`;
    }),
  );
  const effects = [...github.matchAll(/^::[^:]*\btitle=(?:Check first%3A )?((?!LIVE_)[A-Z_]+)::(\w+ [^ ]+) .*$/gm)];
  expect(effects).not.toEqual([]);
  for (const [line, code, item] of effects)
    expect(caused).toContain(`${code} ${item} ${/ \((drift|both)\)$/.exec(line)?.[1] ?? 'change'}`);
});

test('what a rule of the base kept is deleted by the change that drops the rule', async () => {
  const files = (header: string) => ({
    'tenant/a.yaml': `tenant: { name: one${header} }\nrate_limit_policies:\n${declaredPolicy('client_id:a')}roles:\n${role('Support', ['read'])}`,
  });
  const seeded: Seed = {
    rate_limit_policies: ['a', 'b', 'c'].map((name) => livePolicy(`client_id:${name}`)),
    roles: [liveRole('rol_1', 'Support', ['read', 'admin'])],
    resource_servers: apis,
  };
  const protect = '{ rate_limit_policies: ["client_id:*"], roles: [Support] }';
  for (const rule of [', keep_undeclared: [rate_limit_policies, roles]', `, protect: ${protect}`]) {
    const repository = await scratchRepository(files(rule));
    await repository.write(files(''));
    const { plan } = await planOf(repository, await tenantWith(seeded), '--base', 'HEAD');
    expect(originsOf(plan)).toEqual({
      [policy('client_id:b')]: 'change',
      [policy('client_id:c')]: 'change',
      'roles/Support#remove': 'change',
    });
  }
});

test('an undeclared item of a section that both have is drift, and one that the change drops or reports is a change', async () => {
  const files = (rule: string, ...names: readonly string[]) => ({
    'tenant/a.yaml': `tenant: { name: one${rule} }\nroles:\n${names.map((name) => role(name, ['read'])).join('')}`,
  });
  const seeded: Seed = {
    roles: ['Support', 'Dropped', 'By hand'].map((name, index) => liveRole(`rol_${index}`, name, ['read'])),
    resource_servers: apis,
  };
  const repository = await scratchRepository(files('', 'Support', 'Dropped'));
  await repository.write(files('', 'Support'));
  const { plan } = await planOf(repository, await tenantWith(seeded), '--base', 'HEAD');
  expect(originsOf(plan)).toEqual({ 'LIVE_UNDECLARED By hand': 'drift', 'LIVE_UNDECLARED Dropped': 'change' });
  const ignoring = await scratchRepository(files(', undeclared: { roles: ignore }', 'Support', 'Dropped'));
  await ignoring.write(files('', 'Support', 'Dropped'));
  const reporting = await planOf(ignoring, await tenantWith(seeded), '--base', 'HEAD');
  expect(originsOf(reporting.plan)).toEqual({ 'LIVE_UNDECLARED By hand': 'change' });
  expect(reporting.plan.base?.header).toMatchObject([{ field: 'undeclared.roles', before: 'ignore' }]);
});

test('an error that only the change causes is of the change, also at an item that it leaves as it is', async () => {
  const files = (...scopes: readonly string[]) => ({
    'tenant/a.yaml': `resource_servers:\n  - identifier: ${api}\n    scopes: [${scopes.map((value) => `{ value: ${value} }`).join(', ')}]\nroles:\n${role('Support', ['read'])}`,
  });
  const repository = await scratchRepository(files('read', 'write', 'admin'));
  await repository.write(files('write', 'admin'));
  // The role as at the base, and another one.
  for (const live of [['read'], []]) {
    const seeded: Seed = { roles: [liveRole('rol_1', 'Support', live)], resource_servers: apis };
    const { plan, code } = await planOf(repository, await tenantWith(seeded), '--base', 'HEAD');
    expect([code, originsOf(plan)]).toMatchObject([1, { 'LIVE_NOT_FOUND Support': 'change' }]);
    expect(plan.actions.map(({ id }) => id)).toEqual(live.length === 0 ? ['roles/Support#add'] : []);
  }
});

test('a secret that the change takes from another variable is a change, in every format', async () => {
  const stream = (variable: string, event = 'user.created') =>
    `  - name: users-to-crm
    status: enabled
    subscriptions: [{ event_type: ${event} }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: basic, username: crm, password: "\${env:${variable}}" }
`;
  const files = (text: string) => ({ 'tenant/streams.yaml': `event_streams:\n${text}` });
  const repository = await scratchRepository(files(stream('TENANT_VAR_OLD')));
  const tenant = await tenantWith({
    event_streams: [
      {
        id: 'est_1234567890abcdef',
        name: 'users-to-crm',
        status: 'enabled',
        subscriptions: [{ event_type: 'user.created' }],
        destination: {
          type: 'webhook',
          configuration: {
            webhook_endpoint: 'https://crm.example/hook',
            webhook_authorization: { method: 'basic', username: 'crm' },
          },
        },
      },
    ],
  });
  const env = { ...repository.env, TENANT_VAR_OLD: 'old-secret', TENANT_VAR_NEW: 'new-secret' };
  const findings = async (...options: readonly string[]) => {
    const { plan } = await planOf({ ...repository, env }, tenant, '--base', 'HEAD', ...options);
    return plan.findings;
  };
  // Another change of the item is not one of its secret.
  await repository.write(files(stream('TENANT_VAR_OLD', 'user.deleted')));
  expect(await findings()).toMatchObject([{ code: 'LIVE_SECRET_NOT_COMPARED', severity: 'note' }]);
  await repository.write(files(stream('TENANT_VAR_NEW')));
  const field = 'destination.configuration.webhook_authorization.password';
  const changed = {
    code: 'LIVE_SECRET_NOT_COMPARED',
    severity: 'warning',
    origin: 'change',
    changes: [{ field, before: '${env:TENANT_VAR_OLD}', after: '${env:TENANT_VAR_NEW}' }],
  };
  expect(await findings()).toMatchObject([changed]);
  expect(await findings('--changed')).toMatchObject([changed]);
  const formats = ['text', 'markdown', 'github', 'html'];
  for (const format of formats) {
    const argv = ['plan', join(repository.path, 'tenant'), '--base', 'HEAD', '--format', format];
    const { stdout } = await runCommand(argv, { env: { ...env, ...tenant.env } });
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain('--rotate event_streams/users-to-crm');
    expect(words).toContain('the files name another variable');
    expect(words).toMatch(/no changes(?: |, | · )1 changed secret not sent/);
    expect(words).toContain('1 change from this pull request.');
    expect(words).not.toContain('In sync');
  }
  // What the command line asks for is sent.
  expect(await findings('--rotate', 'event_streams/users-to-crm')).toEqual([]);
});
