// pull --fix-approvals: codes that approve nothing of what apply would do with the files as they are.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const old = '0123456789abcdef01234567';
const older = 'f123456789abcdef01234567';
const many = ['default', ...Array.from({ length: 5 }, (_none, index) => `client_id:${index}`)];

async function given(seed: Seed, files: Readonly<Record<string, string>>, faults: readonly FaultRule[] = []) {
  const tenant = await tenantWith(seed, { faults });
  const path = await folder(files);
  const run = (command: string, ...options: readonly string[]) =>
    runCommand([command, path, ...options], { env: tenant.env });
  const read = (file: string) => readFile(join(path, file), 'utf8');
  const codeOf = async () => {
    const { stdout } = await run('plan', '--format', 'json');
    return (JSON.parse(stdout) as Plan).refusals[0]?.approve ?? '';
  };
  return { tenant, path, run, read, codeOf };
}

const seed = { rate_limit_policies: [livePolicy('default')] };
const inSync = { 'p.yaml': policiesYaml('default') };

describe('codes that match nothing', () => {
  test('are removed in place, with the diff, and comments stay', async () => {
    const { run, read } = await given(seed, {
      ...inSync,
      'tenant.yaml': [
        '# Ours.',
        'tenant:',
        '  name: acme # the name',
        `  approvals: ["${old}", "${older}"] # reviewed`,
        '  api: full',
        '',
      ].join('\n'),
    });
    const shown = await run('pull', '--fix-approvals', '--check');
    expect(shown.code).toBe(2);
    expect(shown.stdout).toContain(`-  approvals: ["${old}", "${older}"] # reviewed`);
    expect(await read('tenant.yaml')).toContain(old);
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    expect(await read('tenant.yaml')).toContain(old);
    expect(await run('pull', '--fix-approvals', '--yes')).toMatchObject({ code: 0 });
    const after = await read('tenant.yaml');
    expect(after).toMatch(/^# Ours\.\ntenant:\n {2}name: acme # the name\n/);
    expect(after).not.toContain('approvals');
    expect(after).toContain('  api: full\n');
    const plan = await run('plan');
    expect(plan.code).toBe(0);
    expect(plan.stdout).not.toContain('RULE_UNMATCHED');
    expect(await run('pull', '--fix-approvals', '--check')).toMatchObject({ code: 0 });
  });

  test('a header of nothing else stays valid', async () => {
    const { run } = await given(seed, { ...inSync, 'tenant.yaml': `tenant:\n  approvals:\n    - "${old}"\n` });
    expect(await run('pull', '--fix-approvals', '--yes')).toMatchObject({ code: 0 });
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect((await run('plan')).stdout).not.toContain('RULE_UNMATCHED');
  });

  test('nothing is written without approvals, and without a terminal nothing is confirmed', async () => {
    const without = await given(seed, inSync);
    const { code, stdout } = await without.run('pull', '--fix-approvals', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('The files match the tenant');
    const { run } = await given(seed, { ...inSync, 't.yaml': `tenant: { approvals: ["${old}"] }\n` });
    expect(await run('pull', '--fix-approvals')).toMatchObject({ code: 3 });
  });
});

describe('a code that approves a refusal stays', () => {
  test('of the files as they are, although the pull ends the refusal; the others of the list go, with their lines', async () => {
    const live = { rate_limit_policies: many.map((name) => livePolicy(name)) };
    const { run, read, codeOf, path } = await given(live, inSync);
    const code = await codeOf();
    expect(code).toHaveLength(24);
    await writeFile(
      join(path, 'tenant.yaml'),
      `tenant:\n  approvals:\n    # from spring\n    - "${old}"\n    # from summer\n    - "${code}"\n`,
    );
    expect(await run('pull', '--fix-approvals', '--yes')).toMatchObject({ code: 0 });
    const text = await read('tenant.yaml');
    expect(text).toContain(`    # from summer\n    - "${code}"\n`);
    expect(text).not.toContain(old);
    // Now the files have what was refused.
    expect(await codeOf()).toBe('');
    await run('pull', '--fix-approvals', '--yes');
    expect(await read('tenant.yaml')).not.toContain(code);
  });

  test('of a client of this tool, which pull itself does not guard', async () => {
    const yaml =
      'rate_limit_policies:\n  - consumer_selector: default\n    configuration: { action: block, limit: 0 }\n';
    const { run, read, codeOf, path } = await given(seed, { 'p.yaml': yaml });
    const code = await codeOf();
    expect(code).toHaveLength(24);
    await writeFile(join(path, 'tenant.yaml'), `tenant:\n  approvals: ["${code}"]\n`);
    await run('pull', '--fix-approvals', '--yes');
    expect(await read('tenant.yaml')).toContain(code);
  });
});

describe('where it cannot be known', () => {
  const files = { ...inSync, 'tenant.yaml': `tenant:\n  approvals: ["${old}"]\n` };

  test.each([
    ['--only', 'rate_limit_policies'],
    ['--except', 'rate_limit_policies/x'],
  ])('with %s it is an error, and nothing is sent', async (option, value) => {
    const { run, tenant } = await given(seed, files);
    const { code, stderr } = await run('pull', '--fix-approvals', option, value, '--yes');
    expect({ code, requests: tenant.tenant.requests.length }).toEqual({ code: 3, requests: 0 });
    expect(stderr).toContain('--fix-approvals cannot be used with --only or --except');
  });

  test('nothing is removed if something could not be read, and that is said', async () => {
    const fault: FaultRule = { operation: 'list_roles', kind: 'status', status: 403, times: 99 };
    const { run, read } = await given(
      seed,
      { ...files, 'r.yaml': 'roles:\n  - { name: Support, permissions: [] }\n' },
      [fault],
    );
    const { code, stderr } = await run('pull', '--fix-approvals', '--yes');
    expect(code).toBe(4);
    expect(stderr).toContain('approvals: not everything could be read, so no code is removed.');
    expect(await read('tenant.yaml')).toContain(old);
  });

  test('no request is sent for it that the pull does not need', async () => {
    const { run, tenant } = await given(seed, files);
    await run('pull', '--check');
    const before = tenant.tenant.requests.length;
    await run('pull', '--check', '--fix-approvals');
    expect(tenant.tenant.requests.length - before).toBe(before);
  });
});
