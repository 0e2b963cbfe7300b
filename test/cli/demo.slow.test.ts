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

  test('names the files from any folder', async () => {
    const { stdout } = await runCommand(['demo'], { cwd: await folder({}) });
    expect(stdout).toContain(`serve --seed ${process.cwd()}/examples/acme/live.json\n`);
  });
});

test('the demo uses its own credentials, whatever is set', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { code } = await runCommand(['demo'], { env: { TENANT_SYNC_PRIVATE_KEY: pem } });
  expect(code).toBe(0);
});

test('--no-color wins over FORCE_COLOR', async () => {
  const env = { FORCE_COLOR: '1' };
  const color = await runCommand(['demo'], { env, isTTY: true });
  const plain = await runCommand(['demo', '--no-color'], { env, isTTY: true });
  expect([color.stdout.includes('\u001b['), (plain.stdout + plain.stderr).includes('\u001b[')]).toEqual([true, false]);
});
