import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { testTimeout: 20000, include: ['test/edit/**/*.test.ts'], exclude: ['test/**/*.slow.test.ts', 'test/**/*properties.test.ts', 'test/edit/edit-laws.test.ts'], isolate: false, deps: { interopDefault: false } } });
