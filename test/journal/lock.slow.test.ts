// One apply at a time: what counts as held, what is taken over, and that of several takers one wins.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRunning } from '../../src/files/is-running.ts';
import { takeLock } from '../../src/journal/lock.ts';
import { type LockHolder, processSpace, startTicks } from '../../src/journal/lock-holder.ts';
import { folder } from '../support/temp-folder.ts';

const terms = { started: '2026-11-20T10:00:00.000Z', toolVersion: '0.1.0' };

/** Of a process that was there and is gone. */
const dead = spawnSync(process.execPath, ['--version']).pid;

const holderOf = (about: Partial<LockHolder>): LockHolder => ({
  pid: process.pid,
  host: hostname(),
  since: '2026-11-20T09:00:00.000Z',
  tool_version: '0.1.0',
  ticks: startTicks(process.pid),
  process_space: processSpace(),
  heartbeat_ms: 10_000,
  nonce: 'other',
  ...about,
});

const otherTicks = startTicks(process.pid) === null ? null : '1';

test('it names its holder, for its owner only, and leaves nothing behind', async () => {
  const root = await folder({});
  const taken = takeLock(join(root, 'a.lock'), terms);
  expect(JSON.parse(await readFile(join(root, 'a.lock'), 'utf8'))).toEqual({
    pid: process.pid,
    host: hostname(),
    since: terms.started,
    tool_version: '0.1.0',
    ticks: startTicks(process.pid),
    process_space: processSpace(),
    heartbeat_ms: 10_000,
    nonce: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(await readdir(root)).toEqual(['a.lock']);
  if (taken.ok) taken.release();
  expect(await readdir(root)).toEqual([]);
});

test('a process that holds it does not get it twice', async () => {
  const path = join(await folder({}), 'a.lock');
  const first = takeLock(path, terms);
  expect(takeLock(path, terms)).toMatchObject({
    ok: false,
    found: { holder: { pid: process.pid, since: terms.started } },
  });
  if (first.ok) first.release();
  expect(takeLock(path, terms).ok).toBe(true);
});

test('who gives it back removes only his own', async () => {
  const root = await folder({});
  const taken = takeLock(join(root, 'a.lock'), terms);
  await writeFile(join(root, 'a.lock'), 'another');
  if (taken.ok) taken.release();
  expect(await readdir(root)).toEqual(['a.lock']);
});

describe('what is found', () => {
  test.each<[string, string, boolean]>([
    ['held by a living process', JSON.stringify(holderOf({})), false],
    ['the same, where the system does not tell beginnings', JSON.stringify(holderOf({ ticks: null })), false],
    ['its process is gone', JSON.stringify(holderOf({ pid: dead })), true],
    ['another machine cannot be asked', JSON.stringify(holderOf({ pid: dead, host: 'elsewhere' })), false],
    ['a power cut took its content', '', true],
    ['or the better part of it', '{"pid":1', true],
    ['written by another version', '{"owner":"x"}', false],
    ['not even an object', '7', false],
  ])('%s', async (_name, content, free) => {
    const root = await folder({ 'a.lock': content });
    expect(takeLock(join(root, 'a.lock'), terms).ok).toBe(free);
    expect(await readdir(root)).toEqual(['a.lock']);
  });

  test.skipIf(otherTicks === null)('its number belongs to another process now', async () => {
    const root = await folder({ 'a.lock': JSON.stringify(holderOf({ ticks: otherTicks })) });
    expect(takeLock(join(root, 'a.lock'), terms).ok).toBe(true);
  });

  test('a taker that died while he replaced a dead lock is replaced as well', async () => {
    const text = JSON.stringify(holderOf({ pid: dead }));
    const replacing = `a.lock.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    const root = await folder({
      'a.lock': text,
      [replacing]: JSON.stringify(holderOf({ pid: dead, nonce: 'second' })),
    });
    expect(takeLock(join(root, 'a.lock'), terms).ok).toBe(true);
    expect(await readdir(root)).toEqual(['a.lock']);
  });

  test('a living one that is at it is named', async () => {
    const text = JSON.stringify(holderOf({ pid: dead }));
    const replacing = `a.lock.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    const root = await folder({ 'a.lock': text, [replacing]: JSON.stringify(holderOf({ nonce: 'atit' })) });
    expect(takeLock(join(root, 'a.lock'), terms)).toMatchObject({
      ok: false,
      found: { holder: { nonce: 'atit' } },
    });
  });

  const elsewhere = { host: 'elsewhere', pid: dead };
  const ofAnotherSpace = { process_space: 'pid:[1]', pid: dead };
  test.each<[string, Partial<LockHolder>, number, boolean]>([
    ['another machine, one heartbeat missed', elsewhere, 15, false],
    ['another machine, five heartbeats missed', elsewhere, 59, false],
    ['another machine, six heartbeats missed', elsewhere, 61, true],
    ['another machine with a longer interval', { ...elsewhere, heartbeat_ms: 20_000 }, 61, false],
    ['another machine whose process has a number of this one', { host: 'elsewhere' }, 61, true],
    ['another container of the same name', ofAnotherSpace, 15, false],
    ['another container of the same name, silent', ofAnotherSpace, 61, true],
    ['a process of this machine, suspended', {}, 3600, false],
    ['a process of this machine, or another one of its number', { ticks: null }, 61, true],
    ['a time in the future', elsewhere, -3600, false],
  ])('%s', async (_name, about, silent, free) => {
    const root = await folder({ 'a.lock': JSON.stringify(holderOf(about)) });
    const at = Date.now() / 1000 - silent;
    await utimes(join(root, 'a.lock'), at, at);
    const taken = takeLock(join(root, 'a.lock'), terms);
    expect(taken.ok).toBe(free);
    if (!taken.ok) expect(Math.round(taken.found.silentMs / 1000)).toBe(silent);
  });

  test('the clock of this machine does not matter', async () => {
    const root = await folder({ 'a.lock': JSON.stringify(holderOf(elsewhere)) });
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
    expect(takeLock(join(root, 'a.lock'), terms).ok).toBe(false);
  });

  test('a lock of another version is respected until it is deleted', async () => {
    const path = join(await folder({ 'a.lock': '{"owner":"x"}' }), 'a.lock');
    expect(takeLock(path, terms)).toMatchObject({ ok: false, found: { holder: 'unknown', path } });
    await rm(path);
    expect(takeLock(path, terms).ok).toBe(true);
  });

  test('a link is not followed', async () => {
    const root = await folder({ elsewhere: JSON.stringify(holderOf({ pid: dead })) });
    await symlink(join(root, 'elsewhere'), join(root, 'a.lock'));
    expect(() => takeLock(join(root, 'a.lock'), terms)).toThrow('ELOOP');
    expect((await readdir(root)).sort()).toEqual(['a.lock', 'elsewhere']);
  });
});

test('a process that belongs to somebody else is alive, and one that never was is not', () => {
  expect(isRunning(1)).toBe(true);
  expect(isRunning(2 ** 30)).toBe(false);
  expect(startTicks(2 ** 30)).toBeNull();
});

/** A program of test/support that a process can run. */
async function built(program: string): Promise<string> {
  const root = await folder({ 'package.json': '{"type":"module"}' });
  const input = join(import.meta.dirname, '../support', program);
  const file = join(root, 'program.js');
  const bundle = await rolldown({ input, platform: 'node', tsconfig: false });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

describe('a process on another machine', () => {
  const heartbeatMs = 100;
  const quick = (path: string) => takeLock(path, terms, heartbeatMs);

  /** Holds the lock as a process of another machine does, and logs each time that it may send. */
  async function holding() {
    const root = await folder({ log: '' });
    const path = join(root, 'a.lock');
    const child = spawn(
      process.execPath,
      [await built('lock-keeper-process.ts'), path, join(root, 'log'), String(heartbeatMs)],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const log = async () => (await readFile(join(root, 'log'), 'utf8')).trim().split('\n');
    await vi.waitFor(async () => expect((await log()).length).toBeGreaterThan(3), 20_000);
    return { child, path, log };
  }

  const taken = (path: string) =>
    vi.waitFor(() => {
      const lock = quick(path);
      if (!lock.ok) throw new Error('locked');
      return lock;
    }, 20_000);

  test('keeps its lock while it is alive, and loses it after it was killed', async () => {
    const { child, path } = await holding();
    const until = performance.now() + 15 * heartbeatMs;
    while (performance.now() < until) {
      expect(quick(path)).toMatchObject({ ok: false, found: { holder: { host: 'elsewhere' } } });
      await setTimeout(20);
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(quick(path).ok).toBe(false);
    (await taken(path)).release();
  }, 60_000);

  test('sends nothing after it was suspended and another process took its lock', async () => {
    const { child, path, log } = await holding();
    child.kill('SIGSTOP');
    const lock = await taken(path);
    const before = (await log()).length;
    child.kill('SIGCONT');
    await vi.waitFor(async () => expect((await log()).at(-1)).toBe('lost APPLY_LOCK_LOST'), 20_000);
    // A request that was allowed before the suspension may be logged after it.
    expect((await log()).slice(before).filter((line) => line === 'sent').length).toBeLessThanOrEqual(1);
    await expect(lock.verify()).resolves.toBeUndefined();
    lock.release();
  }, 60_000);

  test('is suspended for long and resumes, if it still has its lock', async () => {
    const { child, log } = await holding();
    child.kill('SIGSTOP');
    await setTimeout(10 * heartbeatMs);
    const before = (await log()).length;
    child.kill('SIGCONT');
    await vi.waitFor(async () => expect((await log()).length).toBeGreaterThan(before + 3), 20_000);
    expect(new Set(await log())).toEqual(new Set(['sent']));
  }, 60_000);
});

test('several processes that take it over from one another never hold it together', async () => {
  const root = await folder({ 'a.lock': JSON.stringify(holderOf({ pid: dead })), log: '' });
  const program = await built('lock-process.ts');
  const processes = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [program, join(root, 'a.lock'), join(root, 'log'), '12'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const codes = await Promise.all(processes.map((child) => once(child, 'exit')));
  expect(codes).toEqual(processes.map(() => [0, null]));
  const lines = (await readFile(join(root, 'log'), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(2 * 8 * 12);
  for (let index = 0; index < lines.length; index += 2)
    expect(lines[index + 1]).toBe(lines[index]?.replace('in', 'out'));
}, 60_000);
