// The tour is long: the fast tests take it once.
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

test('the last lines start what started the demo, from any folder; whatever credentials are set, it uses its own', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const env = { TENANT_SYNC_PRIVATE_KEY: pem };
  const { code, stdout } = await runCommand(['demo'], { program: 'npx tenant-sync', cwd: await folder({}), env });
  expect(code).toBe(0);
  const examples = `${process.cwd()}/examples`;
  expect(stdout).toContain(`\n  npx tenant-sync serve --seed ${examples}/acme/live.json\n`);
  expect(stdout).toContain(`\n$ npx tenant-sync plan ${examples}/acme\n`);
  const project = `--project ${examples}/fleet --copy fleet --seed ${examples}/fleet/live.json`;
  expect(stdout).toContain(`\n  npx tenant-sync serve ${project}\n`);
});

test('--no-color wins over FORCE_COLOR', async () => {
  const env = { FORCE_COLOR: '1' };
  const color = await runCommand(['demo'], { env, isTTY: true });
  const plain = await runCommand(['demo', '--no-color'], { env, isTTY: true });
  expect([color.stdout.includes('\u001b['), (plain.stdout + plain.stderr).includes('\u001b[')]).toEqual([true, false]);
  expect(plain.stdout).toContain('\n  tenant-sync serve --seed examples/acme/live.json\n');
  expect(plain.stdout).toContain('\n$ tenant-sync plan examples/acme\n');
  expect(plain.stdout).toContain(
    '\n  tenant-sync serve --project examples/fleet --copy fleet --seed examples/fleet/live.json\n',
  );
});
