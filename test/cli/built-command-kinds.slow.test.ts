// The built command reads the code of the kinds that it needs, and of no other.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { runBuilt } from '../support/built-command.ts';
import { folder } from '../support/temp-folder.ts';

/** Prints the files that a process has loaded, when it ends. */
const listing = `process.on('exit', () => {
  for (const file of Object.keys(require.cache)) process.stderr.write(file + '\\n');
});`;

async function kindsLoadedBy(files: string): Promise<string[]> {
  const header = 'tenant: { name: acme, base_url: https://a.example/api/v2 }';
  const tenant = await folder({ 'hook.cjs': listing, 'tenant.yaml': `${header}\n${files}\n` });
  const { stderr, stdout } = await runBuilt(['validate', tenant], {
    NODE_OPTIONS: `--require ${join(tenant, 'hook.cjs')}`,
  });
  expect(stderr, stdout).toContain('cli/main.cjs');
  return kinds
    .map(({ name }) => name)
    .filter((name) => stderr.includes(`chunks/kind-${name.replaceAll('_', '-')}-`))
    .sort();
}

test.each([
  ['', []],
  ['clients: [{ name: Web }]', ['clients']],
  ['event_streams: []', ['event_streams']],
  ['prompts: {}', ['prompts']],
  ['clients: [{ name: Web }]\nattack_protection: {}', ['attack_protection', 'clients']],
  ['clients: [{ nme: Web }]', ['clients']],
])('%s', async (files, loaded) => {
  expect(await kindsLoadedBy(files)).toEqual(loaded);
});
