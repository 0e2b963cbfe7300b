import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostShown, openProblemList } from '../../src/config/errors/problem-list.ts';
import { decodeSource } from '../../src/config/files/read-source.ts';
import { joinHeaders, joinSections } from '../../src/config/join-files.ts';
import { validateFile } from '../../src/config/validate-file.ts';
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts';
import { sourceText } from '../../src/diagnostics/source-text.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { kinds } from '../support/all-kinds.ts';
import { yamlPieces } from '../support/generated-files.ts';
import { loadFiles } from '../support/load-files.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { propertyRuns, thorough } from '../support/thorough.ts';

const sample = `tenant:
  name: acme
  protect: { rate_limit_policies: ["default"] }
rate_limit_policies:
  - resource: oauth_authentication_api
    consumer: client
    consumer_selector: &s third_party_clients
    configuration: { action: block, limit: 100 }
  - { resource: oauth_authentication_api, consumer: client, consumer_selector: default, configuration: { action: allow } }
roles:
  - id: rol_1
    permissions: &p
      - { resource_server_identifier: "https://a.example/", permission_name: 'read:a' }
  - id: rol_2
    permissions: *p
prompts:
  login:
    partials:
      login:
        start: |
          <b>text</b>
        end: >-
          folded
          text
event_streams: []
`;
const pieces = [
  ...yamlPieces,
  '?',
  '|',
  '>',
  '*p',
  '!!int ',
  '!x ',
  '<<: ',
  '...\n',
  '%YAML 1.1\n',
  '~',
  'null',
  'yes',
  '0x1',
  '1e3',
  '__proto__: ',
  '\u001b',
  '\u2028',
  'é',
];

/** The way of one text through the loader, without the disk. */
async function tell(text: string): Promise<readonly Diagnostic[]> {
  const { report, finish } = openProblemList();
  const file = await parseYaml(sourceText('a.yaml', text), report);
  if (file !== null) {
    const validated = { layer: 0, ...(await validateFile(file, kinds, report)) };
    joinHeaders([validated], report);
    joinSections([validated], kinds, report);
  }
  return finish(new Map());
}

function expectSound(diagnostics: readonly Diagnostic[]): void {
  for (const { message, excerpt, source, hint } of diagnostics) {
    expect(message).toMatch(/\.$/);
    expect(hint).toBeTruthy();
    expect(source?.line).toBeGreaterThan(0);
    expect(source?.column).toBeGreaterThan(0);
    if (excerpt !== undefined) expect(excerpt.column + excerpt.width - 1).toBeLessThanOrEqual(excerpt.text.length + 1);
  }
}

const edit = fc.record({
  at: fc.nat({ max: sample.length }),
  cut: fc.nat({ max: 12 }),
  piece: fc.constantFrom(...pieces),
});
const mutated = fc
  .array(edit, { minLength: 1, maxLength: 8 })
  .map((edits) => edits.reduce((text, { at, cut, piece }) => text.slice(0, at) + piece + text.slice(at + cut), sample));

const manyKeys = thorough ? 40_000 : 4_000;

describe('no file makes the loader throw or take long', () => {
  test('the sample itself is sound', async () => expect(await tell(sample)).toEqual([]));

  test('random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const { report, finish } = openProblemList();
        const source = decodeSource('a.yaml', bytes, report);
        if (source === null) expect(finish(new Map()).map(({ code }) => code)).toEqual(['CONFIG_BAD_ENCODING']);
        else expectSound(await tell(source.text));
      }),
      propertyRuns(500),
    );
  });

  test('mutated YAML', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        const spent = startProcessorTime();
        expectSound(await tell(text));
        expect(spent()).toBeLessThan(1000);
      }),
      propertyRuns(1500),
    );
  });

  test('texts made of YAML pieces alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), async (parts) =>
        expectSound(await tell(parts.join(''))),
      ),
      propertyRuns(1500),
    );
  });

  test(`${manyKeys} keys in one mapping, all of them wrong`, async () => {
    const keys = Array.from({ length: manyKeys }, (_, index) => `  k${index}: v\n`).join('');
    const { diagnostics } = await loadFiles({ 'a.yaml': `tenant:\n${keys}` });
    expect(diagnostics).toHaveLength(mostShown + 1);
    expect(diagnostics.at(-2)?.source).toEqual({ file: 'a.yaml', line: mostShown + 1, column: 3 });
    expect(diagnostics.at(-1)).toMatchObject({ code: 'CONFIG_MORE_PROBLEMS', count: manyKeys - mostShown });
  });

  test('a mapping with every key twice', async () => {
    const keys = Array.from({ length: manyKeys / 2 }, (_, index) => `    k${index}: v\n`).join('');
    const diagnostics = await tell(`tenant:\n  protect:\n${keys.repeat(2)}`);
    // Each second key is a duplicate; each first one is no section, and its value is no list.
    expect(diagnostics.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(1.5 * manyKeys);
  });
});

describe('no secret is reported', () => {
  const secret = 'hunter2';
  const key = fc.constantFrom(
    'password',
    'token',
    'header_value',
    'secret',
    'client_secret',
    'Client-Secret',
    'clientSecret',
    '"password"',
    "'token'",
    '"pass\\u0077ord"',
  );
  const value = fc.constantFrom(
    secret,
    `"${secret}"`,
    `'${secret}'`,
    `&a ${secret}`,
    `!x ${secret}`,
    `"${secret}`,
    `'${secret}`,
    `[${secret}, 1e3]`,
    `{ a: ${secret}, yes: 0x1 }`,
    `{ a: "${secret}`,
    `[${secret}`,
    `|\n        ${secret}\n`,
    `>-\n        a\n\n        ${secret}`,
    `\n        ${secret}`,
    `a\n        ${secret}`,
    `"a\n ${secret}"`,
    `"a\n${secret}`,
    `${secret}: ${secret}`,
    `${secret} # ${secret}`,
    `\\${secret}`,
    `@${secret}`,
    `"\\q${secret}"`,
  );
  const place = fc.constantFrom(
    (pair: string) => `event_streams:\n  - name: a\n    ${pair}\n    subscriptions: 7\n`,
    (pair: string) => `event_streams:\n  - ${pair}\n    name: 7\n`,
    (pair: string) => `event_streams:\n  - { name: 7, ${pair}, subscriptions: 1e3 }\n`,
    (pair: string) => `event_streams:\n  - { ${pair} }\n`,
    (pair: string) => `tenant: { nam: a, guards: { ${pair} } } x\n`,
    (pair: string) => `${pair}\nroles: [{ id: a }, { id: a }]\n`,
    (pair: string) => `roles:\n  - ? ${pair.replace(':', '\n    :')}\n    id: yes\n`,
    (pair: string) => `# ${pair.replaceAll('\n', '\n# ')}\n${pair}\n- [\n`,
    (pair: string) => `tenant:\n\t${pair}\n`,
  );

  test('whatever comes after a key of a secret, and however the file is broken', async () => {
    await fc.assert(
      fc.asyncProperty(
        key,
        value,
        place,
        fc.constantFrom(': ', ' : ', ':  '),
        fc.option(edit),
        async (name, text, put, colon, change) => {
          const whole = put(`${name}${colon}${text}`);
          // Edits after the key only: one inside the key would make it another key.
          const from = whole.lastIndexOf(secret) + secret.length;
          const broken =
            change === null
              ? whole
              : whole.slice(0, from + (change.at % 20)) + change.piece + whole.slice(from + (change.at % 20));
          const diagnostics = await tell(broken);
          expect(JSON.stringify(diagnostics)).not.toContain(secret);
        },
      ),
      propertyRuns(4000),
    );
  });

  test('the value of an anchor inside a secret cannot be had by its alias', async () => {
    const diagnostics = await tell('event_streams:\n  - password: &p hunter2\n    name: *p\n    subscriptions: []\n');
    expect(diagnostics.map(({ code }) => code)).toContain('CONFIG_YAML_SYNTAX');
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
  });
});
