import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files and packages that are loaded before the first fault: static imports of values, followed from a file. */
function loaded(url: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(url.pathname)) return seen;
  seen.add(url.pathname);
  for (const [, names, from = ''] of readFileSync(url, 'utf8').matchAll(
    /^import ((?:(?!;$).)*?) from '([^']+)';$/gms,
  )) {
    if (names?.startsWith('type ')) continue;
    if (from.startsWith('.')) loaded(new URL(from, url), seen);
    else seen.add(from);
  }
  return seen;
}

test('a folder without problems loads one parser, a distance of words, and nothing that only explains', () => {
  const all = [...loaded(new URL('../../src/config/load-desired.ts', import.meta.url))];
  expect(all.filter((name) => !name.includes('/') && !name.startsWith('node:')).sort()).toEqual(['yaml']);
  expect(all.filter((name) => /explain|schema-|wording/.test(name))).toEqual([]);
  expect(all.length).toBeGreaterThan(20);
});

test('no kind is loaded before the files are read', () => {
  const all = [...loaded(new URL('../../src/sync/index.ts', import.meta.url))];
  const ofKinds = all.filter((name) => /\/src\/(kinds\/.*\/|service\/|items\/)/.test(name));
  expect(ofKinds.length).toBeGreaterThan(5);
  expect(ofKinds.filter((name) => !/\/head(\.generated)?\.ts$/.test(name))).toEqual([]);
});

test('a plan loads the parsers of partials only if it needs them', () => {
  const all = [...loaded(new URL('../../src/kinds/prompts/index.ts', import.meta.url))];
  expect(all.some((name) => name.endsWith('/prompts/describe.ts'))).toBe(true);
  expect(all.filter((name) => /parse5|liquidjs|inspection/.test(name))).toEqual([]);
});
