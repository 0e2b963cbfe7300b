// A rehearsal as people do it: a server in the background, its variables sourced by a shell, and commands on the copy.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startBuilt } from '../support/built-command.ts';
import { folder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const fleet = join(root, 'examples/fleet');

test('the example is served, sourced, planned, applied by waves, and in sync', async () => {
  const cwd = await folder({});
  const file = createWriteStream(join(cwd, 'fleet.env'));
  const seed = join(fleet, 'live.json');
  const server = startBuilt(
    ['serve', '--project', fleet, '--copy', join(cwd, 'copy'), '--seed', seed, '--port', '0'],
    {},
  );
  onTestFinished(() => void server.kill('SIGKILL'));
  server.stdout.pipe(file);
  const requests: string[] = [];
  for await (const text of server.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if (String(text).includes('listen on loopback')) break;
  // Output that goes through a pipe may be there later.
  await vi.waitFor(async () =>
    expect((await readFile(file.path, 'utf8')).match(/_CLIENT_SECRET=.*\n/g)).toHaveLength(6),
  );
  server.stderr.on('data', (text: string) => requests.push(...text.split('\n')));
  const shell = async (command: string) =>
    promisify(execFile)('sh', ['-c', `. ./fleet.env && ${command}`], {
      cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        TENANT_SYNC: `${process.execPath} ${join(root, 'dist/cli/main.cjs')}`,
        TENANT_SYNC_STATE_DIR: join(cwd, 'state'),
      },
    });
  const { stdout } = await shell('$TENANT_SYNC plan copy --all');
  expect(stdout).toContain('6 tenants   6 with changes');
  await shell('$TENANT_SYNC apply copy --all --yes');
  await shell('$TENANT_SYNC plan copy --all --exit-code');
  const tenantOf = (line: string) => /^([\w-]+): 20\d (?:POST|PUT|PATCH|DELETE) \/api/.exec(line)?.[1];
  const waves = requests
    .flatMap((line) => tenantOf(line) ?? [])
    .map((name) => ({ 'acme-prod': 2 })[name] ?? (name.startsWith('acme') ? 1 : 3));
  expect(new Set(waves)).toEqual(new Set([1, 2, 3]));
  expect(waves).toEqual(waves.toSorted());
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
});
