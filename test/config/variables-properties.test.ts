// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of these tests hold references.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openProblemList } from '../../src/config/errors/problem-list.ts';
import { openFolderBudget } from '../../src/config/limits.ts';
import { validateFile } from '../../src/config/validate-file.ts';
import { openSubstitution } from '../../src/config/variables/open-substitution.ts';
import { noVariables } from '../../src/config/variables/variables.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { sourceText } from '../../src/diagnostics/source-text.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { kinds } from '../support/all-kinds.ts';
import { propertyRuns } from '../support/thorough.ts';

interface Read {
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** One file with one text behind each of its references. */
async function read(text: string, behind: string): Promise<Read> {
  const { report, finish } = openProblemList();
  const byName = new Map([
    ['A', behind],
    ['B', behind],
  ]);
  const substitution = openSubstitution(
    { ...noVariables, env: { A: behind }, allowEnv: ['A'] },
    { byName, complete: true },
    report,
    openFolderBudget(),
  );
  const file = await parseYaml(sourceText('a.yaml', text), report, substitution);
  if (file !== null) await validateFile(file, kinds, () => undefined);
  return { value: file?.value, diagnostics: finish(new Map()) };
}

/** Keys and items without what they hold. */
function structureOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structureOf);
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, structureOf(member)]));
}

const sample = `tenant:
  name: \${env:A}
  api: "\${env:A}"
  protect: { roles: ['\${env:A}', "x \${env:A} \${var:B}"] }
roles:
  - id: &i \${var:A}
    name: *i
  - \${var:B}
prompts:
  login: |
    a \${env:A}
    b
`;

const anyText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc
    .array(
      fc.constantFrom(
        '\n',
        '  ',
        '- ',
        ': ',
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        '#',
        '&a',
        '*i',
        '!x',
        '${env:A}',
        '$${',
        '---\n',
        'a',
        '1',
        '~',
        '<<',
      ),
      {
        minLength: 1,
      },
    )
    .map((parts) => parts.join('')),
);

/** A value of the environment with another character at an end is an error. */
const anyValue = anyText.filter((text) => !/^\p{Cc}|\p{Cc}$/u.test(text));

test('whatever the value of a reference, keys and items stay as they are', async () => {
  const structure = structureOf((await read(sample, 'x')).value);
  await fc.assert(
    fc.asyncProperty(anyValue, async (text) => {
      const { value } = await read(sample, text);
      expect(structureOf(value)).toEqual(structure);
      expect(value).toMatchObject({
        tenant: { api: text, protect: { roles: [text, `x ${text} ${text}`] } },
        roles: [{}, text],
        prompts: { login: `a ${text}\nb\n` },
      });
    }),
    propertyRuns(1000),
  );
});

test('a doubled brace gives the text back', async () => {
  const pieces = fc.array(
    fc.constantFrom(
      '$',
      '{',
      '}',
      '${',
      '$${',
      '${env:A}',
      '${var:B}',
      'env:A',
      'a',
      ' ',
      '"',
      '\\',
      'é',
      '\u{1f600}',
      '\n',
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      pieces.map((parts) => parts.join('')),
      async (text) => {
        const written = JSON.stringify(text.replaceAll('${', () => '$${'));
        expect(await read(`tenant: { name: ${written} }\n`, 'x')).toEqual({
          value: { tenant: { name: text } },
          diagnostics: [],
        });
      },
    ),
    propertyRuns(1000),
  );
});

test('no file with references makes the loader throw, show a value, or point outside of the file', async () => {
  const secret = 'planted-value';
  const pieces = fc.constantFrom(
    ...[
      '${env:A}',
      '${var:B}',
      '${env:',
      '${',
      '$${',
      '$',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '\n',
      '  ',
      '- ',
      'a: ',
      'password: ',
      'roles:',
      '|',
      '>-',
      '\\',
    ],
    ...['\\x24', '&a ', '*a', '!x ', '#', ', ', '\\\n', 'tenant:\n  '],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
      const text = parts.join('');
      const lines = text.split('\n');
      const { diagnostics } = await read(text, secret);
      expect(JSON.stringify(diagnostics)).not.toContain(secret);
      for (const { source, message } of diagnostics) {
        expect(message).toMatch(/\.$/);
        expect(source?.column).toBeLessThanOrEqual((lines[(source?.line ?? 0) - 1] ?? '').length + 1);
      }
    }),
    propertyRuns(2000),
  );
});
