// Everything about a kind is in its folder: no other code names a kind, a section, an operation or a resource's path.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kinds } from './support/all-kinds.ts';

const src = join(import.meta.dirname, '..', 'src');

/** Files that may name some of them, and why. */
const allowed: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  'cli/commands/serve.ts': { names: ['clients'], why: 'clients of a seed can get tokens' },
  'embedded-tenant/create-tenant.ts': { names: ['clients'], why: 'clients of a seed can get tokens' },
};

const operations = kinds.flatMap((kind) => kind.operations);
const names = [
  ...kinds.map(({ name }) => name),
  ...operations.map(({ id }) => id),
  // /rate-limit-policies, /roles, /prompts, /event-streams
  ...new Set(operations.map(({ path }) => `/${path.split('/')[1]}`)),
];

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.generated.ts') &&
      // The service has a list of scopes, which names every resource it knows, managed or not.
      file !== 'contract/known-words.ts' &&
      !/^(kinds|service|embedded-tenant\/kinds)\//.test(file),
  );

/** Code without its comments: an example in a comment decides nothing. Import lines are the architecture test's business. */
function codeOf(file: string): string {
  return readFileSync(join(src, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|[\s;{}(,])\/\/.*$/gm, '$1')
    .replaceAll(/^(?:import|export)\b[^;]*?from '[^']+';$/gm, '');
}

function namedIn(file: string): string[] {
  const code = codeOf(file);
  return names.filter((name) => {
    // A word such as clients has other meanings; as a text, or before a slash, it is the kind.
    const isWord = /^[a-z]+$/.test(name);
    const whole = isWord ? `(?<=['"\`])${name}(?=['"\`/])` : `(?<![\\w-])${name}(?![\\w-])`;
    return new RegExp(name.startsWith('/') ? `${name}(?![\\w-])` : whole).test(code);
  });
}

describe('code outside the folders of kinds and generated files', () => {
  test('is looked at, and so are the names', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(names).toEqual(expect.arrayContaining(['roles', 'list_event_streams', '/prompts']));
  });

  test('names no kind, no section and no operation', () => {
    const found = Object.fromEntries(
      files.flatMap((file) => {
        const wrong = namedIn(file).filter((name) => !allowed[file]?.names.includes(name));
        return wrong.length === 0 ? [] : [[file, wrong]];
      }),
    );
    expect(found).toEqual({});
  });

  test('is allowed to only where it does', () => {
    for (const [file, { names: expected }] of Object.entries(allowed))
      expect({ file, names: namedIn(file).sort() }).toEqual({ file, names: [...expected].sort() });
  });
});
