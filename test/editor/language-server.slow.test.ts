// What people see while they write files: the language server of editors, over its protocol, with the schema that the
// comment of a file names. A repository with an installed package, and files at its root and deep below.
import { readdirSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaComment } from '../../src/files/schema-comment.ts';
import { type LanguageServer, type Position, startLanguageServer } from '../support/language-server.ts';
import { keptFolder } from '../support/temp-folder.ts';
import { acceptedFiles, refusedFiles } from './written-files.ts';

const root = join(import.meta.dirname, '../..');
let repository: Awaited<ReturnType<typeof keptFolder>>;
let editor: LanguageServer;

beforeAll(async () => {
  repository = await keptFolder();
  await mkdir(join(repository.path, 'node_modules'));
  await symlink(root, join(repository.path, 'node_modules/tenant-sync'));
  editor = await startLanguageServer(repository.path);
});
afterAll(async () => {
  await editor.close();
  await repository.remove();
});

/** Opens lines below a schema comment. `|` is the cursor. */
async function write(file: string, lines: readonly string[]) {
  const path = join(repository.path, file);
  const text = [await schemaComment(path), ...lines, ''];
  const line = Math.max(
    0,
    text.findIndex((candidate) => candidate.includes('|')),
  );
  const cursor: Position = { line, character: Math.max(0, text[line]?.indexOf('|') ?? 0) };
  const problems = await editor.open(path, text.join('\n').replace('|', ''));
  return {
    problems: problems.map(({ message, range }) => `${range.start.line}: ${message}`),
    complete: () => editor.complete(path, cursor),
    hover: () => editor.hover(path, cursor),
  };
}

describe.each(['tenant.yaml', 'tenants/acme/production/tenant.yaml'])('%s', (file) => {
  test('completes keys, with their descriptions', async () => {
    const { complete } = await write(file, ['tenant:', '  |']);
    const found = await complete();
    const labels = found.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['name', 'base_url', 'guards', 'protect', 'undeclared']));
    expect(labels).not.toContain('keep_undeclared');
    expect(found.find(({ label }) => label === 'base_url')?.documentation).toContain('TENANT_SYNC_BASE_URL');
  });

  test('completes values, with their descriptions', async () => {
    const { complete } = await write(file, [
      'rate_limit_policies:',
      '  - consumer_selector: default',
      '    configuration:',
      '      action: |',
    ]);
    const found = await complete();
    expect(found.map(({ label }) => label)).toEqual(['allow', 'block', 'log', 'redirect']);
    expect(found.map(({ documentation }) => documentation)).toContain('No limit.');
  });

  test('completes known event types, and accepts others', async () => {
    const stream = (type: string) => [
      'event_streams:',
      '  - name: users-to-crm',
      '    destination: { type: action, configuration: { action_id: a } }',
      '    subscriptions:',
      `      - event_type: ${type}`,
    ];
    const found = await (await write(file, stream('|'))).complete();
    expect(found.map(({ label }) => label)).toContain('organization.member.role.assigned');
    expect(found.find(({ label }) => label === 'user.created')?.documentation).toBe('A user was created.');
    expect((await write(file, stream('invoice.paid'))).problems).toEqual([]);
  });

  test('completes names of kinds and of prompts', async () => {
    const kept = await (await write(file, ['tenant:', '  undeclared:', '    |'])).complete();
    expect(kept.find(({ label }) => label === 'roles')?.documentation).toContain('Default: report.');
    const rules = await (await write(file, ['tenant:', '  undeclared:', '    event_streams: |'])).complete();
    expect(rules.map(({ label }) => label)).toEqual(['delete', 'report', 'ignore']);
    const prompts = await (await write(file, ['prompts:', '  |'])).complete();
    expect(prompts.map(({ label }) => label)).toContain('login-passwordless');
  });

  test('explains a key', async () => {
    const { hover } = await write(file, ['tenant:', '  base|_url: https://login.acme.example/api/v2']);
    expect(await hover()).toContain('#### Base URL\n\nThe API of the tenant that these files belong to');
    expect(await hover()).toContain('Example:\n\n```yaml\nhttps://login.acme.example/api/v2\n```');
  });

  test('explains a value', async () => {
    const { hover } = await write(file, ['tenant:', '  api: docu|mented']);
    expect(await hover()).toContain('* `documented`: Only the five operations of the service specification.');
  });

  test('explains a choice that decides which other keys there are', async () => {
    const { hover } = await write(file, [
      'event_streams:',
      '  - name: users-to-crm',
      '    destination: { type: web|hook, configuration: { webhook_endpoint: https://crm.example/hook } }',
      '    subscriptions: [{ event_type: user.created }]',
    ]);
    expect(await hover()).toContain('* `webhook`: An HTTPS endpoint.');
  });

  test('underlines a misspelt key and a wrong value', async () => {
    const { problems } = await write(file, ['tenant:', '  nam: acme', '  api: ful']);
    expect(problems).toEqual([
      '3: Value is not accepted. Valid values: "documented", "full".',
      '2: Property nam is not allowed.',
    ]);
  });
});

test('short forms, absent and unmanaged items have no problem', async () => {
  const { problems } = await write('tenant/short.yaml', [
    'rate_limit_policies:',
    '  - { consumer_selector: default, configuration: { action: allow } }',
    '  - { consumer_selector: third_party_clients, absent: true }',
    '  - { consumer_selector: cimd_clients, unmanaged: true }',
    'roles:',
    '  - name: Support',
    '    description: Handles refunds',
    '    permissions: { https://orders.example/: [read:orders, update:returns] }',
    '  - { name: Old Support, absent: true }',
    '  - { name: Customer Support, renamed_from: Help }',
    '  - { id: rol_a1b2c3, name: Auditor }',
    'resource_servers:',
    '  - identifier: https://orders.example/',
    '    scopes: [{ value: read:orders, description: Read orders }, { value: update:returns }]',
    'prompts:',
    '  login: { absent: true }',
    'event_streams:',
    '  - { name: old, absent: true }',
  ]);
  expect(problems).toEqual([]);
});

test.each(acceptedFiles)('%s has no problem', async (_name, text) => {
  expect((await write('tenant/accepted.yaml', text.trimEnd().split('\n'))).problems).toEqual([]);
});

test.each(refusedFiles)('%s is underlined', async (_name, text) => {
  const { problems } = await write('tenant/refused.yaml', text.trimEnd().split('\n'));
  expect(problems).not.toEqual([]);
  // Nobody can read a pattern of this length.
  expect(problems.filter((problem) => problem.includes('A-F') || problem.includes('\\p{'))).toEqual([]);
});

test.each(readdirSync(join(root, 'examples/acme')).filter((file) => file.endsWith('.yaml') && file !== 'vars.yaml'))(
  'examples/acme/%s has no problem',
  async (file) => {
    expect(await editor.open(join(root, 'examples/acme', file))).toEqual([]);
  },
);
