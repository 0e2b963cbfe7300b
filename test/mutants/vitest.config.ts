import { defineConfig } from 'vitest/config';

/** What tests a package outside its own folder. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  pull: ['test/project/pull.test.ts'],
  items: ['test/kinds/**/*.test.ts'],
  kinds: ['test/items/**/*.test.ts'],
};
const name = process.env['MUTATED_PACKAGE'] ?? '';

/** The tests that `run.mjs` repeats for every mutant that they reach, and no long ones. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    include: [`test/${name}/**/*.test.ts`, ...(elsewhere[name] ?? [])],
    exclude: ['test/**/*.slow.test.ts', 'test/**/*properties.test.ts', 'test/edit/edit-laws.test.ts'],
    // Otherwise, what a module that is loaded late has at its top would meet only the tests during which it is loaded.
    setupFiles: name === 'kinds' ? ['src/kinds/prompts/inspection/introduced.ts'] : [],
    isolate: false,
    deps: { interopDefault: false },
  },
});
