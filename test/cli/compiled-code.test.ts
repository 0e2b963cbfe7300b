// Where compiled code is kept. test/cli/built-command.slow.test.ts has what the command does with it.
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { keepCompiledCode } from '../../src/cli/compiled-code.ts';
import { folder } from '../support/temp-folder.ts';

/** The folder that Node is asked to use; null if it is not asked. */
function keptIn(env: Readonly<Record<string, string>>, version: 'Node 20' | 'Node 22' = 'Node 22'): string | null {
  const asked: string[] = [];
  const real = Object.getOwnPropertyDescriptor(nodeModule, 'enableCompileCache');
  const value = version === 'Node 20' ? undefined : (path: string) => asked.push(path);
  Object.defineProperty(nodeModule, 'enableCompileCache', { configurable: true, writable: true, value });
  for (const name of ['CI', 'XDG_CACHE_HOME', 'NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE'])
    vi.stubEnv(name, env[name] ?? '');
  onTestFinished(() => void vi.unstubAllEnvs());
  try {
    keepCompiledCode();
  } finally {
    if (real) Object.defineProperty(nodeModule, 'enableCompileCache', real);
    else Reflect.deleteProperty(nodeModule, 'enableCompileCache');
  }
  return asked[0] ?? null;
}

async function caches() {
  const mine = realpathSync(await folder({}));
  return { mine, kept: join(mine, 'cache', 'tenant-sync') };
}

describe('the folder of compiled code', () => {
  test('is one of the user, which is created', async () => {
    const { mine, kept } = await caches();
    expect(keptIn({ XDG_CACHE_HOME: join(mine, 'cache') })).toBe(kept);
    expect(readdirSync(join(mine, 'cache'))).toEqual(['tenant-sync']);
  });

  test('is below .cache of the home', async () => {
    const { mine } = await caches();
    vi.stubEnv('HOME', mine);
    expect(keptIn({})).toBe(join(mine, '.cache', 'tenant-sync'));
  });

  test('is reached through the links of the user', async () => {
    const { mine } = await caches();
    mkdirSync(join(mine, 'data'), { mode: 0o700 });
    symlinkSync('data', join(mine, 'cache'));
    expect(keptIn({ XDG_CACHE_HOME: join(mine, 'cache') })).toBe(join(mine, 'data', 'tenant-sync'));
  });

  test.each([
    ['in a pipeline', { CI: 'true' }],
    ['where the user names another one', { NODE_COMPILE_CACHE: '/elsewhere' }],
    ['where the user wants none', { NODE_DISABLE_COMPILE_CACHE: '1' }],
    ['where the path is relative', { XDG_CACHE_HOME: 'cache' }],
    ['with Node 20', {}],
  ])('is not created %s', async (title, env) => {
    const { mine } = await caches();
    expect(
      keptIn({ XDG_CACHE_HOME: join(mine, 'cache'), ...env }, title === 'with Node 20' ? 'Node 20' : 'Node 22'),
    ).toBe(null);
    expect(readdirSync(mine)).toEqual([]);
    expect(existsSync('cache')).toBe(false);
  });

  test.each(['', 'cache', 'cache/tenant-sync'])('is not used if others can write to %j', async (path) => {
    const { mine } = await caches();
    mkdirSync(join(mine, 'cache/tenant-sync'), { recursive: true, mode: 0o700 });
    chmodSync(join(mine, path), 0o777);
    expect(keptIn({ XDG_CACHE_HOME: join(mine, 'cache') })).toBe(null);
  });

  test('may be in a folder in which others can replace nothing, but not be one', async () => {
    const { mine, kept } = await caches();
    mkdirSync(join(mine, 'cache'));
    chmodSync(join(mine, 'cache'), 0o1777);
    expect(keptIn({ XDG_CACHE_HOME: join(mine, 'cache') })).toBe(kept);
    chmodSync(kept, 0o1777);
    expect(keptIn({ XDG_CACHE_HOME: join(mine, 'cache') })).toBe(null);
  });

  // Only the superuser can make something of another user.
  describe.skipIf(process.getuid?.() !== 0)('leads nowhere through what another user made:', () => {
    const other = 4321;

    test.each(['', 'cache', 'cache/tenant-sync'])('the folder %j', async (path) => {
      const { mine } = await caches();
      mkdirSync(join(mine, path), { recursive: true, mode: 0o700 });
      const before = readdirSync(mine, { recursive: true });
      lchownSync(join(mine, path), other, other);
      expect(keptIn({ XDG_CACHE_HOME: join(mine, 'cache') })).toBe(null);
      expect(readdirSync(mine, { recursive: true })).toEqual(before);
    });

    test.each(['cache', 'cache/tenant-sync'])('the link %j', async (path) => {
      const { mine } = await caches();
      const target = join(mine, 'target');
      mkdirSync(target, { mode: 0o700 });
      mkdirSync(join(mine, path, '..'), { recursive: true, mode: 0o700 });
      symlinkSync(target, join(mine, path));
      lchownSync(join(mine, path), other, other);
      expect(keptIn({ XDG_CACHE_HOME: join(mine, 'cache') })).toBe(null);
      expect(readdirSync(target)).toEqual([]);
    });
  });

  test('costs nothing where it cannot be created', async () => {
    const at = await folder({ cache: '' });
    expect(keptIn({ XDG_CACHE_HOME: join(at, 'cache') })).toBe(null);
    symlinkSync('loop', join(at, 'loop'));
    expect(keptIn({ XDG_CACHE_HOME: join(at, 'loop') })).toBe(null);
  });
});
