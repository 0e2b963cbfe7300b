// A real process is killed while it writes a new folder: every file is absent or complete, and the next pull finishes.
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBuilt } from '../support/built-command.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const promptNames = ['login', 'login-id', 'signup', 'signup-id', 'passkeys'];
const seed = {
  resource_servers: [],
  rate_limit_policies: [livePolicy('default'), livePolicy('client_id:a')],
  prompts: Object.fromEntries(
    promptNames.map((name) => [
      name,
      { partials: { [name]: { 'form-content-start': name, 'form-content-end': name } } },
    ]),
  ),
  event_streams: [
    {
      id: 'est_1',
      name: 'one',
      status: 'enabled',
      subscriptions: [{ event_type: 'user.created' }],
      destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://a.example/' } },
    },
  ],
};

async function contentOf(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [file.slice(path.length + 1), await readFile(file, 'utf8')]),
  );
  return Object.fromEntries(texts.sort());
}

test.each([1, 3, 6, 9, 12])('killed after %i files', { timeout: 90_000 }, async (count) => {
  const tenant = await tenantWith(seed);
  const [whole, path] = [join(await folder({}), 'tenant'), join(await folder({}), 'tenant')];
  expect(await runBuilt(['pull', whole, '--yes'], tenant.env)).toMatchObject({ code: 0 });
  const expected = await contentOf(whole);

  const written = () =>
    existsSync(path)
      ? readdirSync(path, { recursive: true }).filter((name) => /^[^.]+\.\w+$/.test(String(name))).length
      : 0;
  await runBuilt(['pull', path, '--yes'], tenant.env, (child) => {
    const timer = setInterval(() => {
      if (written() >= count) child.kill('SIGKILL');
    }, 1);
    child.once('exit', () => clearInterval(timer));
  });
  const left = await contentOf(path);
  const complete = Object.entries(left).filter(([file]) => !file.split('/').some((name) => name.startsWith('.')));
  expect(complete.length).toBeGreaterThanOrEqual(count);
  for (const [file, text] of complete) expect(text, file).toBe(expected[file]);

  expect((await runBuilt(['pull', path, '--yes'], tenant.env)).code).toBe(0);
  expect(await contentOf(path)).toEqual(expected);
  expect((await runBuilt(['plan', path, '--exit-code'], tenant.env)).code).toBe(0);
});
