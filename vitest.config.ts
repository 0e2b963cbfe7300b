import { defineConfig } from 'vitest/config';

/**
 * Two projects: `fast` is what `npm test` runs, and `npm run check` runs both. A test file is slow when it starts processes,
 * kills them, or takes more than about three seconds; its name ends in `.slow.test.ts`.
 */
const slow = ['test/**/*.slow.test.ts', 'test/library/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    // The default leaves one processor free, and with two it is half of them.
    maxWorkers: '100%',
    projects: [
      // Files that share a process load every module once, which halves the time. So a test leaves nothing global behind.
      { extends: true, test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: slow, isolate: false } },
      { extends: true, test: { name: 'slow', include: slow } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // The script of the HTML report runs in a browser only.
      exclude: ['src/**/*.generated.ts', 'src/cli/main.ts', 'src/report/html/browser/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: { lines: 95, branches: 90 },
    },
  },
});
