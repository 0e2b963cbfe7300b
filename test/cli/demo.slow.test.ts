// The tour is long: the fast tests take it once.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

describe('the last line of the demo', () => {
  test.each([
    ['tenant-sync', 'tenant-sync'],
    ['npx tenant-sync', 'npx tenant-sync'],
  ])('starts what started it: %s', async (program, shown) => {
    const { stdout } = await runCommand(['demo'], { program });
    expect(stdout).toContain(`\n  ${shown} serve --seed examples/acme/live.json\n`);
    expect(stdout).toContain(`\n$ ${shown} plan examples/acme\n`);
    expect(stdout).toContain(
      `\n  ${shown} serve --project examples/fleet --copy fleet --seed examples/fleet/live.json\n`,
    );
  });

  test('names the files from any folder; whatever credentials are set, the demo uses its own', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const env = { TENANT_SYNC_PRIVATE_KEY: pem };
    const { code, stdout } = await runCommand(['demo'], { cwd: await folder({}), env });
    expect(code).toBe(0);
    expect(stdout).toContain(`serve --seed ${process.cwd()}/examples/acme/live.json\n`);
  });
});

test('--no-color wins over FORCE_COLOR', async () => {
  const env = { FORCE_COLOR: '1' };
  const color = await runCommand(['demo'], { env, isTTY: true });
  const plain = await runCommand(['demo', '--no-color'], { env, isTTY: true });
  expect([color.stdout.includes('\u001b['), (plain.stdout + plain.stderr).includes('\u001b[')]).toEqual([true, false]);
});
