// biome-ignore-all lint/suspicious/noTemplateCurlyInString: files of these tests hold references.
// Placeholders of other tools that nothing replaces, such as those of auth0-deploy-cli.
import { expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import { noVariables } from '../../src/config/variables/variables.ts';
import { kinds } from '../support/all-kinds.ts';
import { problemsIn, summaryOf } from '../support/load-files.ts';
import { memorySource } from '../support/memory-source.ts';

const partial = (text: string) => `prompts:\n  login:\n    partials:\n      login:\n        form-content: ${text}\n`;

test.each<[string, Readonly<Record<string, string>>, ...string[]]>([
  ['a name', { 'a.yaml': 'roles: [{ name: "x ##ROLE##", description: a }]\n' }, 'a.yaml:1:20 "##ROLE##"'],
  ['the name of the tenant', { 'a.yaml': 'tenant: { name: "@@NAME@@" }\nroles: []\n' }, 'a.yaml:1:18 "@@NAME@@"'],
  [
    'an identifier, alone and as a key',
    {
      'a.yaml':
        'resource_servers: [{ identifier: "##API##", scopes: [{ value: a }] }]\nroles: [{ name: R, permissions: { "##API##": [a] } }]\n',
    },
    'a.yaml:1:35 "##API##"',
    'a.yaml:2:36 "##API##"',
  ],
  [
    'a selector',
    {
      'a.yaml':
        'rate_limit_policies:\n  - { consumer_selector: "client_id:##CLIENT##", configuration: { action: allow } }\n',
    },
    'a.yaml:2:37 "##CLIENT##"',
  ],
  [
    'a text',
    { 'a.yaml': partial('|\n          a\n          b ##ONE## @@TWO@@ ##ONE##') },
    'a.yaml:7:13 "##ONE##"',
    'a.yaml:7:21 "@@TWO@@"',
  ],
  [
    'a text of a file',
    { 'a.yaml': partial('{ file: b.liquid }'), 'b.liquid': '<p>\n  ##TEXT##' },
    'b.liquid:2:3 "##TEXT##"',
  ],
  ['a text that only looks like one', { 'a.yaml': partial('"## A ## @@ # @@@@ ####"') }],
  ['a comment', { 'a.yaml': 'roles: [] # ##X##\n' }],
])('%s', async (_name, files, ...places) => {
  expect(await problemsIn(files)).toEqual(
    places.map((place) => `CONFIG_PLACEHOLDER ${place.replace(/"(.*)"/, (_, text) => JSON.stringify(text))}`),
  );
});

test('the value of a variable is placed where it is used', async () => {
  const source = memorySource({ 'a.yaml': partial('"x ${var:A}"'), 'vars.yaml': 'A: "##OLD##"\n' });
  const { desired, diagnostics } = await loadDesired(source, kinds, noVariables);
  expect(desired).not.toBeNull();
  expect(diagnostics.map(summaryOf)).toEqual(['CONFIG_PLACEHOLDER a.yaml:5:23 "\\"x ${var:A}\\""']);
  expect(diagnostics).toMatchObject([{ severity: 'warning', message: expect.stringContaining('##OLD##') }]);
});
