// The embedded tenant checks the engine, so it must share no decision with it: a mistake in both would go unnoticed.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '../../src');

/** Everything that the embedded tenant may import from src/. What is generated from the schemas is the contract of both. */
const allowed = [
  /^(embedded-tenant|model|values|secrets|files|contract)\//,
  /^service\/[^/]+\/(operations|(types|fields|description)\.generated|(seed-)?validators\.generated)\.ts$/,
];

const tenantFiles = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.startsWith('embedded-tenant/') && file.endsWith('.ts'));

const imports = tenantFiles.flatMap((file) => {
  const text = readFileSync(join(src, file), 'utf8');
  return [...text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
    file,
    target: relative(src, resolve(src, dirname(file), target)).replaceAll('\\', '/'),
  }));
});

test('the embedded tenant imports only the allowed modules', () => {
  expect(tenantFiles.length).toBeGreaterThan(20);
  expect(imports.filter(({ target }) => !allowed.some((pattern) => pattern.test(target)))).toEqual([]);
});

test('only the folder of kinds names a resource', () => {
  const wrong = imports.filter(
    ({ file, target }) => !file.startsWith('embedded-tenant/kinds/') && target.startsWith('service/'),
  );
  expect(wrong).toEqual([]);
});
