import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutants` repeats for every mutant that they reach: those of the packages themselves, and no long ones. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    include: ['test/{apply,plan,differ,edit,pull,kinds,marks}/**/*.test.ts', 'test/cli/{pull,undeclared}.test.ts'],
    exclude: ['test/**/*.slow.test.ts', 'test/**/*properties.test.ts', 'test/edit/edit-laws.test.ts'],
    isolate: false,
  },
});
