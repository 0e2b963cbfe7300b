// What the types of the installed package auth0 say is committed: after an update of the package, `npm run facts` shows what
// changed in the API.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { beginnings, factsOf, kindNames, ownerOf, readPackage } from '../../scripts/facts/index.mjs';

const kinds = join(import.meta.dirname, '../../src/kinds');
const folders = readdirSync(kinds, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const committed = (folder: string) => readFileSync(join(kinds, folder, 'facts.json'), 'utf8');
const installed = readPackage();

describe('facts.json is what the package says (npm run facts)', () => {
  test.each(folders)('%s', (folder) => {
    expect(committed(folder)).toBe(factsOf(folder.replaceAll('-', '_'), installed));
  });
});

test('each path of the package belongs to a kind, or scripts/facts/paths.yaml says why not', () => {
  expect(installed.operations.filter(({ path }) => ownerOf(path) === undefined)).toEqual([]);
});

test('each beginning of a path in scripts/facts/paths.yaml is one in the package', () => {
  const used = installed.operations.map(({ path }) => ownerOf(path)?.beginning);
  expect(beginnings.filter((beginning) => !used.includes(beginning))).toEqual([]);
});

test('a folder of src/kinds is a kind of scripts/facts/paths.yaml', () => {
  expect(folders.filter((folder) => !kindNames.includes(folder.replaceAll('-', '_')))).toEqual([]);
});

test('strategies of connections whose options have no type of their own', () => {
  const { fields, forms } = JSON.parse(committed('connections')).entities['/connections'];
  expect(fields.strategy.enum.filter((strategy: string) => !Object.hasOwn(forms, strategy))).toEqual(
    'notion-mcp asana atlassian cloudflare-mcp gitlab hubspot-mcp linear-mcp sentry-mcp slack'.split(' '),
  );
});
