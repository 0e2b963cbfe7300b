// A case is a folder: files, a tenant, and what people read. UPDATE_GOLDEN=1 rewrites the expectations; review decides.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';
import { startTenant, testClient } from './support/start-tenant.ts';

const root = join(import.meta.dirname, 'golden');
const views = [
  { file: 'plan.txt', argv: ['plan'] },
  { file: 'plan.json', argv: ['plan', '--format', 'json'] },
  { file: 'plan.md', argv: ['plan', '--format', 'markdown'] },
  { file: 'plan.github.txt', argv: ['plan', '--format', 'github'] },
  { file: 'drift.txt', argv: ['drift'] },
  { file: 'apply.txt', argv: ['apply', '--yes'] },
] as const;

describe.each(readdirSync(root))('%s', (scenario) => {
  test.each(views)('$file', async ({ file, argv }) => {
    const folder = join(root, scenario);
    const seed = JSON.parse(await readFile(join(folder, 'tenant.json'), 'utf8'));
    const tenant = await startTenant({ clients: [testClient], ...seed });
    try {
      const [command, ...options] = argv;
      const { code, stdout, stderr } = await runCommand([command, join('golden', scenario, 'config'), ...options], {
        env: { ...tenant.env, TENANT_VAR_HOOK_TOKEN: 'planted-hook-token' },
        cwd: import.meta.dirname,
      });
      const found = timeless(
        `${stdout}${stderr === '' ? '' : `\n--- standard error ---\n${stderr}`}\n--- exit code ${code} ---\n`,
        tenant.origin,
      );
      if (process.env['UPDATE_GOLDEN']) await writeFile(join(folder, file), found);
      expect(found).toBe(await readFile(join(folder, file), 'utf8'));
    } finally {
      await tenant.close();
    }
  });
});

/** Without what differs from run to run: the port, the time and what follows from them. */
function timeless(text: string, origin: string): string {
  return (
    text
      .replaceAll(origin, 'http://127.0.0.1:PORT')
      .replaceAll(new URL(origin).host, '127.0.0.1:PORT')
      .replaceAll(/"generated_at": "[^"]+"/g, '"generated_at": "TIME"')
      .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:DIGEST')
      .replaceAll(/(approve["` :]+)[0-9a-f]{24}/g, '$1CODE')
      // A code that begins as a number does is quoted.
      .replaceAll(/(approvals: \[)((?:\\?")?)[0-9a-f]{24}\2/g, '$1CODE')
  );
}
