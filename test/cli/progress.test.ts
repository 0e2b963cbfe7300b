// What a long run prints: a progress bar or lines. And the options that are durations and shares.
import { describe, expect, test } from 'vitest';
import * as forms from '../../src/cli/options.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { filesOfEveryKind, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
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
