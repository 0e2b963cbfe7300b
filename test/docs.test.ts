// Links, commands and scripts in all Markdown files and example workflows of the project.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandNames } from '../src/cli/command-table.ts';
import { mostShown } from '../src/config/errors/problem-list.ts';
import type { Seed } from '../src/model/seed.generated.ts';
import { runCommand } from './support/run-command.ts';
import { startTenant, withTestClient } from './support/start-tenant.ts';
import { folder } from './support/temp-folder.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const below = (name: string) =>
  readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file}`);
const files = [...readdirSync(root), ...['docs', 'examples'].flatMap(below)].filter(
  (file) => /\.(md|yml)$/.test(file) && !file.includes('node_modules'),
);
const documents = files.filter((file) => file.endsWith('.md'));

describe('links', () => {
  test.each(documents)('%s', (file) => {
    const links = [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !/^https?:/.test(target) && !leadsSomewhere(file, target))).toEqual([]);
  });

  test('a missing file and a missing heading are found', () => {
    expect(leadsSomewhere('README.md', 'docs/internals/adr')).toBe(true);
    expect(leadsSomewhere('README.md', 'docs/no-such-page.md')).toBe(false);
    expect(leadsSomewhere('README.md', '#quick-start')).toBe(true);
    expect(leadsSomewhere('docs/state.md', 'diagnostics.md#no_such_code')).toBe(false);
  });
});

/** What users read, except for the generated lists of codes and operations. */
const isForUsers = (file: string) =>
  /^(README\.md|docs\/[^/]+\.md|examples\/.*\.md)$/.test(file) &&
  !['docs/diagnostics.md', 'docs/operations.md'].includes(file);

test('the pages of users have at most 26,800 words', () => {
  const words = documents.filter(isForUsers).flatMap((file) => read(file).match(/\S+/g) ?? []);
  expect(words.length).toBeGreaterThan(10_000);
  expect(words.length).toBeLessThanOrEqual(26_800);
});

test('no page counts the kinds: another one would make it untrue', () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
  const counted = documents
    .filter(isForUsers)
    .flatMap((file) => [...read(file).matchAll(/\b(\w+) kinds\b/gi)])
    .filter(([, count = '']) => words.includes(count.toLowerCase()) || /^\d+$/.test(count));
  expect(counted.map(([text]) => text)).toEqual([]);
});

test('pages and help say how many errors are printed', async () => {
  const { stdout } = await runCommand(['validate', '--help']);
  for (const text of [stdout, read('README.md'), read('docs/diagnostics.md')])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`the first ${mostShown} `);
});

test.each(['docs', 'docs/internals'])('%s/README.md links every page beside it', (place) => {
  const pages = documents.filter((file) => dirname(file) === place && file !== `${place}/README.md`);
  const linked = [...read(`${place}/README.md`).matchAll(/\]\(([^)\s#]+)\)/g)].map(([, target = '']) => target);
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.filter((file) => !linked.includes(basename(file)))).toEqual([]);
});

describe('commands', () => {
  const options = new Map<string, ReadonlySet<string>>();
  beforeAll(async () => {
    for (const command of commandNames) {
      const { stdout } = await runCommand([command, '--help']);
      options.set(command, new Set([...stdout.matchAll(/^\s+--([a-z-]+)/gm)].map(([, name = '']) => name)));
    }
  });

  test.each(files)('%s', (file) => {
    const unknown = commandLinesOf(read(file)).filter(([command, line]) =>
      optionsIn(line).some((name) => !options.get(command)?.has(name)),
    );
    expect(unknown).toEqual([]);
  });

  test.each(['README.md', 'CHANGELOG.md', 'docs/diagnostics.md'])('options that %s names', (file) => {
    const known = new Set([...options.values()].flatMap((names) => [...names]));
    const named = [...read(file).matchAll(/`(--[a-z][^`]*)`/g)].flatMap(([, text = '']) => optionsIn(text));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test('an option of another command is found', () => {
    const [line = ['', '']] = commandLinesOf('```\n$ tenant-sync validate folder --yes\n```');
    expect(line).toEqual(['validate', ' folder --yes']);
    expect(options.get('validate')?.has('yes')).toBe(false);
    expect(options.get('apply')?.has('yes')).toBe(true);
  });
});

test.each(documents)('paths of the project that %s names exist', (file) => {
  const paths = [
    ...withoutCode(read(file)).matchAll(/`((?:src|test|schemas|scripts|bench|docs|examples)\/[\w./-]+)`/g),
  ];
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the README has at most 200 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
});

test('the file with all sections is valid', async () => {
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(read('docs/files.md')) ?? [];
  const tenant = await folder({ 'tenant.yaml': example, 'partials/login-start.liquid': '<p>Hello</p>' });
  const { code, stdout } = await runCommand(['validate', tenant, '--var', 'crm_host=crm.example']);
  expect(stdout).toContain('valid: rate_limit_policies 2, roles 2, resource_servers 1, prompts 1, event_streams 1');
  expect(code).toBe(0);
});

test('the quick start of the README leads from a tenant to files in sync', async () => {
  const [, block = ''] = /## Quick start[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
  const lines = block.split('\n').map((line) => line.replace(/\s*#.*/, ''));
  const [demo, tests, ...rest] = lines.filter((line) => line !== '' && !line.startsWith('export '));
  expect([demo, tests]).toEqual(['npm ci && npm run demo', 'npm cit']);
  const serve = rest.find((line) => line.includes(' serve ')) ?? '';
  const [, seed = ''] = /^npx tenant-sync serve --seed (\S+) 2> serve\.log &$/.exec(serve) ?? [];
  const commands = rest.filter((line) => line !== serve);
  expect(commands).toHaveLength(3);

  const tenant = await startTenant(withTestClient(JSON.parse(read(seed)) as Seed));
  const cwd = await folder({});
  const outputs: string[] = [];
  for (const command of commands) {
    const { code, stdout } = await runCommand(command.replace('npx tenant-sync ', '').split(' '), {
      cwd,
      env: tenant.env,
    });
    expect(code, command).toBe(0);
    outputs.push(stdout);
  }
  await tenant.close();
  expect(outputs.at(-1)).toContain('\nIn sync.\n');
});

test('the values that Terraform prints as JSON are a file of variables', async () => {
  const examples = [...read('docs/with-terraform.md').matchAll(/^( *)```yaml\n([\s\S]*?)^\1```/gm)];
  const [header = '', policies = ''] = examples.map(([, indent, text = '']) => text.replaceAll(`\n${indent}`, '\n'));
  const tenant = await folder({ 'header.yaml': header, 'policies.yaml': policies.trim() });
  const values = await folder({ 'ids.json': JSON.stringify({ storefront_client_id: 'k7Xf2', count: 3 }, null, 2) });
  const { code, stdout } = await runCommand(['validate', tenant, '--var-file', join(values, 'ids.json')]);
  expect(stdout).toContain('valid: rate_limit_policies 1');
  expect(code).toBe(0);
});

test('the plan of the README is a part of what plan prints', async () => {
  const [, block = ''] = /```console\n\$ tenant-sync plan examples\/acme\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
  const [, file = ''] = /```yaml\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
  expect(linesMissingIn(read('examples/acme/roles.yaml'), file)).toEqual([]);
  const seed = withTestClient(JSON.parse(read('examples/acme/live.json')) as Seed);
  const tenant = await startTenant(seed);
  const { stdout } = await runCommand(['plan', join(root, 'examples/acme')], { env: tenant.env });
  await tenant.close();
  const printed = stdout.replaceAll(new URL(tenant.baseUrl).origin, 'http://127.0.0.1:4010');
  expect(block.split('\n').length).toBeGreaterThan(5);
  expect(linesMissingIn(printed, block)).toEqual([]);
});

/** The lines of an extract that do not occur in a text, in their order; `…` stands for lines that are left out. */
function linesMissingIn(text: string, extract: string): string[] {
  const lines = text.split('\n');
  let from = 0;
  return extract.split('\n').filter((line) => {
    const at = lines.indexOf(line, from);
    if (at >= 0) from = at + 1;
    return at < 0 && line !== '' && line !== '…';
  });
}

test('ARCHITECTURE.md lists ten files to read', () => {
  const [, list = ''] = /## Read in this order([\s\S]*?)\n\|/.exec(read('ARCHITECTURE.md')) ?? [];
  const listed = [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path);
  expect(listed).toHaveLength(10);
  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('scripts that documents name are in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((file) => [...read(file).matchAll(/npm run (?:-s )?([a-z:]+)/g)]);
  expect(named.map(([, script = '']) => script).filter((script) => !(script in scripts))).toEqual([]);
});

/** Command lines as `tenant-sync plan folder --out FILE`, in prose and in code, and code such as `plan --out FILE`. */
function commandLinesOf(text: string): [command: string, line: string][] {
  const command = `(${commandNames.join('|')})`;
  const patterns = [
    new RegExp(`tenant-sync ${command}\\b([^\`\\n|&;#]*)`, 'g'),
    new RegExp(`\`${command}( --[^\`\\n]*)\``, 'g'),
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '', line = '']): [string, string] => [name, line]),
  );
}

function optionsIn(line: string): string[] {
  return [...line.matchAll(/(?:^|\s)--([a-z-]+)/g)].map(([, name = '']) => name);
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, file) : resolve(root, dirname(file), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || !target.endsWith('.md') || headingsOf(readFileSync(target, 'utf8')).includes(anchor);
}

/** The anchors that forges give to headings. */
function headingsOf(document: string): string[] {
  return [...withoutCode(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function withoutCode(document: string): string {
  return document.replaceAll(/^```[\s\S]*?^```/gm, '');
}

test('docs/library.md describes every function of the library', async () => {
  const library = await import('../src/sync/index.ts');
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
  for (const name of Object.keys(library)) expect(page, name).toContain(`\`${name}(`);
});
