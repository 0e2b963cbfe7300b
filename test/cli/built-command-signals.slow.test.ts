// Ends of the built command in the middle of an apply: one signal, two, and outputs that take nothing.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { stateFiles } from '../../src/journal/folder-store.ts';
import { parseJournal } from '../../src/journal/parse-journal.ts';
import { runBuilt, startBuilt } from '../support/built-command.ts';
import { filesInStages, seedOf } from '../support/files-and-tenant.ts';
import { runCommand, stopWith } from '../support/run-command.ts';
import type { StartedTenant, startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

async function setUp(options: Parameters<typeof startTenant>[1] = {}) {
  const tenant = await tenantWith(seedOf(), options);
  const state = await folder({});
  const env = { ...tenant.env, TENANT_SYNC_STATE_DIR: state };
  const recorded = async () => {
    const parsed = parseJournal(await readFile(stateFiles(state, tenant.baseUrl).journal, 'utf8'));
    return 'broken' in parsed
      ? 'broken'
      : { outcomes: parsed.apply?.actions.map(({ outcome }) => outcome), ended: parsed.apply?.summary !== null };
  };
  return { tenant, env, recorded, files: await folder(filesInStages) };
}

const hanging = { faults: [{ operation: 'create_rate_limit_policy', kind: 'hang' as const, nth: 1 }] };
const isWriting = ({ tenant }: StartedTenant) =>
  tenant.requests.some(({ operation }) => operation === 'create_rate_limit_policy');

/** Calls back once the first write has reached the tenant. */
function whenWriting(tenant: StartedTenant, act: () => void): void {
  const watch = setInterval(() => {
    if (!isWriting(tenant)) return;
    clearInterval(watch);
    act();
  }, 5);
}

describe('a request in flight that does not end', () => {
  test('after SIGTERM it is given up after 5 seconds: unknown, the rest is not attempted, 143', async () => {
    const { tenant, env, files, recorded } = await setUp(hanging);
    let signalled = 0;
    const { code, stdout } = await runBuilt(['apply', files, '--yes', '--format', 'json'], env, (child) => {
      whenWriting(tenant, () => {
        signalled = Date.now();
        child.kill('SIGTERM');
      });
    });
    const seconds = (Date.now() - signalled) / 1000;
    expect({ code, summary: JSON.parse(stdout).summary }).toEqual({
      code: 143,
      summary: { done: 0, failed: 0, not_attempted: 2, unknown: 1, conflict: 0 },
    });
    expect(seconds).toBeGreaterThan(4.9);
    expect(seconds).toBeLessThan(8);
    expect(await recorded()).toEqual({ outcomes: ['unknown'], ended: true });
  });

  test('a second signal ends the run at once, and the journal has the intent', async () => {
    const { tenant, env, files, recorded } = await setUp(hanging);
    const begun = Date.now();
    const { code, signal } = await runBuilt(['apply', files, '--yes'], env, (child) => {
      whenWriting(tenant, () => {
        child.kill('SIGINT');
        setTimeout(() => child.kill('SIGINT'), 100);
      });
    });
    expect({ code, signal, quick: Date.now() - begun < 4_500 }).toEqual({ code: 130, signal: null, quick: true });
    expect(await recorded()).toEqual({ outcomes: [null], ended: false });
    // Its lock has no holder any more, and its journal is found.
    const again = await runBuilt(['apply', files, '--yes'], env);
    expect({
      code: again.code,
      reported: again.stderr.includes('did not finish: 0 done, 1 unknown.'),
    }).toEqual({ code: 0, reported: true });
  });

  test('one signal ends a run whose output has no reader', async () => {
    const { env } = await setUp();
    const policies = Array.from({ length: 3000 }, (_none, index) => ({
      consumer_selector: `client_id:client-${index}`,
      resource: 'oauth_authentication_api',
      consumer: 'client',
      configuration: { action: 'allow' },
    }));
    const files = await folder({ 'policies.yaml': JSON.stringify({ rate_limit_policies: policies }) });
    const child = startBuilt(['plan', files, '--format', 'json'], env);
    const stopped = once(child, 'exit');
    // The plan is in the pipe and behind it; nothing reads it.
    await once(child.stdout, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const begun = Date.now();
    child.kill('SIGTERM');
    expect(await stopped).toEqual([null, 'SIGTERM']);
    expect(Date.now() - begun).toBeLessThan(1000);
  });

  test('nothing is read again after a stop', async () => {
    const { tenant, env, files, recorded } = await setUp(hanging);
    const { signal, stop } = stopWith();
    const hangUp = new AbortController();
    whenWriting(tenant, () => {
      stop();
      hangUp.abort();
    });
    const reads = () => tenant.tenant.requests.filter(({ method }) => method === 'GET').length;
    const { code, stdout } = await runCommand(['apply', files, '--yes', '--format', 'json'], {
      env,
      signal,
      hangUp: hangUp.signal,
    });
    expect({ code, reads: reads(), outcomes: JSON.parse(stdout).outcomes }).toMatchObject({
      code: 130,
      reads: 1,
      outcomes: [
        { outcome: 'unknown', message: 'no response (ABORT_ERR); it may have been carried out' },
        { outcome: 'not_attempted', message: 'not sent: interrupted' },
        { outcome: 'not_attempted', message: 'not sent: interrupted' },
      ],
    });
    expect(await recorded()).toEqual({ outcomes: ['unknown'], ended: true });
  });
});

describe.skipIf(process.platform === 'win32')('a disk that is full for the journal', () => {
  test('nothing is sent that is not on record, the rest is not attempted, and the next apply goes on', async () => {
    const { tenant, env, files, recorded } = await setUp();
    const { code, stdout, stderr } = await runBuilt(['apply', files, '--yes', '--format', 'json'], env, undefined, {
      fileBlocks: 1,
    });
    const { summary } = JSON.parse(stdout);
    const writes = tenant.tenant.requests.filter(
      ({ method, operation }) => method !== 'GET' && operation !== 'token',
    ).length;
    expect({ code, sent: writes, rest: summary.not_attempted }).toEqual({
      code: 1,
      sent: summary.done,
      rest: 3 - summary.done,
    });
    expect(summary.not_attempted).toBeGreaterThan(0);
    expect(stderr).toContain('JOURNAL_UNWRITABLE');
    expect(stderr).toContain('EFBIG');
    expect(await recorded()).toMatchObject({ ended: false });
    expect((await runBuilt(['apply', files, '--yes'], env)).code).toBe(0);
    expect(await recorded()).toMatchObject({ ended: true });
  });
});

describe('outputs that take nothing', () => {
  test('closed ends of both: the apply goes on, and the journal has the outcomes', async () => {
    const { env, files, recorded } = await setUp();
    const { code } = await runBuilt(['apply', files, '--yes'], env, (child) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    expect({ code, journal: await recorded() }).toEqual({
      code: 0,
      journal: { outcomes: ['done', 'done', 'done'], ended: true },
    });
  });

  test.skipIf(process.platform !== 'linux')(
    'a full disk: the apply goes on, and the run says that its result is cut',
    async () => {
      const { env, files, recorded } = await setUp();
      const { code, stderr } = await runBuilt(['apply', files, '--yes'], env, undefined, { stdoutFile: '/dev/full' });
      expect({ code, stderr, journal: await recorded() }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/\nthe output is incomplete: ENOSPC\n$/),
        journal: { outcomes: ['done', 'done', 'done'], ended: true },
      });
    },
  );
});
