// What a long run prints: a progress bar or lines. And the options that are durations and shares.
import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../src/cli/context.ts';
import * as forms from '../../src/cli/options.ts';
import { openBar } from '../../src/cli/process-io.ts';
import { watchTenants } from '../../src/cli/watch-tenants.ts';
import type { SyncEvent } from '../../src/engine/events.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { filesOfEveryKind, livePolicy, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { type RunOptions, runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

describe('a duration', () => {
  test('is refused if it is none', async () => {
    const { code, stderr } = await runCommand(['apply', '.', '--max-age', 'soon']);
    expect({ code, reported: stderr.includes('--max-age soon is not') }).toEqual({ code: 3, reported: true });
  });

  test.each([
    ['90s', 90],
    ['10m', 600],
    ['1h', 3600],
    ['45', 45],
    ['1d', null],
    ['-1', null],
    ['', null],
  ])('of %j is %j seconds', (text, seconds) => {
    expect(forms.duration.parse(text)).toBe(seconds);
  });
});

describe('progress', () => {
  test('is a bar on a terminal: reads, then actions', async () => {
    const tenant = await tenantWith(seedOf());
    const { stderr } = await runCommand(['apply', await folder(filesOfEveryKind), '--yes'], {
      env: tenant.env,
      isTTY: true,
    });
    expect(stderr).toContain('[0/4] reading the tenant');
    expect(stderr).toMatch(/\[4\/4\] reading the tenant: /);
    // Requests of one stage are sent at once, so each of them may end last.
    expect(stderr).toMatch(/\[\d\/3\] applying: done: remove rol_1\n/);
    expect(stderr).toMatch(/\[3\/3\] applying: done: /);
  });

  test('is a line now and then elsewhere, and nothing for a short run', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder({ 'p.yaml': policiesYaml('default') });
    const clock = startFakeClock(Date.now());
    expect((await runCommand(['plan', files], { env: tenant.env, clock })).stderr).toBe('');
    const slow = { ...clock, now: slowly() };
    expect((await runCommand(['plan', files], { env: tenant.env, clock: slow })).stderr).toMatch(
      /^\d of \d, reading the tenant: list_rate_limit_policies, 3 items$/m,
    );
  });

  /** A clock on which every look takes seconds. */
  function slowly(): () => number {
    let now = Date.now();
    return () => {
      now += 6000;
      return now;
    };
  }
});

describe('progress of several tenants', () => {
  const waiting = { type: 'waiting', operation: 'list_roles', ms: 30_000, reason: 'quota' } as const;
  const read = (operation: string) => ({ type: 'read', operation, items: 1, total: 1 }) as const;
  const reading = { type: 'reading', requests: 4 } as const;

  /** The line after each step: a tenant that begins, has an event or ends, or seconds that pass. */
  async function linesOf(total: number, steps: readonly (readonly [string, (SyncEvent | 'end')?] | number)[]) {
    const clock = startFakeClock();
    const lines: string[] = [];
    const intervals: number[] = [];
    let print = () => {};
    const every: RunOptions['every'] = (ms, call) => {
      intervals.push(ms);
      print = call;
      return () => intervals.push(0);
    };
    const output = { bar: () => null, mask: (text: string) => text, talk: (text: string) => lines.push(text) };
    const listeners = new Map<string, (event: SyncEvent) => void>();
    await watchTenants({ io: { clock, every }, output } as unknown as CommandContext, total, async ({ progress }) => {
      for (const step of steps) {
        if (typeof step === 'number') clock.advance(step * 1000);
        else {
          const [name, event] = step;
          if (event === 'end') progress?.end(name);
          else if (event !== undefined) listeners.get(name)?.(event);
          else listeners.set(name, progress?.begin(name) ?? expect.unreachable());
        }
        print();
      }
    });
    expect(intervals).toEqual([10_000, 0]);
    return lines;
  }

  test('is one line: tenants that are done, time left, waits for quota, and what runs', async () => {
    const steps = [
      ['a'],
      ['b'],
      ['a', reading],
      60,
      ['a', read('list_roles')],
      ['b', read('list_event_streams')],
      ['b', waiting],
      20,
      11,
      ['a', 'end'],
      ['b', waiting],
      ['b', read('list_roles')],
      ['b', { ...waiting, reason: 'status 503' }],
      ['b', 'end'],
    ] as const;
    expect(await linesOf(2, steps)).toEqual([
      '0 of 2 tenants done, running: a',
      '0 of 2 tenants done, running: a, b',
      '0 of 2 tenants done, running: a, b',
      '0 of 2 tenants done, running: a, b',
      '0 of 2 tenants done, about 7 min left, running: a (roles), b',
      '0 of 2 tenants done, about 7 min left, running: a (roles), b (event streams)',
      '0 of 2 tenants done, about 7 min left, 1 waiting for quota, running: a (roles), b (roles)',
      '0 of 2 tenants done, about 9 min left, 1 waiting for quota, running: a (roles), b (roles)',
      '0 of 2 tenants done, about 11 min left, running: a (roles), b (roles)',
      '1 of 2 tenants done, about 2 min left, running: b (roles)',
      '1 of 2 tenants done, about 2 min left, 1 waiting for quota, running: b (roles)',
      '1 of 2 tenants done, about 2 min left, running: b (roles)',
      '1 of 2 tenants done, about 2 min left, running: b (roles)',
      '2 of 2 tenants done',
    ]);
  });

  test('names some of many, and a tenant that is read again is not done', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const begun = await linesOf(
      6,
      names.map((name) => [name] as const),
    );
    expect(begun.at(-1)).toBe('0 of 6 tenants done, running: a, b, c, d, and 2 more');
    const again = await linesOf(2, [['a'], ['a', 'end'], ['a'], ['a', reading], ['a', read('list_roles')], 60]);
    expect(again.at(-1)).toBe('0 of 2 tenants done, about 7 min left, running: a (roles)');
  });

  const scene = () =>
    startFleet({
      files: { 'base/p.yaml': policiesYaml('default') },
      live: { a: [livePolicy('default', 9)], b: [livePolicy('default', 9)], c: [livePolicy('default', 9)] },
    });

  test.each(['plan', 'drift', 'apply'])('%s: lines on standard error, nowhere else', async (command) => {
    const { run, cwd, env, requests } = await scene();
    const argv = [
      command,
      '.',
      '--all',
      '--parallel',
      '1',
      '--format',
      'json',
      ...(command === 'apply' ? ['--yes'] : []),
    ];
    let print = () => {};
    const every: RunOptions['every'] = (_ms, call) => {
      print = call;
      return () => {
        print = () => expect.unreachable('a line after the end');
      };
    };
    requests.push = (...added) => {
      print();
      return Array.prototype.push.apply(requests, added);
    };
    const { code, stdout, stderr } = await runCommand(argv, { cwd, env, every });
    const lines = stderr.split('\n').filter((line) => line.includes(' tenants done'));
    expect({ code, lines: lines.length }).toEqual({ code: command === 'drift' ? 2 : 0, lines: requests.length });
    expect(lines[0]).toBe('0 of 3 tenants done, running: a');
    expect(lines.at(-1)).toMatch(/^2 of 3 tenants done, .*running: c/);
    expect(JSON.parse(stdout)).toHaveLength(3);
    expect((await run(...argv)).stderr).not.toContain('tenants done');
  });

  test('is a bar on a terminal, which is taken away before any other output', async () => {
    const { cwd, env } = await scene();
    const { code, stderr } = await runCommand(['apply', '.', '--all', '--yes', '--debug'], {
      cwd,
      env,
      isTTY: true,
      bar: (write) => openBar({ columns: 120, write: (text: unknown) => write(String(text)) === undefined }),
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/\r█+░+ \d\/3 tenants, .*running: \w \(rate limit policies\)/);
    const written = stderr.split('\n').slice(0, -1);
    expect(written.some((line) => line.includes('debug: PATCH'))).toBe(true);
    for (const line of written) {
      const [, before, text = ''] = /^(?:.*\r(.*?)\x1b\[K)?([^\r]*)$/.exec(line) ?? [];
      expect({ line, shown: before ?? '' }).toEqual({ line, shown: '' });
      expect(text).not.toContain('░');
    }
    expect(stderr.endsWith('\r\x1b[K') || !stderr.slice(stderr.lastIndexOf('\n')).includes('░')).toBe(true);
  });
});

describe('the part of the quota', () => {
  test.each([
    ['0.7', 0.7],
    ['1', 1],
    ['0.05', 0.05],
  ] as const)('%s is %s', (text, share) => {
    expect(forms.share.parse(text)).toBe(share);
  });

  test.each(['0', '0.04', '1.1', '-0.5', '50%', '', 'NaN', '1e0'])(
    '%j is refused, and nothing is sent',
    async (share) => {
      const tenant = await tenantWith(seedOf());
      const { code, stderr } = await runCommand(['plan', await folder(filesOfEveryKind), `--quota-share=${share}`], {
        env: tenant.env,
      });
      expect({ code, reported: stderr.includes(`--quota-share ${share} is not a share of a quota`) }).toEqual({
        code: 3,
        reported: true,
      });
      expect(tenant.tenant.requests).toEqual([]);
    },
  );
});
