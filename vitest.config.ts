import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Three projects: `npm test` runs `fast`, `npm run check` adds `slow`, and `npm run check:long` adds `long`. A test file is slow
 * when it starts processes, kills them, or takes more than about three seconds of processor time; its name ends in
 * `.slow.test.ts`. A long one, `.long.test.ts`, takes about a minute, or waits for clocks. With THOROUGH=1, the files of `fast` and `slow` are those
 * that then do more.
 */
const long = ['test/**/*.long.test.ts'];
const slow = ['test/**/*.slow.test.ts', 'test/library/**/*.test.ts'];
const thorough = process.env['THOROUGH'] === '1';
const more = thorough ? filesThatDoMore() : null;

function filesThatDoMore(): string[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => join('test', file));
  return files.filter(
    (file) => /\.test\.ts$/.test(file) && readFileSync(file, 'utf8').includes('/support/thorough.ts'),
  );
}

export default defineConfig({
  test: {
    testTimeout: thorough ? 120_000 : 60_000,
    // A browser may take a while to start beside other tests.
    hookTimeout: 60_000,
    // The default leaves one processor free, and with two it is half of them.
    maxWorkers: '100%',
    // Packages are imported as Node imports them: otherwise, each use of a CommonJS one goes through a proxy.
    deps: { interopDefault: false },
    // What was transformed is kept in node_modules between runs.
    experimental: { fsModuleCache: true },
    projects: [
      // Files that share a process load every module once, and share a key pair and a database server. So a test leaves nothing
      // global behind.
      {
        extends: true,
        test: { name: 'fast', include: more ?? ['test/**/*.test.ts'], exclude: [...slow, ...long], isolate: false },
      },
      {
        extends: true,
        test: { name: 'slow', include: more?.filter((file) => file.includes('.slow.')) ?? slow, isolate: false },
      },
      { extends: true, test: { name: 'long', include: long } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // It runs in a process of its own only.
      exclude: ['src/**/*.generated.ts', 'src/cli/start.ts'],
      reporter: ['text-summary', 'html'],
      // Of the fast tests alone: what the slow ones cover as well is not counted.
      thresholds: { lines: 89, branches: 86 },
    },
  },
});
