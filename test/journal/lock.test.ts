// One apply at a time: what counts as held, what is taken over, and that of several takers one wins.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, test } from 'vitest';
import { isAlive, type LockHolder, startTicks, takeLock } from '../../src/journal/lock.ts';
import { folder } from '../support/temp-folder.ts';

const terms = { since: '2026-11-20T10:00:00.000Z', toolVersion: '0.1.0' };

/** Of a process that was there and is gone. */
const dead = spawnSync(process.execPath, ['--version']).pid;

const holderOf = (about: Partial<LockHolder>): LockHolder => ({
  pid: process.pid,
  host: hostname(),
  since: '2026-11-20T09:00:00.000Z',
  tool_version: '0.1.0',
  ticks: startTicks(process.pid),
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
    since: terms.since,
    tool_version: '0.1.0',
    ticks: startTicks(process.pid),
    nonce: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(await readdir(root)).toEqual(['a.lock']);
  if (taken.ok) taken.release();
  expect(await readdir(root)).toEqual([]);
});

test('a process that holds it does not get it twice', async () => {
  const path = join(await folder({}), 'a.lock');
  const first = takeLock(path, terms);
  expect(takeLock(path, terms)).toMatchObject({ ok: false, holder: { pid: process.pid, since: terms.since } });
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
    const root = await folder({ 'a.lock': text, [replacing]: JSON.stringify(holderOf({ nonce: 'at it' })) });
    expect(takeLock(join(root, 'a.lock'), terms)).toMatchObject({ ok: false, holder: { nonce: 'at it' } });
  });

  test('a link is not followed', async () => {
    const root = await folder({ elsewhere: JSON.stringify(holderOf({ pid: dead })) });
    await symlink(join(root, 'elsewhere'), join(root, 'a.lock'));
    expect(() => takeLock(join(root, 'a.lock'), terms)).toThrow('ELOOP');
    expect((await readdir(root)).sort()).toEqual(['a.lock', 'elsewhere']);
  });
});

test('a process that belongs to somebody else is alive, and one that never was is not', () => {
  expect(isAlive(1)).toBe(true);
  expect(isAlive(2 ** 30)).toBe(false);
  expect(startTicks(2 ** 30)).toBeNull();
});

test('several processes that take it over from one another never hold it together', async () => {
  const root = await folder({ 'a.lock': JSON.stringify(holderOf({ pid: dead })), log: '' });
  await mkdir(join(root, 'built'));
  await writeFile(join(root, 'built/package.json'), '{"type":"module"}');
  const bundle = await rolldown({
    input: join(import.meta.dirname, '../support/lock-process.ts'),
    platform: 'node',
    tsconfig: false,
  });
  await bundle.write({ file: join(root, 'built/lock-process.js'), format: 'esm', codeSplitting: false });
  await bundle.close();
  const processes = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [join(root, 'built/lock-process.js'), join(root, 'a.lock'), join(root, 'log'), '12'], {
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
