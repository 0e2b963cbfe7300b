import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { filesOfEveryKind, livePolicy, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type StartedTenant, startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';

let tenant: StartedTenant;
beforeEach(async () => {
  tenant = await startTenant(seedOf());
});
afterEach(() => tenant.close());

async function saved(...options: readonly string[]): Promise<string> {
  const cwd = await folder(filesOfEveryKind);
  await runCommand(['plan', '--out', 'plan.json', ...options], { env: tenant.env, cwd });
  return cwd;
}

const apply = (cwd: string, ...options: readonly string[]) =>
  runCommand(['apply', '--plan', 'plan.json', '--yes', ...options], { env: tenant.env, cwd });
const writes = () =>
  tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token');

async function edit(cwd: string, change: (plan: Plan) => unknown): Promise<void> {
  const path = join(cwd, 'plan.json');
  const plan = JSON.parse(await readFile(path, 'utf8')) as Plan;
  await writeFile(path, JSON.stringify(change(plan) ?? plan));
}

test('a saved plan that still holds is performed', async () => {
  const { code } = await apply(await saved());
  expect({ code, writes: writes().length }).toEqual({ code: 0, writes: 3 });
});

test('a saved plan keeps its selection', async () => {
  const { code } = await apply(await saved('--only', 'rate_limit_policies'));
  expect({ code, writes: writes().map(({ method }) => method) }).toEqual({ code: 0, writes: ['DELETE'] });
});

describe('refused with 4, nothing sent', () => {
  test('the tenant changed: the differences are named', async () => {
    const cwd = await saved();
    await tenant.tenant.change((state) => {
      state.rate_limit_policies = [livePolicy('default', 7), livePolicy('client_id:one')];
    });
    const { code, stderr } = await apply(cwd);
    expect(code).toBe(4);
    expect(stderr).toContain('PLAN_STALE');
    expect(stderr).toContain(
      'action rate_limit_policies/oauth_authentication_api/client/client_id:stale: planned but no longer needed',
    );
    expect(stderr).toContain(
      'action rate_limit_policies/oauth_authentication_api/client/default: not in the saved plan',
    );
    expect(writes()).toEqual([]);
  });

  test('the files changed', async () => {
    const cwd = await saved();
    await writeFile(join(cwd, 'prompts.yaml'), filesOfEveryKind['prompts.yaml'].replace('hello', 'goodbye'));
    expect((await apply(cwd)).code).toBe(4);
    expect(writes()).toEqual([]);
  });

  test('the plan was edited', async () => {
    const cwd = await saved();
    await edit(cwd, (plan) => {
      plan.actions.pop();
    });
    const { code, stderr } = await apply(cwd);
    expect({ code, reported: stderr.includes('changed after it was saved') }).toEqual({ code: 4, reported: true });
    expect(tenant.tenant.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('many differences are counted', async () => {
    const cwd = await saved();
    await tenant.tenant.change((state) => {
      for (let index = 0; index < 30; index += 1) state.rate_limit_policies?.push(livePolicy(`client_id:n${index}`));
    });
    const { stderr } = await apply(cwd);
    expect(stderr).toContain('21 more differences are not shown.');
    expect(stderr.match(/hint: save a new plan and have it reviewed/g)).toHaveLength(1);
  });
});

describe('refused with 3', () => {
  test.each([
    ['not JSON', () => 'PLAN_FILE_INVALID', 'nonsense'],
    ['another document', () => 'PLAN_FILE_INVALID', '{"a":1}'],
    ['a newer minor version', () => 'PLAN_VERSION_UNSUPPORTED', '{"format_version":"1.1"}'],
    ['another major version', () => 'PLAN_VERSION_UNSUPPORTED', '{"format_version":"3.0"}'],
  ])('%s', async (_name, code, text) => {
    const cwd = await saved();
    await writeFile(join(cwd, 'plan.json'), text);
    const result = await apply(cwd);
    expect({ code: result.code, reported: result.stderr.includes(code()) }).toEqual({ code: 3, reported: true });
  });

  test('no such file', async () => {
    const { code, stderr } = await apply(await folder(filesOfEveryKind));
    expect({ code, reported: stderr.includes('PLAN_FILE_INVALID') }).toEqual({ code: 3, reported: true });
  });

  test('a plan and a selection', async () => {
    const { code, stderr } = await apply(await saved(), '--only', 'rate_limit_policies');
    expect({ code, reported: stderr.includes('--plan cannot be used with') }).toEqual({ code: 3, reported: true });
  });
});
