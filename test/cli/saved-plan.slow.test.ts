import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseDocument, parsePlan } from '../../src/document/parse-document.ts';
import type { Outcome } from '../../src/model/outcomes.generated.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { planChecksum, planDigest } from '../../src/plan/digest.ts';
import { countsOf } from '../../src/plan/summary.ts';
import { filesOfEveryKind, livePolicy, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type StartedTenant, startTenant, testClient } from '../support/start-tenant.ts';
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

describe('--all-or-nothing', () => {
  test('sends nothing if an item changed since, on the tenant or in the files', async () => {
    const cwd = await saved();
    await tenant.tenant.change((state) => {
      const stale = state.rate_limit_policies?.find(({ consumer_selector: name }) => name === 'client_id:stale');
      if (stale !== undefined) stale.configuration = { action: 'allow' };
    });
    const { code, stdout, stderr } = await apply(cwd, '--all-or-nothing');
    expect({ code, writes: writes() }).toEqual({ code: 4, writes: [] });
    expect(stderr).toMatch(/PLAN_CONFLICT\n.*client_id:stale: .*\n? *Nothing was sent/);
    expect(stdout).toMatch(
      /Not sent, because of changes by others, or because live state cannot be read: \S*client_id:stale\./,
    );
    const again = await saved();
    await writeFile(join(again, 'prompts.yaml'), filesOfEveryKind['prompts.yaml'].replace('hello', 'bye'));
    expect((await apply(again, '--all-or-nothing')).code).toBe(4);
    expect(writes()).toEqual([]);
  });

  test('applies a plan that still holds, and the rest of one that was applied in part', async () => {
    const cwd = await saved();
    expect((await apply(cwd, '--all-or-nothing')).code).toBe(0);
    expect(writes()).toHaveLength(3);
    expect((await apply(cwd, '--all-or-nothing')).code).toBe(0);
  });

  test('needs a saved plan', async () => {
    const { code, stderr } = await runCommand(['apply', '--all-or-nothing', '--yes'], { env: tenant.env });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('--all-or-nothing needs --plan') });
  });
});

describe('an item that changed since is a conflict, and the others are performed', () => {
  const outcomesOf = (stdout: string) =>
    Object.fromEntries(
      (JSON.parse(stdout).outcomes as Outcome[]).map(({ id, outcome, conflict }) => [
        id.split('/').at(-1),
        conflict === undefined ? outcome : [outcome, conflict.moved],
      ]),
    );

  test('what is shown and asked is what is left to send', async () => {
    const cwd = await saved();
    await tenant.tenant.change((state) => {
      const stale = state.rate_limit_policies?.find(({ consumer_selector: name }) => name === 'client_id:stale');
      Object.assign(stale?.configuration ?? {}, { action: 'block', limit: 7777 });
    });
    const asked: string[] = [];
    const confirm = (question: string) => asked.push(question) > 0;
    const argv = ['apply', '--plan', 'plan.json'];
    const { code, stdout } = await runCommand(argv, { env: tenant.env, cwd, confirm });
    expect({ code, asked, writes: writes().length }).toEqual({
      code: 4,
      asked: [expect.stringMatching(/^Apply 2 changes .* with 2 requests to /)],
      writes: 2,
    });
    expect(stdout).toContain('Apply sends 2 requests.');
    expect(stdout).not.toContain('In sync');
  });

  test('on the tenant', async () => {
    const cwd = await saved();
    await tenant.tenant.change((state) => {
      const stale = state.rate_limit_policies?.find(({ consumer_selector: name }) => name === 'client_id:stale');
      Object.assign(stale?.configuration ?? {}, { action: 'block', limit: 7777 });
    });
    const { code, stdout } = await apply(cwd, '--format', 'json');
    expect({ code, outcomes: outcomesOf(stdout) }).toEqual({
      code: 4,
      outcomes: { 'client_id:stale': ['conflict', 'tenant'], login: 'done', 'rol_1#remove': 'done' },
    });
    expect(stdout).toContain('7777');
    expect(writes()).toHaveLength(2);
  });

  test('also where another action needs it', async () => {
    const limits = (policies: Readonly<Record<string, number>>) =>
      tenant.tenant.change((state) => {
        state.rate_limit_policies = Object.entries(policies).map(([name, limit]) => livePolicy(name, limit));
      });
    await limits({ default: 100, 'client_id:a': 5, 'client_id:b': 7 });
    const policy = (name: string, limit: number) =>
      `  - consumer_selector: ${name}\n    configuration: { action: block, limit: ${limit} }\n`;
    const cwd = await folder({
      'a.yaml': `rate_limit_policies:\n${policy('default', 200)}${policy('client_id:b', 8)}`,
    });
    await runCommand(['plan', '--out', 'plan.json'], { env: tenant.env, cwd });
    await limits({ default: 300, 'client_id:a': 5, 'client_id:b': 7 });
    const { code, stdout } = await apply(cwd, '--format', 'json');
    expect({ code, outcomes: outcomesOf(stdout) }).toEqual({
      code: 4,
      outcomes: { default: ['conflict', 'tenant'], 'client_id:a': 'not_attempted', 'client_id:b': 'done' },
    });
  });

  test('in the files', async () => {
    const cwd = await saved();
    await writeFile(join(cwd, 'prompts.yaml'), filesOfEveryKind['prompts.yaml'].replace('hello', 'goodbye'));
    const { code, stdout } = await apply(cwd, '--format', 'json');
    expect({ code, outcomes: outcomesOf(stdout) }).toEqual({
      code: 4,
      outcomes: { 'client_id:stale': 'done', login: ['conflict', 'files'], 'rol_1#remove': 'done' },
    });
  });

  test('what is live already is done, and nothing is sent for it', async () => {
    const cwd = await saved();
    await tenant.tenant.change((state) => {
      state.rate_limit_policies = [livePolicy('default'), livePolicy('client_id:one')];
    });
    const { code, stdout } = await apply(cwd, '--format', 'json');
    expect({ code, outcomes: outcomesOf(stdout) }).toEqual({
      code: 0,
      outcomes: { 'client_id:stale': 'done', login: 'done', 'rol_1#remove': 'done' },
    });
    // Kinds do not wait for each other.
    expect(
      writes()
        .map(({ method }) => method)
        .sort(),
    ).toEqual(['DELETE', 'PUT']);
    expect((await apply(cwd)).code).toBe(0);
    expect(writes()).toHaveLength(2);
  });

  test('what the plan does not name is left alone', async () => {
    const cwd = await saved();
    await tenant.tenant.change((state) => {
      for (let index = 0; index < 30; index += 1) state.rate_limit_policies?.push(livePolicy(`client_id:n${index}`));
    });
    expect((await apply(cwd)).code).toBe(0);
    expect(writes()).toHaveLength(3);
  });
});

describe('a plan file that was edited, with a checksum that fits', () => {
  const forged = (change: (plan: Plan) => void) => async (cwd: string) =>
    edit(cwd, (plan) => {
      change(plan);
      Object.assign(plan.summary, countsOf(plan));
      const { actions, findings, refusals, tenant: about } = plan;
      plan.digest = planDigest({ tenant: about, actions, findings, refusals });
      plan.checksum = planChecksum(plan);
    });
  const declaredPath = `/rate-limit-policies/${livePolicy('client_id:one').id}`;
  const deletion = ({ actions }: Plan) => actions.find(({ action }) => action === 'delete');

  test.each<[string, (plan: Plan) => void, code?: number]>([
    ['does not delete another item', (plan) => Object.assign(deletion(plan)?.request ?? {}, { path: declaredPath })],
    [
      'does not pass for one that cannot be read',
      (plan) => {
        Object.assign(deletion(plan) ?? {}, { precondition: null, reason: 'unreadable' });
        Object.assign(deletion(plan)?.request ?? {}, { path: declaredPath });
      },
    ],
    [
      'does not show a removal as an addition',
      ({ actions }) => {
        for (const action of actions.filter(({ action }) => action === 'remove'))
          Object.assign(action, { action: 'add', reason: 'missing', effects: [] });
      },
      3,
    ],
    ['does not show a deletion as a change', (plan) => Object.assign(deletion(plan) ?? {}, { action: 'update' })],
    ['does not pass without its precondition', (plan) => Object.assign(deletion(plan) ?? {}, { precondition: null })],
    ['does not wait for an action that it does not need', (plan) => deletion(plan)?.needs.push('prompts/login')],
  ])('%s', async (_name, change, refused = 4) => {
    const cwd = await saved();
    await forged(change)(cwd);
    const { code } = await apply(cwd);
    expect(code).toBe(refused);
    expect(writes().map(({ operation }) => operation)).not.toContain('delete_rate_limit_policy');
  });

  test('does not make a reference of a text that looks like one, so that no precondition counts', async () => {
    const text = '{result:prompts/login:id}';
    const prompts = ['login', 'signup'].map(
      (name) => `  ${name}:\n    partials:\n      ${name}: { form-content-start: "<b>${text}</b>" }\n`,
    );
    const cwd = await folder({ 'prompts.yaml': `prompts:\n${prompts.join('')}` });
    await runCommand(['plan', '--out', 'plan.json'], { env: tenant.env, cwd });
    await forged(({ actions }) => actions.at(-1)?.needs.push('prompts/login'))(cwd);
    await tenant.tenant.change((state) => {
      state.prompts = { ...state.prompts, signup: { partials: { signup: { 'form-content-start': 'theirs' } } } };
    });
    const { code, stderr } = await apply(cwd);
    expect({ code, isStale: stderr.includes('PLAN_STALE'), writes: writes() }).toEqual({
      code: 4,
      isStale: true,
      writes: [],
    });
  });

  test('is shown and reported as what its requests do', async () => {
    const cwd = await saved();
    const plan = async () => (await runCommand(['plan', '--format', 'json'], { env: tenant.env, cwd })).stdout;
    const { actions: planned } = JSON.parse(await plan()) as Plan;
    await forged(({ actions }) => {
      for (const action of actions) {
        Object.assign(action, {
          before: action.after,
          reason: 'missing',
          changes: [],
          notes: [...(action.notes ?? []), 'harmless'],
        });
        // Of the policies one item is read, so what its clients fall back to is not known.
        if (action.kind !== 'rate_limit_policies') action.effects = [];
      }
    })(cwd);
    const { code, stdout } = await apply(cwd, '--format', 'json');
    const { plan: shown } = JSON.parse(stdout) as { plan: Plan };
    const texts = ({ effects }: Action) => effects.map(({ message }) => message);
    // Roles are not listed again, so one that is declared by its id has no name.
    const readable = (actions: readonly Action[]) =>
      actions.map(({ name: _name, ...action }) => ({ ...action, effects: texts(action as Action) }));
    expect({ code, actions: readable(shown.actions) }).toEqual({ code: 0, actions: readable(planned) });
    expect(parseDocument(stdout, 'outcomes.json').status).toBe('parsed');
  });

  test('does not do what its notes hide', async () => {
    const cwd = await saved();
    await forged(({ actions }) => {
      for (const action of actions) action.notes = ['harmless'];
    })(cwd);
    const { code } = await apply(cwd);
    expect({
      code,
      writes: writes()
        .map(({ operation }) => operation)
        .sort(),
    }).toEqual({
      code: 4,
      writes: ['delete_rate_limit_policy', 'set_prompt_partials'],
    });
  });

  test.each<[string, (plan: Plan) => unknown]>([
    ['two actions with one id', ({ actions }) => actions.push(...actions.slice(0, 1))],
    ['an id that is not the one of its item', ({ actions: [first] }) => Object.assign(first ?? {}, { id: 'roles/x' })],
    ['needs that the plan does not have', ({ actions }) => actions.at(-1)?.needs.push('roles/none')],
    ['an action that needs itself', ({ actions: [first] }) => first?.needs.push(first.id)],
    [
      'needs in a circle',
      ({ actions: [one, two] }) => [one?.needs.push(two?.id ?? ''), two?.needs.push(one?.id ?? '')],
    ],
    ['needs that come later', ({ actions }) => actions[0]?.needs.push(actions.at(-1)?.id ?? '')],
    ['another order of its stages', ({ actions }) => actions.reverse()],
  ])('is no plan with %s', async (_name, change) => {
    const cwd = await saved();
    await forged((plan) => void change(plan))(cwd);
    const { code, stderr } = await apply(cwd);
    expect({ code, reported: stderr.includes('PLAN_FILE_INVALID'), writes: writes() }).toEqual({
      code: 3,
      reported: true,
      writes: [],
    });
  });

  test('is no plan with a summary of other actions', async () => {
    const cwd = await saved();
    await edit(cwd, (plan) => {
      plan.summary.delete = 0;
      plan.checksum = planChecksum(plan);
    });
    const { code, stderr } = await apply(cwd);
    expect({ code, reported: stderr.includes('its summary counts') }).toEqual({ code: 3, reported: true });
  });
});

describe('refused with 4, nothing sent', () => {
  test('the plan was edited', async () => {
    const cwd = await saved();
    await edit(cwd, (plan) => {
      plan.actions.pop();
    });
    const { code, stderr } = await apply(cwd);
    expect({ code, reported: stderr.includes('changed after it was saved') }).toEqual({ code: 4, reported: true });
    expect(tenant.tenant.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
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

test('a file of more than 64 MB is not read', async () => {
  const cwd = await saved();
  await truncate(join(cwd, 'plan.json'), 64 * 1024 * 1024 + 1);
  const { code, stderr } = await apply(cwd);
  expect({ code, sent: writes() }).toEqual({ code: 3, sent: [] });
  expect(stderr).toContain('plan.json cannot be read: it has more than 67108864 bytes (64 MB).');
});

test('a plan of 40 MB is read', async () => {
  const cwd = await saved();
  await edit(cwd, (plan) => ({ ...plan, generated_at: `2026-11-20T10:00:00.${'0'.repeat(40_000_000)}Z` }));
  const { code, stderr } = await apply(cwd);
  expect(code).toBe(4);
  expect(stderr).toContain('was changed after it was saved');
});

test('a secret that a tenant repeats is masked in the file, which is still a plan', async () => {
  const secret = testClient.client_secret;
  await tenant.tenant.change((seed) => {
    (seed as { event_streams?: object[] }).event_streams = [{ id: 'est_0000000000000001', name: `x ${secret}` }];
  });
  const cwd = await folder({ ...filesOfEveryKind, 'streams.yaml': 'event_streams: []\n' });
  await runCommand(['plan', '--out', 'plan.json'], { env: tenant.env, cwd });
  const text = await readFile(join(cwd, 'plan.json'), 'utf8');
  expect(text).toContain('x ***');
  expect(text).not.toContain(secret);
  expect(parsePlan(text, 'plan.json').status).toBe('parsed');
});

describe('--out replaces nothing but a saved plan', () => {
  const plan = (cwd: string, file: string) => runCommand(['plan', '--out', file], { env: tenant.env, cwd });
  const requests = () => tenant.tenant.requests.length;

  test('a plan of an earlier run, or an empty file', async () => {
    const cwd = await saved();
    await writeFile(join(cwd, 'empty.json'), '');
    for (const file of ['plan.json', 'empty.json']) {
      expect((await plan(cwd, file)).code).toBe(0);
      expect(parsePlan(await readFile(join(cwd, file), 'utf8'), file).status).toBe('parsed');
    }
  });

  test('a new file that is read with the folder is refused', async () => {
    const cwd = await folder(filesOfEveryKind);
    const { code, stderr } = await plan(cwd, 'plan.YML');
    expect([code, stderr.includes('it would be read as a file of a tenant'), requests()]).toEqual([3, true, 0]);
    expect(await readFile(join(cwd, 'plan.YML'), 'utf8').catch(() => null)).toBeNull();
  });

  test.each(['notes.txt', 'policies.yaml'])('%s is left as it is, and nothing is sent', async (file) => {
    const cwd = await folder({ ...filesOfEveryKind, 'notes.txt': '{ "format_versions": [] }' });
    const before = await readFile(join(cwd, file), 'utf8');
    const { code, stderr } = await plan(cwd, file);
    expect([code, stderr.includes('it is a file with other content than a plan')]).toEqual([3, true]);
    expect([await readFile(join(cwd, file), 'utf8'), requests()]).toEqual([before, 0]);
  });
});
