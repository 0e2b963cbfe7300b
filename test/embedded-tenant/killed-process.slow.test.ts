/**
 * A tenant in a process of its own is killed in the middle of a storm of writes, again and again on the same state
 * file.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractSeed } from '../contract/contract-seed.ts';
import { openTenant, requestToken } from '../support/start-tenant.ts';

const root = join(import.meta.dirname, '../..');
const rounds = 6;
const prompts = ['login', 'login-id', 'signup', 'passkeys'];

let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenant-kill-'));
  await build(join(folder, 'built'));
  await writeFile(join(folder, 'seed.json'), JSON.stringify(contractSeed));
}, 120_000);

afterAll(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

test('every write with a response is in the file, and the file is readable after a kill at any moment', async () => {
  const stateFile = join(folder, 'state.json');
  const last = new Map<string, number>();
  let answered = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const baseUrl = await start(stateFile);
    const headers = { Authorization: `Bearer ${await requestToken(baseUrl)}`, 'Content-Type': 'application/json' };
    const writing = prompts.map((prompt) =>
      writeUntilKilled(`${baseUrl}/prompts/${prompt}/partials`, headers, round * 1_000_000),
    );
    await setTimeout(40 + round * 37);
    child?.kill('SIGKILL');
    const numbers = await Promise.all(writing);
    const state = (await openTenant({}, { seed: JSON.parse(await readFile(stateFile, 'utf8')) })).snapshot();
    expect(state.rate_limit_policies).toEqual(contractSeed.rate_limit_policies);
    prompts.forEach((prompt, index) => {
      const [sent = 0, acknowledged = 0] = numbers[index] ?? [];
      answered += acknowledged % 1_000_000;
      const stored = Number(state.prompts?.[prompt]?.partials['screen']?.['number'] ?? 0);
      // The write in flight may have been stored without a response; one that is older than the last response must not.
      expect(stored).toBeGreaterThanOrEqual(acknowledged === 0 ? (last.get(prompt) ?? 0) : acknowledged);
      expect(stored).toBeLessThanOrEqual(Math.max(sent, last.get(prompt) ?? 0));
      last.set(prompt, stored);
    });
  }
  expect(answered).toBeGreaterThan(rounds);
}, 120_000);

/** Counts up, one write after the other; the last number sent and the last one with a response (0: none). */
async function writeUntilKilled(
  url: string,
  headers: Readonly<Record<string, string>>,
  from: number,
): Promise<readonly [number, number]> {
  let answered = 0;
  for (let number = from + 1; ; number += 1) {
    const body = JSON.stringify({ screen: { number: String(number) } });
    const status = await fetch(url, { method: 'PUT', headers, body }).then(
      (response) => response.status,
      () => null,
    );
    if (status === null) return [number, answered];
    expect(status).toBe(200);
    answered = number;
  }
}

async function start(stateFile: string): Promise<string> {
  child = spawn(process.execPath, [join(folder, 'built/tenant-process.js'), stateFile, join(folder, 'seed.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('the child has no output');
  const [line] = (await once(stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

/** One file of JavaScript, because the oldest supported Node runs no TypeScript. */
async function build(target: string): Promise<void> {
  await mkdir(target);
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'), 'dir');
  const bundle = await rolldown({
    input: join(root, 'test/support/tenant-process.ts'),
    platform: 'node',
    external: /^[a-z@]/,
    tsconfig: false,
  });
  await bundle.write({ file: join(target, 'tenant-process.js'), format: 'esm', codeSplitting: false });
  await bundle.close();
}
