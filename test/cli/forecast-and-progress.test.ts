// What a long run prints: forecast, progress bar, lines.
import { describe, expect, test } from 'vitest';
import { parseDuration, parseShare } from '../../src/cli/option-values.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { filesOfEveryKind, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

describe('a forecast', () => {
  test('prints how many requests an apply takes, and that no quota is known', async () => {
    const tenant = await tenantWith(seedOf());
    const { stdout } = await runCommand(['plan', await folder(filesOfEveryKind), '--detail', 'full'], {
      env: tenant.env,
    });
    expect(stdout).toContain('Apply sends 3 requests.\n');
    expect(stdout).toContain('forecast 8 reads and 3 writes; duration unknown, because no quota is known');
  });

  test('prints about how long it takes at a quota, and names the bottleneck', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const at = async (quota: string) =>
      (await runCommand(['plan', files, '--quota', quota, '--detail', 'full'], { env: tenant.env })).stdout;
    expect(await at('2/s,3')).toContain('Apply sends 3 requests, about 4 s.\n');
    expect(await at('2/s,3')).toContain(
      '8 reads and 3 writes; about 4 s at 2 per second after a burst of 3 (quota of the tenant)',
    );
    expect(await at('6/min,1')).toContain('about 3 min at 6 per minute after a burst of 1 (quota of the tenant)');
    expect(await at('50/s')).toContain('within the quota');
  });

  test('prompts have a quota of their own', async () => {
    const names = ['login', 'login-id', 'login-password', 'signup', 'signup-id', 'signup-password'];
    const tenant = await tenantWith({});
    const yaml = `prompts:\n${names.map((name) => `  ${name}: { partials: { ${name}: { form-content-start: x } } }\n`).join('')}`;
    const { stdout } = await runCommand(
      ['plan', await folder({ 'p.yaml': yaml }), '--quota', '50/s', '--detail', 'full'],
      {
        env: tenant.env,
      },
    );
    expect(stdout).toContain('about 3 min at 5 per minute after a burst of 5 (quota of partials-read)');
  });

  test('--max-duration refuses what takes longer, before anything is sent', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const run = (command: string, most: string) =>
      runCommand(
        [command, files, ...(command === 'apply' ? ['--yes'] : []), '--quota', '6/min,1', '--max-duration', most],
        { env: tenant.env },
      );
    for (const command of ['plan', 'apply']) {
      const { code, stderr } = await run(command, '129s');
      expect({
        code,
        reported: stderr.includes('takes about 130 s; --max-duration allows 129 s'),
      }).toEqual({
        code: 4,
        reported: true,
      });
      expect(stderr).toContain('DURATION_EXCEEDED');
    }
    expect(tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token')).toEqual(
      [],
    );
    expect((await run('plan', '3m')).code).toBe(0);
  });

  test.each([
    ['--quota', 'fast'],
    ['--max-duration', 'soon'],
  ])('%s %s is no option', async (option, value) => {
    const { code, stderr } = await runCommand(['plan', '.', option, value]);
    expect({ code, reported: stderr.includes(`${option} ${value} is not`) }).toEqual({ code: 3, reported: true });
  });

  test.each([
    ['90s', 90],
    ['10m', 600],
    ['1h', 3600],
    ['45', 45],
    ['1d', null],
    ['-1', null],
    ['', null],
  ])('a duration of %j is %j seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
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
    expect(stderr).toContain('[3/3] applying: done: remove rol_1');
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
    expect(parseShare(text)).toBe(share);
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

describe('a longest duration', () => {
  test('that cannot be checked refuses the plan, and nothing is sent', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    for (const argv of [['plan'], ['apply', '--yes']]) {
      const [command = '', ...options] = argv;
      const { code, stderr } = await runCommand([command, files, ...options, '--max-duration', '1s'], {
        env: tenant.env,
      });
      expect({ code, reported: stderr.includes('DURATION_UNKNOWN') }).toEqual({ code: 4, reported: true });
      expect(stderr).toContain('--assume-unlimited');
    }
    expect(tenant.tenant.requests.filter(({ method }) => /DELETE|PUT|PATCH/.test(method))).toEqual([]);
  });

  test('is within reach with a quota, or where --assume-unlimited takes the tenant for one without', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const run = (...options: readonly string[]) =>
      runCommand(['plan', files, '--max-duration', '1s', ...options], { env: tenant.env });
    expect((await run('--quota', '100/s,100')).code).toBe(0);
    expect((await run('--assume-unlimited')).code).toBe(0);
    // A known quota counts.
    expect((await run('--assume-unlimited', '--quota', '1/min,1')).code).toBe(4);
  });

  test('refuses nothing where there is nothing to do', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    await runCommand(['apply', files, '--yes'], { env: tenant.env });
    const again = await runCommand(['apply', files, '--yes', '--quota', '1/min,1', '--max-duration', '1s'], {
      env: tenant.env,
    });
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('a token that nobody can renew', () => {
  test('and that ends too soon is reported before the first write', async () => {
    const tenant = await tenantWith(seedOf(), { tokenLifetime: 60 });
    const env = { TENANT_SYNC_BASE_URL: tenant.baseUrl, TENANT_SYNC_TOKEN: await tenant.token() };
    const files = await folder(filesOfEveryKind);
    const short = await runCommand(['apply', files, '--yes', '--quota', '1/min,1'], { env });
    expect(short.stderr).toContain('TOKEN_ENDS');
    expect(short.code).toBe(0);
    expect((await runCommand(['apply', files, '--yes'], { env })).stderr).not.toContain('TOKEN_ENDS');
  });
});
