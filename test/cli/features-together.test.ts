// Features that are tested alone elsewhere, together: a saved plan is confirmed, and an item is added although the listing
// of another kind fails.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FaultRule, parseFault } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { filesOfEveryKind, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { type RunOptions, runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

async function setUp(files: Readonly<Record<string, string>> = filesOfEveryKind, ...faults: readonly string[]) {
  const started = await tenantWith(seedOf(), { faults: faults.map((fault) => parseFault(fault) as FaultRule) });
  const cwd = await folder(files);
  const run = (argv: readonly string[], options: RunOptions = {}) =>
    runCommand(argv, { env: started.env, cwd, ...options });
  const writes = () =>
    started.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token').length;
  return { ...started, cwd, run, writes };
}

describe('a saved plan with a confirmation', () => {
  const apply = ['apply', '--plan', 'plan.json'];

  test('is not sent if it is declined, and sent if it is confirmed', async () => {
    const { run, writes } = await setUp();
    await run(['plan', '--out', 'plan.json']);
    const asked: string[] = [];
    const declined = await run(apply, {
      confirm: (question) => {
        asked.push(question);
        return false;
      },
    });
    expect([asked.length, writes(), declined.code === 0]).toEqual([1, 0, false]);
    expect((await run(apply, { confirm: () => true })).code).toBe(0);
    expect(writes()).toBe(3);
  });

  test('an item that changes before the response is a conflict, and the others are sent', async () => {
    const { run, writes, tenant } = await setUp();
    await run(['plan', '--out', 'plan.json']);
    const { code, stdout } = await run([...apply, '--format', 'json'], {
      confirm: () => true,
      beforeAnswer: () =>
        tenant.change((state) => {
          for (const policy of state.rate_limit_policies ?? [])
            if (policy.consumer_selector === 'client_id:stale') policy.configuration = { action: 'block', limit: 1 };
        }),
    });
    const outcomes = (JSON.parse(stdout).outcomes as { outcome: string }[]).map(({ outcome }) => outcome);
    expect([code, writes(), outcomes.filter((outcome) => outcome === 'conflict').length]).toEqual([4, 2, 1]);
  });

  test('files that change before it are a conflict, and the question comes all the same', async () => {
    const { run, cwd, writes } = await setUp();
    await run(['plan', '--out', 'plan.json']);
    await writeFile(join(cwd, 'policies.yaml'), policiesYaml('default', 'client_id:one', 'client_id:stale'));
    const { code } = await run(apply, { confirm: () => true });
    expect([code, writes()]).toEqual([4, 2]);
  });
});

describe('pull --add while a listing fails', () => {
  const files = {
    'a.yaml':
      'tenant: { undeclared: { rate_limit_policies: report, event_streams: report } }\nrate_limit_policies: []\nevent_streams: []\n',
  };
  const broken = 'list_event_streams:status=403';

  test('adds what was read', async () => {
    const { run, cwd } = await setUp(files, broken);
    const { stdout } = await run(['pull', '--yes', '--add', 'rate_limit_policies']);
    const yaml = await readFile(join(cwd, 'a.yaml'), 'utf8');
    expect([
      stdout.includes('3 items added'),
      yaml.includes('client_id:stale'),
      yaml.includes('event_streams: []'),
    ]).toEqual([true, true, true]);
  });

  test('says so where nothing was read of what is to be added', async () => {
    const { run, cwd } = await setUp(files, broken);
    const { code, stderr, stdout } = await run(['pull', '--yes', '--add', 'event_streams']);
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain('event_streams');
    expect(await readFile(join(cwd, 'a.yaml'), 'utf8')).toContain('event_streams: []');
  });
});
