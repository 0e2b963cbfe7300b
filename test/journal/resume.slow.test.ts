// Whole commands with a state folder that outlives them: what one apply leaves, the next one finds, tells and settles.
import { chmod, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateFolder } from '../../src/cli/environment.ts';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { stateFiles } from '../../src/journal/folder-store.ts';
import { takeLock } from '../../src/journal/lock.ts';
import { chainLine, emptyChain, parseJournal } from '../../src/journal/parse-journal.ts';
import type { RecordedApply } from '../../src/model/outcome.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { documentedYaml, filesOfEveryKind, livePolicy, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { type RunOptions, runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

/** A tenant, and commands that share a state folder. */
async function setUp(seed: Seed, faults: readonly FaultRule[] = []) {
  const tenant = await tenantWith(seed, { faults });
  const state = await folder({});
  const run = (argv: readonly string[], options: RunOptions = {}) =>
    runCommand(argv, { ...options, env: { ...tenant.env, TENANT_SYNC_STATE_DIR: state, ...options.env } });
  const { journal, lock } = stateFiles(state, tenant.baseUrl);
  const requests = () =>
    tenant.tenant.requests
      .filter(({ operation }) => operation !== 'token')
      .map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`);
  const writes = () => requests().filter((request) => !request.startsWith('GET'));
  return { tenant, state, run, journal, lock, requests, writes };
}

async function recorded(path: string): Promise<RecordedApply> {
  const parsed = parseJournal(await readFile(path, 'utf8'));
  if ('broken' in parsed || parsed.apply === null) throw new Error('no journal');
  return parsed.apply;
}

/** As if the apply had been killed when the journal had this many lines. */
async function cutAfter(path: string, lines: number): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, `${text.split('\n').slice(0, lines).join('\n')}\n`);
}

const lastIsTold = (stderr: string) =>
  stderr.split('\n').filter((line) => /^The last apply|^ {2}[a-z_]+\/\S+ (is|was) /.test(line));
const stale = 'rate_limit_policies/oauth_authentication_api/client/client_id:stale';

describe('the journal of an apply', () => {
  test('says what was sent and what came of it, and no secret', async () => {
    const { run, journal, state } = await setUp(seedOf());
    const { code } = await run(['apply', await folder(filesOfEveryKind), '--yes']);
    expect(code).toBe(0);
    const { actions, summary } = await recorded(journal);
    expect({ outcomes: actions.map(({ outcome }) => outcome), summary }).toEqual({
      outcomes: ['done', 'done', 'done'],
      summary: { done: 3, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 },
    });
    expect(await readFile(journal, 'utf8')).not.toMatch(/planted-secret|hello|delete:orders/);
    expect(await readdir(state)).toHaveLength(1);
  });

  test('is not there when there was nothing to do, and plan and drift leave nothing at all', async () => {
    const { run, state } = await setUp(seedOf());
    const files = await folder({ 'p.yaml': policiesYaml('default', 'client_id:one', 'client_id:stale') });
    for (const argv of [
      ['plan', files],
      ['drift', files],
      ['apply', files],
    ])
      expect((await run(argv, { confirm: () => true })).code).toBe(0);
    expect(await readdir(state)).toEqual([]);
  });

  test('nothing is left of an apply that was refused', async () => {
    const { run, state } = await setUp(seedOf());
    expect((await run(['apply', await folder(filesOfEveryKind)], { confirm: () => false })).code).toBe(4);
    expect(await readdir(state)).toEqual([]);
  });
});

const crm = {
  id: 'est_1',
  name: 'crm',
  subscriptions: [{ event_type: 'user.created' as const }],
  destination: {
    type: 'webhook' as const,
    configuration: {
      webhook_endpoint: 'https://crm.example/hook',
      webhook_authorization: { method: 'bearer' as const, token: 'live-secret' },
    },
  },
  status: 'enabled' as const,
};

const crmYaml = `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: bearer, token: '\${env:TENANT_VAR_CRM}' }
`;

const ends: Readonly<Record<string, string>> = {
  sent: '',
  created: '',
  'left to others': 'event_streams: [{ name: crm, unmanaged: true }]\n',
  'no longer declared': 'tenant: { undeclared: { event_streams: report } }\nevent_streams: []\n',
  protected: 'tenant: { protect: { event_streams: [crm] } }\nevent_streams: []\n',
};

test.each(Object.keys(ends))('a lost rotation is reported by every apply until the secret is %s', async (end) => {
  const { tenant, run, journal, writes } = await setUp({ event_streams: [crm] }, [
    { operation: 'update_event_stream', kind: 'reset', every: 1, nth: 1, times: 10 },
  ]);
  const declared = await folder({ 'streams.yaml': crmYaml });
  const options = { env: { TENANT_VAR_CRM: 'rotated-secret' } };
  const apply = (...more: readonly string[]) => run(['apply', declared, '--yes', ...more], options);
  const rotate = ['--rotate', 'event_streams/crm'];

  const first = await apply(...rotate);
  expect({ code: first.code, named: first.stderr.includes('APPLY_SECRET_UNKNOWN') }).toEqual({ code: 1, named: true });
  const lost = writes().length;
  for (const round of [1, 2]) {
    const { code, stderr } = await apply();
    expect({ round, code, writes: writes().length }).toEqual({ round, code: 1, writes: lost });
    expect(stderr.includes('event_streams/crm is still unknown')).toBe(round === 1);
    expect(stderr).toContain('APPLY_SECRET_UNKNOWN');
    expect(stderr).toContain('apply with --rotate event_streams/crm');
  }
  expect(await readFile(journal, 'utf8')).not.toContain('rotated-secret');
  // It is lost again, and then sent, or no longer needed.
  expect((await apply(...rotate)).code).toBe(1);
  expect((await apply()).code).toBe(1);
  if (end === 'sent') expect((await apply(...rotate)).code).toBe(0);
  else if (end === 'created') await tenant.tenant.change((state) => state.event_streams?.splice(0));
  else await writeFile(join(declared, 'streams.yaml'), ends[end] ?? '');
  expect((await apply()).code).toBe(0);
  expect((await apply()).code).toBe(0);
});

test('a lost rotation follows its item, and a field that is in place does not pay for it', async () => {
  const { tenant, run } = await setUp({ event_streams: [crm] }, [
    { operation: 'update_event_stream', kind: 'reset', every: 1, nth: 1, times: 5 },
  ]);
  const options = { env: { TENANT_VAR_CRM: 'rotated-secret' } };
  const files = await folder({ 'streams.yaml': crmYaml });
  const apply = (...more: readonly string[]) => run(['apply', files, '--yes', ...more], options);
  const subscribed = crmYaml.replace('[{ event_type: user.created }]', '[{ event_type: user.updated }]');
  await writeFile(join(files, 'streams.yaml'), subscribed);
  expect((await apply('--rotate', 'event_streams/crm')).code).toBe(1);
  // Others bring the field, so the plan has nothing to do.
  await tenant.tenant.change((state) => {
    for (const stream of state.event_streams ?? []) stream.subscriptions = [{ event_type: 'user.updated' }];
  });
  expect((await apply()).code).toBe(1);
  await writeFile(join(files, 'streams.yaml'), subscribed.replace('name: crm', 'name: crm-2\n    renamed_from: crm'));
  const renamed = await apply();
  expect({ code: renamed.code, hint: renamed.stderr.includes('apply with --rotate event_streams/crm-2') }).toEqual({
    code: 1,
    hint: true,
  });
  expect((await apply('--rotate', 'event_streams/crm-2')).code).toBe(0);
  expect((await apply()).code).toBe(0);
});

describe('APPLY_LOCKED', () => {
  test('a second apply is refused with 4 and names the first; plan and drift are not kept out', async () => {
    const { run, lock, requests } = await setUp(seedOf());
    const files = await folder(filesOfEveryKind);
    const held = takeLock(lock, { started: '2026-11-20T10:00:00.000Z', toolVersion: '0.1.0' });
    const { code, stderr } = await run(['apply', files, '--yes']);
    expect({ code, requests: requests() }).toEqual({ code: 4, requests: [] });
    expect(stderr).toContain('APPLY_LOCKED');
    expect(stderr).toMatch(
      new RegExp(
        `process ${process.pid} on \\S+, since 2026-11-20T10:00:00.000Z, last heartbeat \\d+ s ago. Nothing was sent.`,
      ),
    );
    expect(stderr).toMatch(/wait until it ends \(without a heartbeat, its lock expires after 60 s\)/);
    expect((await run(['plan', files])).code).toBe(0);
    if (held.ok) held.release();
    expect((await run(['apply', files, '--yes'])).code).toBe(0);
  });

  test('a lock of another version is held by nobody knows whom', async () => {
    const { run, lock } = await setUp(seedOf());
    await writeFile(lock, '{}');
    const { code, stderr } = await run(['apply', await folder(filesOfEveryKind), '--yes']);
    expect({ code, told: stderr.includes('a process that its lock does not name') }).toEqual({ code: 4, told: true });
  });

  test('the file that is printed can be deleted, and the apply that had the lock sends nothing more', async () => {
    const { run, lock, writes } = await setUp(seedOf());
    const files = await folder(filesOfEveryKind);
    const held = takeLock(lock, { started: '2026-11-20T10:00:00.000Z', toolVersion: '0.1.0' });
    if (!held.ok) throw new Error('locked');
    const { stderr } = await run(['apply', files, '--yes']);
    expect(/delete (\S+)/.exec(stderr)?.[1]).toBe(lock);
    await rm(lock);
    expect((await run(['apply', files, '--yes'])).code).toBe(0);
    expect(writes()).toHaveLength(3);
    await expect(held.verify()).rejects.toMatchObject({ diagnostic: { code: 'APPLY_LOCK_LOST' } });
  });

  test('the lock of a machine that no longer exists expires', async () => {
    const { run, lock, writes } = await setUp(seedOf());
    const files = await folder(filesOfEveryKind);
    const held = takeLock(lock, { started: '2026-11-20T10:00:00.000Z', toolVersion: '0.1.0' });
    const text = (await readFile(lock, 'utf8')).replace(/"host":"[^"]*"/, '"host":"runner-7"');
    if (held.ok) held.release();
    await writeFile(lock, text);
    const { code, stderr } = await run(['apply', files, '--yes']);
    expect({ code, isNamed: stderr.includes(`process ${process.pid} on runner-7`) }).toEqual({
      code: 4,
      isNamed: true,
    });
    const at = Date.now() / 1000 - 61;
    await utimes(lock, at, at);
    expect((await run(['apply', files, '--yes'])).code).toBe(0);
    expect(writes()).toHaveLength(3);
  });

  test('127.0.0.1 and localhost are one tenant', async () => {
    const { run, lock, tenant, requests } = await setUp(seedOf());
    const held = takeLock(lock, { started: '2026-11-20T10:00:00.000Z', toolVersion: '0.1.0' });
    expect(new URL(tenant.baseUrl).hostname).toBe('127.0.0.1');
    for (const host of ['localhost', '[::1]']) {
      const env = { TENANT_SYNC_BASE_URL: tenant.baseUrl.replace('127.0.0.1', host) };
      const { code, stderr } = await run(['apply', await folder(filesOfEveryKind), '--yes'], { env });
      expect({ code, isLocked: stderr.includes('APPLY_LOCKED') }).toEqual({ code: 4, isLocked: true });
    }
    expect(requests()).toEqual([]);
    if (held.ok) held.release();
  });

  test('an apply whose lock is broken while it runs sends nothing more and exits with 1', async () => {
    const { run, lock, writes } = await setUp(seedOf());
    const { code, stderr } = await run(['apply', await folder(filesOfEveryKind)], {
      confirm: () => true,
      beforeAnswer: async () => {
        await rm(lock, { force: true });
      },
    });
    expect({ code, writes: writes(), isLost: stderr.includes('APPLY_LOCK_LOST') }).toEqual({
      code: 1,
      writes: [],
      isLost: true,
    });
  });

  test('two applies at once: one performs, the other is refused', async () => {
    const { run, writes, state } = await setUp(seedOf());
    const files = await folder(filesOfEveryKind);
    const both = await Promise.all([run(['apply', files, '--yes']), run(['apply', files, '--yes'])]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 4]);
    expect(writes()).toHaveLength(3);
    expect((await readdir(state)).filter((name) => name.includes('.lock'))).toEqual([]);
  });
});

describe('nothing is sent without a journal', () => {
  test('JOURNAL_UNWRITABLE: a folder that cannot be one', async () => {
    const { run, requests } = await setUp(seedOf());
    const root = await folder({ occupied: '' });
    const { code, stderr } = await run([
      'apply',
      await folder(filesOfEveryKind),
      '--yes',
      '--state-dir',
      join(root, 'occupied'),
    ]);
    expect({ code, requests: requests() }).toEqual({ code: 1, requests: [] });
    expect(stderr).toContain('JOURNAL_UNWRITABLE');
    expect(stderr).toContain('--state-dir or TENANT_SYNC_STATE_DIR');
  });

  test('STATE_SHARED: a folder that other users may write', async () => {
    const { run, requests, state } = await setUp(seedOf());
    await chmod(state, 0o775);
    const files = await folder(filesOfEveryKind);
    const { code, stderr } = await run(['apply', files, '--yes']);
    expect({ code, requests: requests() }).toEqual({ code: 3, requests: [] });
    expect(stderr).toContain('STATE_SHARED');
    expect(stderr).toContain(`run chmod go-w ${state}`);
    await chmod(state, 0o755);
    expect((await run(['apply', files, '--yes'])).code).toBe(0);
  });

  test('JOURNAL_BROKEN: one that was changed', async () => {
    const { run, requests, journal, state } = await setUp(seedOf());
    const files = await folder(filesOfEveryKind);
    await run(['apply', files, '--yes']);
    await writeFile(journal, (await readFile(journal, 'utf8')).replace('"done"', '"failed"'));
    const before = requests().length;
    const { code, stderr } = await run(['apply', files, '--yes']);
    expect({ code, sent: requests().length - before }).toEqual({ code: 1, sent: 0 });
    expect(stderr).toContain('JOURNAL_BROKEN');
    expect(stderr).toMatch(/line \d: it does not follow the previous line/);
    expect((await readdir(state)).filter((name) => name.includes('.lock'))).toEqual([]);
  });

  test('a journal that cannot begin: the plan is not performed', async () => {
    const { run, writes, journal } = await setUp(seedOf());
    const { code, stderr } = await run(['apply', await folder(filesOfEveryKind)], {
      confirm: () => true,
      beforeAnswer: async () => {
        await mkdir(`${journal}.new`);
      },
    });
    expect({ code, writes: writes(), told: stderr.includes('JOURNAL_UNWRITABLE') }).toEqual({
      code: 1,
      writes: [],
      told: true,
    });
  });
});

describe('what is unknown at the end is read again', () => {
  const files = { 'policies.yaml': policiesYaml('default', 'client_id:one', 'client_id:new') };
  const seed: Seed = { rate_limit_policies: [livePolicy('default'), livePolicy('client_id:one')] };
  const reset = (after: 'before' | 'commit'): FaultRule => ({
    operation: 'create_rate_limit_policy',
    kind: 'reset',
    after,
  });

  test('it was carried out: done', async () => {
    const { run, writes, journal } = await setUp(seed, [reset('commit')]);
    const { code, stdout } = await run(['apply', await folder(files), '--yes', '--format', 'json']);
    const { outcomes, summary } = JSON.parse(stdout);
    expect({ code, summary, writes: writes() }).toEqual({
      code: 0,
      summary: { done: 1, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 },
      writes: ['POST /rate-limit-policies'],
    });
    expect(outcomes[0].message).toMatch(/^verified by reading: it was carried out$/);
    expect((await recorded(journal)).actions.map(({ outcome }) => outcome)).toEqual(['done']);
  });

  test('it was not: sent again', async () => {
    const { run, writes, journal } = await setUp(seed, [{ ...reset('before'), nth: 1 }]);
    const { code, stdout } = await run(['apply', await folder(files), '--yes', '--format', 'json']);
    expect({ code, summary: JSON.parse(stdout).summary, writes: writes() }).toEqual({
      code: 0,
      summary: { done: 1, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 },
      writes: ['POST /rate-limit-policies', 'POST /rate-limit-policies'],
    });
    expect((await recorded(journal)).actions.map(({ outcome }) => outcome)).toEqual(['done']);
  });

  test('it was not, five times: unknown, and the next apply does it', async () => {
    const { run, writes, tenant } = await setUp(seed, [{ ...reset('before'), times: 5 }]);
    const cwd = await folder(files);
    const { code, stdout } = await run(['apply', cwd, '--yes', '--format', 'json']);
    expect({ code, summary: JSON.parse(stdout).summary, writes: writes().length }).toEqual({
      code: 1,
      summary: { done: 0, failed: 0, not_attempted: 0, unknown: 1, conflict: 0 },
      writes: 5,
    });
    const again = await run(['apply', cwd, '--yes']);
    expect({
      code: again.code,
      told: lastIsTold(again.stderr),
      policies: tenant.tenant.snapshot().rate_limit_policies?.length,
    }).toEqual({
      code: 0,
      told: [
        expect.stringContaining('left unknown outcomes: 0 done, 1 unknown'),
        expect.stringContaining('was not carried out and is in this plan'),
      ],
      policies: 3,
    });
  });

  test('a reading that fails leaves it unknown, and the next apply settles it', async () => {
    const { run, journal } = await setUp(seed, [
      reset('commit'),
      { operation: 'list_rate_limit_policies', kind: 'status', status: 501, nth: 2, times: 1 },
    ]);
    const cwd = await folder(files);
    const { code, stdout } = await run(['apply', cwd, '--yes', '--format', 'json']);
    expect({ code, summary: JSON.parse(stdout).summary }).toEqual({
      code: 1,
      summary: { done: 0, failed: 0, not_attempted: 0, unknown: 1, conflict: 0 },
    });
    const id = 'rate_limit_policies/oauth_authentication_api/client/client_id:new';
    const again = await run(['apply', cwd, '--yes']);
    expect({ code: again.code, told: lastIsTold(again.stderr) }).toEqual({
      code: 0,
      told: [
        expect.stringMatching(/^The last apply, started \S+Z, left unknown outcomes: 0 done, 1 unknown\.$/),
        `  ${id} is already in place`,
      ],
    });
    expect(lastIsTold((await run(['apply', cwd, '--yes'])).stderr)).toEqual([]);
    expect((await recorded(journal)).summary).toEqual({
      done: 0,
      failed: 0,
      not_attempted: 0,
      unknown: 0,
      conflict: 0,
    });
  });

  test('an item that --only names may be gone by then', async () => {
    const { run } = await setUp(seedOf(), [
      { operation: 'delete_rate_limit_policy', kind: 'reset', after: 'commit', every: 1, nth: 1 },
    ]);
    const { stdout } = await run(['apply', await folder(files), '--yes', '--format', 'json', '--only', stale]);
    expect(JSON.parse(stdout).outcomes).toMatchObject([{ id: stale, outcome: 'done' }]);
  });
});

describe('a fault of our own in the middle', () => {
  test('is told beside true outcomes, and the journal comes to its end', async () => {
    const { run, journal, writes } = await setUp(seedOf());
    let thrown = false;
    // A create, and two deletions that wait for it.
    const files = await folder({ 'p.yaml': policiesYaml('default', 'client_id:new') });
    const { code, stdout, stderr } = await run(['apply', files, '--yes', '--format', 'json', '--debug'], {
      isTTY: true,
      onOutput: (text) => {
        if (thrown || !text.includes('done: ')) return;
        thrown = true;
        throw new Error('the screen broke');
      },
    });
    expect({ code, writes: writes().length, summary: JSON.parse(stdout).summary }).toEqual({
      code: 1,
      writes: 1,
      summary: { done: 1, failed: 0, not_attempted: 2, unknown: 0, conflict: 0 },
    });
    expect(stderr).toMatch(/INTERNAL_ERROR/);
    expect(stderr).toContain('Internal error: the screen broke');
    expect(stderr).toMatch(/^ {4}at .*resume\.slow\.test\.ts/m);
    expect((await recorded(journal)).summary).toEqual({
      done: 1,
      failed: 0,
      not_attempted: 2,
      unknown: 0,
      conflict: 0,
    });
  });
});

describe('an apply that was stopped', () => {
  test('is told, and what cannot be read is sent again', async () => {
    const { run, journal, writes } = await setUp(seedOf());
    const files = await folder({ ...filesOfEveryKind, 'tenant.yaml': documentedYaml });
    await run(['apply', files, '--yes']);
    // The deletion was answered, the put was not.
    await cutAfter(journal, 2);
    const before = writes().length;
    const { code, stderr } = await run(['apply', files, '--yes']);
    // Two kinds do not wait for each other.
    expect({ code, told: lastIsTold(stderr), sent: writes().slice(before).toSorted() }).toEqual({
      code: 0,
      told: [
        expect.stringMatching(/^The last apply, started \S+Z, did not finish: 0 done, 1 unknown\.$/),
        '  prompts/login is still unknown; the plan shows whether it is sent again',
      ],
      sent: ['DELETE /roles/rol_1/permissions', 'PUT /prompts/login/partials'],
    });
  });

  test('what was not carried out is in the new plan, and a kind that is left out stays unknown', async () => {
    const { run, journal, tenant } = await setUp(seedOf());
    const files = await folder({
      'policies.yaml': policiesYaml('default', 'client_id:one'),
      'streams.yaml': 'event_streams: []\n',
    });
    await run(['apply', files, '--yes', '--only', 'rate_limit_policies']);
    await cutAfter(journal, 2);
    await tenant.tenant.change((state) => state.rate_limit_policies?.push(livePolicy('client_id:stale')));
    const elsewhere = await run([
      'apply',
      files,
      '--only',
      'rate_limit_policies/oauth_authentication_api/client/default',
      '--yes',
    ]);
    expect(lastIsTold(elsewhere.stderr).at(-1)).toBe(
      `  ${stale} is still unknown; the plan shows whether it is sent again`,
    );

    await run(['apply', files, '--yes', '--only', 'rate_limit_policies']);
    await cutAfter(journal, 2);
    await tenant.tenant.change((state) => state.rate_limit_policies?.push(livePolicy('client_id:stale')));
    const again = await run(['apply', files, '--yes', '--only', 'rate_limit_policies']);
    expect({ code: again.code, told: lastIsTold(again.stderr).at(-1) }).toEqual({
      code: 0,
      told: `  ${stale} was not carried out and is in this plan`,
    });
  });

  test('a long list is cut', async () => {
    const many = Array.from({ length: 30 }, (_none, index) => `p${String(index).padStart(2, '0')}`);
    const { run, journal } = await setUp({});
    const files = await folder({
      'tenant.yaml': documentedYaml,
      'roles.yaml': `roles:\n${many.map((id) => `  - { id: rol_${id}, absent_permissions: [{ resource_server_identifier: "https://o.example/", permission_name: a }] }\n`).join('')}`,
    });
    await run(['apply', files, '--yes']);
    const lines = (await readFile(journal, 'utf8'))
      .split('\n')
      .filter((line) => !/"record":"(outcome|end)"/.test(line));
    expect(lines).toHaveLength(1 + 30 + 1);
    // Intents alone, as a chain of their own.
    let chain = emptyChain;
    let text = '';
    for (const line of lines.slice(0, -1)) {
      const { seq: _seq, prev: _prev, ...entry } = JSON.parse(line);
      const next = chainLine(chain, entry);
      text += next.line;
      chain = next.end;
    }
    await writeFile(journal, text);
    const { stderr } = await run(['apply', files, '--yes']);
    expect(stderr).toContain('did not finish: 0 done, 30 unknown.');
    expect(stderr.match(/^ {2}and 10 more$/gm)).toHaveLength(1);
  });
});

describe('a saved plan whose apply was stopped', () => {
  async function stoppedAfter(lines: number) {
    const world = await setUp(seedOf());
    const cwd = await folder(filesOfEveryKind);
    const apply = () => world.run(['apply', '--plan', 'plan.json', '--yes'], { cwd });
    await world.run(['plan', '--out', 'plan.json'], { cwd });
    await apply();
    await cutAfter(world.journal, lines);
    return { ...world, apply };
  }

  test('goes on with what is left, in the same journal', async () => {
    const { apply, tenant, journal, writes } = await stoppedAfter(6);
    // The role's removal, the last action, had not reached the tenant.
    await tenant.tenant.change((state) => {
      for (const role of state.roles ?? []) role.permissions = seedOf().roles?.[0]?.permissions ?? [];
    });
    const before = writes().length;
    const { code, stdout } = await apply();
    expect({ code, sent: writes().slice(before), reached: stdout.match(/already as planned$/gm)?.length }).toEqual({
      code: 0,
      sent: ['DELETE /roles/rol_1/permissions'],
      reached: 2,
    });
    // What readings show so soon after the plan waits, and is recorded after what was sent, in whatever order.
    const [first, ...others] = (await recorded(journal)).actions.map(({ id, outcome }) => `${id} ${outcome}`);
    expect(first).toBe('roles/rol_1#remove done');
    expect(others.toSorted()).toEqual(['prompts/login done', `${stale} done`]);
    const third = await apply();
    expect({ code: third.code, sent: writes().slice(before) }).toEqual({
      code: 0,
      sent: ['DELETE /roles/rol_1/permissions'],
    });
  });

  test('has nothing left when all of it was carried out', async () => {
    const { apply, journal, writes } = await stoppedAfter(6);
    const before = writes().length;
    expect({ code: (await apply()).code, sent: writes().slice(before) }).toEqual({ code: 0, sent: [] });
    const { summary, actions } = await recorded(journal);
    expect(summary).toEqual({ done: 3, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 });
    expect(actions.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
    expect((await apply()).stderr).not.toContain('The last apply');
  });

  test('leaves alone what others changed after the plan', async () => {
    const { apply, tenant, writes } = await stoppedAfter(6);
    await tenant.tenant.change((state) => {
      state.prompts = { login: { partials: { login: { 'form-content-start': 'by hand' } } } };
    });
    const before = writes().length;
    const { code, stdout } = await apply();
    expect({ code, sent: writes().slice(before) }).toEqual({ code: 4, sent: [] });
    expect(stdout).toContain('1 in conflict');
  });

  test('performs what was never on its way, if the tenant is as it was', async () => {
    const { apply, writes } = await stoppedAfter(4);
    const before = writes().length;
    expect({ code: (await apply()).code, sent: writes().slice(before) }).toEqual({ code: 0, sent: [] });
  });
});

describe('where the state is kept', () => {
  test.each<[string, string | undefined, Record<string, string>, NodeJS.Platform, string]>([
    ['the option', 'here', { TENANT_SYNC_STATE_DIR: '/there' }, 'linux', '/cwd/here'],
    ['the variable', undefined, { TENANT_SYNC_STATE_DIR: '/there', XDG_STATE_HOME: '/xdg' }, 'linux', '/there'],
    ['the folder for state', undefined, { XDG_STATE_HOME: '/xdg', HOME: '/home/me' }, 'linux', '/xdg/tenant-sync'],
    [
      'which counts only when it is absolute',
      undefined,
      { XDG_STATE_HOME: 'xdg', HOME: '/home/me' },
      'darwin',
      '/home/me/.local/state/tenant-sync',
    ],
    ['Windows', undefined, { LOCALAPPDATA: '/local', HOME: '/home/me' }, 'win32', '/local/tenant-sync'],
    [
      'an empty variable is none',
      undefined,
      { TENANT_SYNC_STATE_DIR: '', HOME: '/home/me' },
      'linux',
      '/home/me/.local/state/tenant-sync',
    ],
  ])('%s', (_name, asked, env, platform, expected) => {
    expect(stateFolder({ env, cwd: '/cwd' }, asked, platform)).toBe(expected);
  });

  test('without a home in the environment, that of the account', () => {
    expect(stateFolder({ env: {}, cwd: '/cwd' }, undefined)).toMatch(/^\/.*\/\.local\/state\/tenant-sync$/);
  });
});
