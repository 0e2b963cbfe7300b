// What was approved stays approved for what is left of it, through the journal of the apply that did not finish it.
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { stateFiles } from '../../src/journal/folder-store.ts';
import { chainLine, type Entry, emptyChain } from '../../src/journal/parse-journal.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const policies = Array.from({ length: 12 }, (_none, index) => `client_id:${index}`);
const refuses = { operation: 'delete_rate_limit_policy', kind: 'status', status: 400 } as const;

const sinceOf = (entry: Entry) => (entry.record === 'start' ? (entry.approved?.since ?? '') : '');

/** The approval so many milliseconds from now. */
const approvedAt = (ms: number) => (entry: Entry) =>
  entry.record === 'start' && entry.approved !== undefined
    ? { ...entry, approved: { ...entry.approved, since: new Date(Date.now() + ms).toISOString() } }
    : entry;

/** A tenant whose apply deletes 12 of 13 policies, which needs an approval, and gets no further than the third deletion. */
async function interrupted(killed: boolean, times = 9) {
  const seed = { rate_limit_policies: ['default', ...policies].map((selector) => livePolicy(selector)) };
  const tenant = await tenantWith(seed, { faults: [{ ...refuses, nth: 4, every: 1, times }] });
  const env = { ...tenant.env, TENANT_SYNC_STATE_DIR: await folder({}) };
  const files = await folder({ 'p.yaml': policiesYaml('default') });
  const run = (...argv: readonly string[]) => runCommand(argv, { env, cwd: files });
  const all = tenant.tenant.snapshot().rate_limit_policies ?? [];
  /** The policies as they were, with their ids. */
  const deleted = () => {
    const left = new Set(tenant.tenant.snapshot().rate_limit_policies?.map(({ id }) => id));
    return all.filter(({ id }) => !left.has(id));
  };
  const apply = (...more: readonly string[]) => run('apply', '--yes', ...more);
  const [, code = ''] = /--approve ([0-9a-f]{24})/.exec((await run('plan')).stdout) ?? [];
  expect((await apply()).code).toBe(4);
  expect((await apply('--approve', code)).code).toBe(1);
  const { journal } = stateFiles(env.TENANT_SYNC_STATE_DIR, tenant.baseUrl);
  /** Records of the journal, as another apply could have left them. */
  const rewrite = async (change: (entry: Entry) => Entry | null) => {
    let end = emptyChain;
    const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
    const texts = lines.map((line) => {
      const { seq: _seq, prev: _prev, ...entry } = JSON.parse(line);
      const changed = change(entry);
      if (changed === null) return '';
      const next = chainLine(end, changed);
      end = next.end;
      return next.line;
    });
    await writeFile(journal, texts.join(''));
  };
  if (killed) await rewrite((entry) => (entry.record === 'end' ? null : entry));
  return {
    tenant,
    run,
    apply,
    code,
    rewrite,
    deleted,
    left: () => tenant.tenant.snapshot().rate_limit_policies?.length,
  };
}

describe.each([false, true])('an approved apply that did not delete everything (killed: %s)', (killed) => {
  test.each([
    ['without the code', false],
    ['with the same command', true],
  ])('finishes %s', async (_name, repeats) => {
    const { apply, code, left } = await interrupted(killed);
    expect(left()).toBe(10);
    const { code: exit, stdout } = await apply(...(repeats ? ['--approve', code] : []));
    expect({ exit, left: left() }).toEqual({ exit: 0, left: 1 });
    expect(stdout).toContain('approved by an interrupted apply');
    expect(stdout).not.toContain('approves nothing');
  });
});

describe('what is left of an approved apply', () => {
  test('is approved once more if that apply does not finish it either', async () => {
    const { apply, left } = await interrupted(true, 17);
    expect((await apply()).code).toBe(1);
    expect(left()).toBe(9);
    expect((await apply()).code).toBe(0);
  });

  test('is approved for a day after the approval, however often it is tried', async () => {
    const { apply, rewrite } = await interrupted(true, 17);
    await rewrite(approvedAt(-86_300_000));
    expect((await apply()).code).toBe(1);
    await rewrite((entry) => approvedAt(Date.parse(sinceOf(entry)) - 200_000 - Date.now())(entry));
    expect((await apply()).code).toBe(4);
  });

  test.each<[string, (set: Awaited<ReturnType<typeof interrupted>>) => Promise<unknown>]>([
    [
      'another item joins it',
      ({ tenant }) =>
        tenant.tenant.change(({ rate_limit_policies: live }) => void live?.push(livePolicy('client_id:joined'))),
    ],
    [
      'an item of it changed',
      ({ tenant }) =>
        tenant.tenant.change(({ rate_limit_policies: live }) => {
          const left = live?.find(({ consumer_selector: name }) => name !== 'default') ?? {};
          Object.assign(left, { configuration: { action: 'block', limit: 7 } });
        }),
    ],
    ['it is older than a day', ({ rewrite }) => rewrite(approvedAt(-86_500_000))],
    ['it is dated in the future', ({ rewrite }) => rewrite(approvedAt(400_000))],
    [
      'a part of it was restored',
      async ({ tenant, deleted }) =>
        tenant.tenant.change(({ rate_limit_policies: live }) => void live?.push(...deleted())),
    ],
    [
      'the apply was finished',
      ({ rewrite }) =>
        rewrite((entry) =>
          entry.record === 'end'
            ? { ...entry, summary: { done: 12, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 } }
            : entry,
        ),
    ],
    [
      'the apply was not approved',
      ({ rewrite }) =>
        rewrite((entry) => {
          if (entry.record !== 'start') return entry;
          const { approved: _approved, ...start } = entry;
          return start;
        }),
    ],
  ])('needs an approval if %s', async (_name, change) => {
    const set = await interrupted(false);
    await change(set);
    const before = set.left();
    expect((await set.apply()).code).toBe(4);
    expect(set.left()).toBe(before);
  });
});
