// Refused plans that are approved where the change is reviewed: in the files.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { planChecksum } from '../../src/plan/digest.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import type { StartedTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const old = '0123456789abcdef01234567';
const policies = policiesYaml('default');

async function refusedTenant(): Promise<StartedTenant> {
  const names = ['default', ...Array.from({ length: 5 }, (_none, index) => `client_id:${index}`)];
  return tenantWith({ rate_limit_policies: names.map((name) => livePolicy(name)) });
}

const deletions = ({ tenant }: StartedTenant) => tenant.requests.filter(({ method }) => method === 'DELETE').length;

async function planIn(tenant: StartedTenant, cwd: string, ...options: readonly string[]) {
  const { code, stdout, stderr } = await runCommand(['plan', '--format', 'json', ...options], { env: tenant.env, cwd });
  return { code, stderr, plan: JSON.parse(stdout) as Plan };
}

/** Does to the files what the refusal says, by hand. */
async function approveByHand(cwd: string, { refusals: [refusal] }: Plan): Promise<string> {
  const edit = refusal?.approve_in;
  if (!edit) throw new Error('no edit is shown');
  const path = join(cwd, edit.file);
  const before = edit.change === 'create' ? '' : await readFile(path, 'utf8');
  const lines = before.split(/(?<=\n)/);
  const isWindows = before.includes('\r\n');
  lines.splice(edit.line - 1, edit.replaces, ...edit.lines.map((line) => `${line}${isWindows ? '\r\n' : '\n'}`));
  await writeFile(path, lines.join(''));
  return `${edit.change} ${edit.file}:${edit.line}`;
}

describe('the refusal shows the edit that approves it', () => {
  test.each<[string, Record<string, string>, string, string]>([
    ['no header', { 'p.yaml': policies }, 'create tenant.yaml:1', 'tenant:\n  approvals: [CODE]\n'],
    [
      'a file of that name without a header',
      { 'tenant.yaml': `# ours\n${policies}` },
      'insert tenant.yaml:',
      'tenant:\n  approvals: [CODE]\n',
    ],
    [
      'a header',
      { 'acme.yaml': `tenant:\n  name: acme # ours\n  api: full\n${policies}` },
      'insert acme.yaml:4',
      'tenant:\n  name: acme # ours\n  api: full\n  approvals: [CODE]\n',
    ],
    [
      'a header with codes in brackets',
      { 'acme.yaml': `tenant:\n  approvals: [${old}]\n${policies}` },
      'replace acme.yaml:2',
      `tenant:\n  approvals: [${old}, CODE]\n`,
    ],
    [
      'a header with a list of codes',
      { 'acme.yaml': `tenant:\n  approvals:\n    # spring\n    - ${old} # reviewed\n  name: acme\n${policies}` },
      'insert acme.yaml:5',
      `    - ${old} # reviewed\n    - CODE\n  name: acme\n`,
    ],
    [
      'a header in one line',
      { 'acme.yaml': `tenant: { name: acme }\n${policies}` },
      'replace acme.yaml:1',
      'tenant: { name: acme, approvals: [CODE] }\n',
    ],
    [
      'a file with line ends of Windows',
      { 'acme.yaml': `tenant:\r\n  name: acme\r\n${policies.replaceAll('\n', '\r\n')}` },
      'insert acme.yaml:3',
      'tenant:\r\n  name: acme\r\n  approvals: [CODE]\r\n',
    ],
  ])('%s', async (_name, files, where, expected) => {
    const tenant = await refusedTenant();
    const cwd = await folder(files);
    const refused = await planIn(tenant, cwd);
    expect(refused.code).toBe(4);
    const code = refused.plan.refusals[0]?.approve ?? '';
    const edit = await approveByHand(cwd, refused.plan);
    expect(edit).toContain(where);
    const file = edit.replace(/^\w+ (.*):\d+$/, '$1');
    const approved = await planIn(tenant, cwd);
    // A code that begins as a number does is quoted.
    const text = (await readFile(join(cwd, file), 'utf8')).replaceAll(/["']/g, '').replace(code, 'CODE');
    expect(text).toContain(expected);
    expect(approved.code).toBe(0);
    expect(approved.plan.refusals[0]).toMatchObject({ approved_by: { by: 'tenant.approvals' }, approve_in: null });
    expect(approved.plan.digest).toBe(refused.plan.digest);
    const applied = await runCommand(['apply', '--yes'], { env: tenant.env, cwd });
    expect([applied.code, deletions(tenant)]).toEqual([0, 5]);
  });
});

test('approved in the files, plan is green and shows by what; the code dies with the items', async () => {
  const tenant = await refusedTenant();
  const cwd = await folder({ 'tenant.yaml': 'tenant:\n  name: acme\n', 'p.yaml': policies });
  const run = async (...argv: readonly string[]) => runCommand(argv, { env: tenant.env, cwd });
  const refused = await run('plan');
  expect(refused.code).toBe(4);
  const [code = ''] = /[0-9a-f]{24}/.exec(refused.stderr) ?? [];
  const unquoted = (text: string) => text.replaceAll(`"${code}"`, code);
  expect(unquoted(refused.stderr)).toContain(
    `add this line at tenant.yaml:3: approvals: [${code}]; or add --approve ${code} to apply`,
  );
  expect(unquoted(refused.stdout)).toContain(
    `To approve: add this line at tenant.yaml:3\n        approvals: [${code}]\n`,
  );
  const comment = await run('plan', '--format', 'markdown');
  expect(comment.stdout).toContain('add this line at tenant.yaml:3');
  expect(unquoted(comment.stdout)).toContain(`\n\n\`\`\`yaml\n  approvals: [${code}]\n\`\`\`\n`);

  const approved = 'approved by tenant.approvals (tenant.yaml:3)';
  await writeFile(join(cwd, 'tenant.yaml'), `tenant:\n  name: acme\n  approvals: ["${code}"]\n`);
  const green = await run('plan');
  expect([green.code, green.stderr]).toEqual([0, '']);
  expect(green.stdout).toContain(approved);
  expect((await run('plan', '--format', 'markdown')).stdout).toContain(approved);
  expect((await run('plan', '--format', 'github')).stdout).toContain('::notice file=tenant.yaml,line=3,');

  // Another item that would be deleted is not approved.
  await tenant.tenant.change((seed) => seed.rate_limit_policies?.push(livePolicy('client_id:other')));
  expect((await run('plan')).code).toBe(4);
  await tenant.tenant.change((seed) => {
    seed.rate_limit_policies = (seed.rate_limit_policies ?? []).filter(
      ({ consumer_selector: name }) => name !== 'client_id:other',
    );
  });

  expect((await run('apply', '--yes')).code).toBe(0);
  expect(deletions(tenant)).toBe(5);
  const after = await run('plan');
  expect(after.code).toBe(0);
  expect(after.stdout).toContain(`! header  approvals: ${code}`);
  expect(after.stdout).toContain('pull --fix-approvals removes it');
});

test('plan --approve is green as well, and the plan that it saves stays approved', async () => {
  const tenant = await refusedTenant();
  const cwd = await folder({ 'p.yaml': policies });
  const { plan } = await planIn(tenant, cwd);
  const code = plan.refusals[0]?.approve ?? '';
  const saved = await planIn(tenant, cwd, '--approve', code, '--out', 'plan.json');
  expect(saved.code).toBe(0);
  expect(saved.plan.refusals[0]?.approved_by).toEqual({ by: '--approve', source: null });
  expect((await planIn(tenant, cwd, '--approve', '0'.repeat(24))).code).toBe(4);
  // A part of what was approved is approved.
  await tenant.tenant.change((seed) => seed.rate_limit_policies?.splice(1, 1));
  const applied = await runCommand(['apply', '--plan', 'plan.json', '--yes'], { env: tenant.env, cwd });
  expect([applied.code, deletions(tenant)]).toEqual([0, 4]);
});

test('a saved plan does not approve itself', async () => {
  const tenant = await refusedTenant();
  const cwd = await folder({ 'p.yaml': policies });
  const { plan } = await planIn(tenant, cwd, '--out', 'plan.json');
  const applied = (...more: string[]) =>
    runCommand(['apply', '--plan', 'plan.json', '--yes', ...more], { env: tenant.env, cwd });
  const seal = async (approved_by: (typeof plan.refusals)[number]['approved_by']) => {
    const edited = { ...plan, refusals: plan.refusals.map((refusal) => ({ ...refusal, approved_by })) };
    await writeFile(join(cwd, 'plan.json'), JSON.stringify({ ...edited, checksum: planChecksum(edited) }));
  };
  await seal({ by: 'tenant.approvals', source: { file: 'tenant.yaml', line: 3, column: 3 } });
  expect((await applied()).stderr).toContain('GUARD_REFUSED');
  // With --expect, what the digest does not cover counts for nothing.
  await seal({ by: '--approve', source: null });
  const refused = await applied('--expect', plan.digest);
  expect([refused.code, refused.stderr.includes('GUARD_REFUSED'), deletions(tenant)]).toEqual([4, true, 0]);
  const code = plan.refusals[0]?.approve ?? '';
  expect((await applied('--expect', plan.digest, '--approve', code)).code).toBe(0);
});

describe('a code that is no code', () => {
  test.each([
    ['b7a98ac2daf4', 'copy the code from the refused plan'],
    ['B7A98AC2DAF4B7A98AC2DAF4', 'copy the code from the refused plan'],
    ['012345678901234567890123', 'quotes'],
    ['12345678901234567890e123', 'quotes'],
  ])('%s', async (code, hint) => {
    const cwd = await folder({ 'a.yaml': `tenant:\n  approvals: [${code}]\n${policies}` });
    const result = await runCommand(['validate'], { cwd, env: {} });
    expect(result.code).toBe(3);
    expect(result.stdout).toContain('a.yaml:2:15');
    expect(result.stdout).toContain(hint);
  });
});

test.each([
  ['is a note of a refused plan', policies, 4, ['approves nothing: the code of this plan is CODE']],
  [
    'is none of a plan that no guard refuses',
    policiesYaml('default', ...Array.from({ length: 5 }, (_none, index) => `client_id:${index}`)),
    0,
    [],
  ],
])('another code of --approve %s', async (_name, yaml, code, messages) => {
  const tenant = await refusedTenant();
  const planned = await planIn(tenant, await folder({ 'p.yaml': yaml }), '--approve', old);
  expect(planned.code).toBe(code);
  const found = planned.plan.findings.filter(({ key }) => key === `--approve ${old}`);
  expect(found.map(({ message }) => message.replace(/[0-9a-f]{24}/, 'CODE'))).toEqual(messages);
  expect(found.every(({ severity }) => severity === 'note')).toBe(true);
});
