// What init writes into empty and existing repositories, and that it changes nothing that is there.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { lintWorkflow } from '../support/lint-workflow.ts';
import { type RunOptions, runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const baseUrl = 'https://login.acme.example/api/v2';
const root = join(import.meta.dirname, '../..');
const settings = ['.editorconfig', '.gitignore', '.vscode/extensions.json', '.vscode/settings.json'];
const workflows = ['apply', 'drift', 'plan'].map((name) => `.github/workflows/tenant-${name}.yml`);

async function init(repository: string, argv: readonly string[] = [], options: RunOptions = {}) {
  return runCommand(['init', ...argv], { cwd: repository, env: { TENANT_SYNC_BASE_URL: baseUrl }, ...options });
}

async function filesIn(repository: string): Promise<readonly string[]> {
  const entries = await readdir(repository, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repository.length + 1))
    .filter((path) => !path.startsWith('.git/'))
    .sort();
}

describe('an empty repository', () => {
  test('gets a header, settings and workflows, and each is listed', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    const { code, stdout } = await init(repository, ['tenant', '--name', 'acme']);
    expect(code).toBe(0);
    const files = await filesIn(repository);
    expect(files).toEqual([...settings, ...workflows, 'tenant/tenant.yaml'].sort());
    for (const file of files) expect(stdout).toContain(`  ${file} (written)\n`);
    expect(stdout).toContain('Create the environments tenant-read and tenant-write');
    expect(stdout).not.toContain('exists');
    expect(await readFile(join(repository, 'tenant/tenant.yaml'), 'utf8')).toBe(
      [
        '# yaml-language-server: $schema=node_modules/tenant-sync/schemas/config.schema.json',
        '# The tenant that the files of this folder belong to. Every command that connects to a tenant refuses to run if',
        '# base_url differs from TENANT_SYNC_BASE_URL.',
        'tenant:',
        '  name: acme',
        `  base_url: ${baseUrl}`,
        '  # Live items that a section does not list: delete, report or ignore.',
        '  # undeclared: { rate_limit_policies: report, event_streams: report }',
        '',
      ]
        .join('\n')
        .replace('=node_modules', '=../node_modules'),
    );
  });

  test('has a comment that becomes a setting', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    await init(repository, ['tenant', '--name', 'acme']);
    const file = join(repository, 'tenant/tenant.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('# undeclared', 'undeclared'));
    const { code, stdout } = await runCommand(['validate', 'tenant'], { cwd: repository });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('error')]);
  });

  test('is valid for the tool', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    await init(repository, ['tenant']);
    const { code, stdout } = await runCommand(['validate', 'tenant'], { cwd: repository });
    expect(stdout).toContain('CONFIG_NOTHING_MANAGED');
    expect(code).toBe(0);
  });

  test('is in the folder of the checkout, wherever init runs', async () => {
    const repository = await folder({ '.git/HEAD': '', 'infra/x': '' });
    await init(join(repository, 'infra'), ['tenant']);
    expect(await filesIn(repository)).toEqual(
      [...settings, ...workflows, 'infra/tenant/tenant.yaml', 'infra/x'].sort(),
    );
    const workflow = await readFile(join(repository, '.github/workflows/tenant-apply.yml'), 'utf8');
    expect(workflow).toContain('  TENANT_FOLDER: infra/tenant\n');
    expect(workflow).toContain('"infra/tenant/**"');
  });

  test('without --no-… options may be the tenant folder itself', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    const { code } = await init(repository);
    expect(code).toBe(0);
    expect(await filesIn(repository)).toEqual([...settings, ...workflows, 'tenant.yaml'].sort());
    const workflow = parse(await readFile(join(repository, '.github/workflows/tenant-apply.yml'), 'utf8'));
    expect(workflow.env).toEqual({ TENANT_FOLDER: '.', TENANT_OPTIONS: '' });
    expect(workflow.on.push.paths).toEqual(['**', '**/.gitattributes']);
  });

  test('gets only the tenant folder with --no-workflows and --no-settings', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    const { stdout } = await init(repository, ['tenant', '--no-workflows', '--no-settings']);
    expect(await filesIn(repository)).toEqual(['tenant/tenant.yaml']);
    expect(stdout).toContain('tenant-sync plan tenant');
    expect(stdout).not.toContain('environments');
  });

  test('outside of a checkout is the current folder, or the tenant folder', async () => {
    const place = await folder({ 'here/x': '' });
    await init(join(place, 'here'), ['inside', '--no-workflows']);
    await init(join(place, 'here'), ['../beside', '--no-workflows']);
    expect(await filesIn(place)).toEqual(
      [
        ...settings.map((file) => `beside/${file}`),
        ...settings.map((file) => `here/${file}`),
        'beside/tenant.yaml',
        'here/inside/tenant.yaml',
        'here/x',
      ].sort(),
    );
  });
});

describe('the workflows', () => {
  const read = (repository: string) =>
    Promise.all(workflows.map(async (file) => parse(await readFile(join(repository, file), 'utf8'))));

  test('are named after the tenant, and so are their queues, jobs and the required check', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    const { stdout } = await init(repository, ['infra/tenant', '--name', 'acme']);
    const parsed = await read(repository);
    expect(parsed.map(({ name }) => name)).toEqual([
      'tenant apply (acme)',
      'tenant drift (acme)',
      'tenant plan (acme)',
    ]);
    for (const { concurrency, jobs } of parsed) {
      expect(concurrency.group).toMatch(/^tenant-\w+-acme/);
      for (const [id, job] of Object.entries<{ name: string }>(jobs)) expect(job.name).toBe(`${id} (acme)`);
    }
    expect(stdout).toContain('require the check "tenant (acme)"');
  });

  test('never have a name with more than letters, digits, dots, hyphens and underscores', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    await init(repository, ['prod', '--name', '${{ secrets.X }}: "Acme"']);
    for (const { name } of await read(repository)) expect(name).toMatch(/^tenant \w+ \(prod\)$/);
  });

  test.each([
    [
      'the default branch of the forge',
      ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk'],
      'trunk',
    ],
    ['the branch that is checked out', ['symbolic-ref', 'HEAD', 'refs/heads/release/next'], 'release/next'],
    ['main, if it could be a pattern', ['symbolic-ref', 'HEAD', 'refs/heads/a+b'], 'main'],
  ])('run on merges into %s', async (_name, command, branch) => {
    const repository = await folder({});
    for (const argv of [['init', '--quiet'], command]) execFileSync('git', argv, { cwd: repository });
    await init(repository, ['tenant']);
    const [apply] = await read(repository);
    expect(apply.on.push.branches).toEqual([branch]);
  });

  test('need a package', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    expect((await init(repository, ['tenant'])).stdout).toContain('Add a package.json');
    const other = await folder({ '.git/HEAD': '', 'package.json': '{}' });
    expect((await init(other, ['tenant'])).stdout).not.toContain('package.json');
  });

  test('of another tenant are kept, and that they may be is said', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    expect((await init(repository, ['one'])).stdout).not.toContain('another TENANT_FOLDER');
    expect((await init(repository, ['two'])).stdout).toMatch(
      /tenant-plan\.yml \(exists\)\n(?:.*\n)*.* another TENANT_FOLDER/,
    );
  });
});

describe('a project', () => {
  const lint = (text: string) =>
    lintWorkflow(text, Object.keys(parse(readFileSync(join(root, 'action/action.yml'), 'utf8')).inputs));
  const project = (waves: readonly number[]) =>
    [
      'tenants:',
      ...waves.map((wave, index) => `  t${index}: { layers: [base], wave: ${wave}, environment: T${index} }`),
      '',
    ].join('\n');
  const written = async (repository: string) =>
    Promise.all(workflows.map((file) => readFile(join(repository, file), 'utf8')));

  test('the workflows of examples/fleet keep the rules, and apply wave by wave', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    cpSync(join(root, 'examples/fleet'), join(repository, 'fleet'), { recursive: true });
    const { code, stdout } = await init(repository, ['fleet'], { env: {} });
    expect(code).toBe(0);
    expect(stdout).toContain('plan fleet --all\n');
    expect(stdout).toContain(
      'environments tenant-read, tenant-write-1, tenant-write-2 and tenant-write-3 with the secret TENANT_CREDENTIALS',
    );
    expect(stdout).not.toContain('tenant.yaml (written)');
    const texts = await written(repository);
    for (const text of texts) {
      expect(lint(text)).toEqual([]);
      expect(text).not.toMatch(/TENANT_SYNC_|step: backup|tenant-before/);
    }
    const [{ jobs, on }] = texts.map((text) => parse(text));
    expect(Object.keys(jobs)).toEqual(['plan', 'apply-1', 'apply-2', 'apply-3', 'publish']);
    expect(jobs['apply-1']).toMatchObject({ name: 'apply-1 (fleet)', needs: ['plan'], environment: 'tenant-write-1' });
    expect(jobs['apply-3']).toMatchObject({ needs: ['plan', 'apply-1', 'apply-2'], environment: 'tenant-write-3' });
    expect(jobs.publish.needs).toEqual(['plan', 'apply-1', 'apply-2', 'apply-3']);
    expect(Object.keys(on.workflow_dispatch.inputs)).toEqual(['tenant', 'rotate', 'only']);
  });

  test('of one wave has one job that applies', async () => {
    const repository = await folder({
      '.git/HEAD': '',
      'all/tenant-sync.yaml': project([3, 3]),
      'all/base/a.yaml': 'roles: []\n',
    });
    const { stdout } = await init(repository, ['all'], { env: {} });
    expect(stdout).toContain('environments tenant-read and tenant-write with');
    const texts = await written(repository);
    for (const text of texts) expect(lint(text)).toEqual([]);
    expect(Object.keys(parse(texts[0] ?? '').jobs)).toEqual(['plan', 'apply', 'publish']);
  });

  test('that is not valid is an error, and nothing is written', async () => {
    const repository = await folder({ '.git/HEAD': '', 'all/tenant-sync.yaml': project([1]) });
    const { code, stderr } = await init(repository, ['all']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('CONFIG_PROJECT')]);
    expect(await filesIn(repository)).toEqual(['all/tenant-sync.yaml']);
  });
});

test('variables that are set are not asked for', async () => {
  const repository = await folder({ '.git/HEAD': '' });
  expect((await init(repository, ['tenant'])).stdout).toContain(
    '  No credentials: neither TENANT_SYNC_TOKEN nor TENANT_SYNC_CLIENT_ID with TENANT_SYNC_CLIENT_SECRET or ',
  );
  const set = { TENANT_SYNC_BASE_URL: baseUrl, TENANT_SYNC_CLIENT_ID: 'a', TENANT_SYNC_CLIENT_SECRET: 'b' };
  expect((await init(repository, ['tenant'], { env: set })).stdout).not.toMatch(/is (not )?set/);
});

describe('an existing repository', () => {
  test('keeps every byte, and the rest is written', async () => {
    const existing = {
      '.editorconfig': 'root = true\n',
      '.vscode/settings.json': '{ "mine": 1 }',
      '.github/workflows/tenant-plan.yml': 'name: mine\n',
    };
    const repository = await folder({ '.git/HEAD': '', ...existing });
    const { code, stdout } = await init(repository, ['tenant']);
    expect(code).toBe(0);
    for (const [file, text] of Object.entries(existing)) {
      expect(await readFile(join(repository, file), 'utf8')).toBe(text);
      expect(stdout).toContain(`  ${file} (exists)\n`);
    }
    expect(stdout).toContain('copy them for this folder');
    expect(await filesIn(repository)).toContain('.github/workflows/tenant-apply.yml');
  });

  test('a second run writes nothing and needs no base URL', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    await init(repository, ['tenant']);
    const { code, stdout } = await init(repository, ['tenant'], { env: {} });
    expect(code).toBe(0);
    expect(stdout).not.toContain('(written)');
    expect(stdout).toContain('  tenant (has YAML files already, so no header was written)\n');
  });

  test('a folder with YAML files gets no header, which could be a second one', async () => {
    const repository = await folder({ '.git/HEAD': '', 'tenant/a.yaml': '{', 'tenant/sub/head.yml': 'tenant: {}\n' });
    const { stdout } = await init(repository, ['tenant']);
    expect(stdout).toContain('  tenant (has YAML files already, so no header was written)\n');
    expect(await filesIn(repository)).not.toContain('tenant/tenant.yaml');
  });

  test('a link is not followed', async () => {
    const outside = await folder({});
    const repository = await folder({ '.git/HEAD': '', 'tenant/x': '' });
    await symlink(join(outside, 'new'), join(repository, 'tenant/tenant.yaml'));
    const { stdout } = await init(repository, ['tenant']);
    expect(stdout).toContain('tenant/tenant.yaml (exists)');
    expect(await readdir(outside)).toEqual([]);
  });

  test('a file in the place of a folder is an error, after the files that could be written', async () => {
    const repository = await folder({ '.git/HEAD': '', '.github': 'a file' });
    const { code, stdout, stderr } = await init(repository, ['tenant']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/INIT_UNWRITABLE[\s\S]*\.github\/workflows\/tenant-plan\.yml cannot be written \(E\w+\)/);
    expect(stdout).toContain('  tenant/tenant.yaml (written)\n');
  });
});

describe('the header', () => {
  test('a missing base URL is an error', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    const { code, stderr } = await init(repository, ['tenant'], { env: {} });
    expect(code).toBe(3);
    expect(stderr).toMatch(/ENV_MISSING[\s\S]*--base-url/);
    expect(await filesIn(repository)).toEqual([]);
  });

  test.each([
    [['--base-url', 'http://login.acme.example/api/v2'], 'http:// is accepted for loopback addresses only'],
    [['--base-url', 'https://user:secret@acme.example/api/v2'], 'it must not carry credentials'],
    [['--name', ''], 'it is empty'],
    [['--name', 'a\u202eb'], 'it has characters that do not show'],
    [['--name', 'a'.repeat(256)], 'it has more than 255 characters'],
  ])('%j is refused', async (argv, why) => {
    const repository = await folder({ '.git/HEAD': '' });
    const { code, stderr } = await init(repository, ['tenant', ...argv]);
    expect(code).toBe(3);
    expect(stderr).toContain(why);
    expect(await filesIn(repository)).toEqual([]);
  });
});

describe('nothing executable comes from input', () => {
  const runsOf = (text: string) => [...text.matchAll(/^\s*(?:- )?run: (?:\|\n((?: {10}.*\n)+)|(.*)$)/gm)].map(String);

  test.each(['$(id)', 'a b', '`id`', 'a;b', '-rf', 'é'])('a folder %j needs --no-workflows', async (name) => {
    const repository = await folder({ '.git/HEAD': '' });
    const { code, stderr } = await init(repository, [`./${name}`]);
    expect(code).toBe(3);
    expect(stderr).toContain('--no-workflows');
    expect(await filesIn(repository)).toEqual([]);
    expect((await init(repository, [`./${name}`, '--no-workflows'])).code).toBe(0);
    expect((await runCommand(['validate', `./${name}`], { cwd: repository })).code).toBe(0);
  });

  test('the commands of the workflows are those of the examples', async () => {
    const repository = await folder({ '.git/HEAD': '' });
    await init(repository, ['infra/my-tenant_1.0', '--name', '$(touch x)']);
    for (const name of ['plan', 'apply', 'drift']) {
      const written = await readFile(join(repository, `.github/workflows/tenant-${name}.yml`), 'utf8');
      const example = await readFile(join(root, `examples/github-actions/${name}.yml`), 'utf8');
      expect(runsOf(example).length).toBeGreaterThan(1);
      expect(runsOf(written)).toEqual(runsOf(example));
      expect(written).not.toContain('touch x');
      expect(parse(written).env).toEqual({ TENANT_FOLDER: 'infra/my-tenant_1.0', TENANT_OPTIONS: '' });
    }
  });

  test('every name reads back as itself, and validates', async () => {
    const unusual = fc.constantFrom(
      'on',
      '1e3',
      '~',
      '${var:x}',
      '$${',
      '# x',
      'a: b',
      ' x ',
      '"',
      "'",
      '<b>',
      '`',
      '|x',
    );
    const repository = await folder({ '.git/HEAD': '' });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(unusual, fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' })),
        async (name) => {
          run += 1;
          const place = `t${run}`;
          const { code } = await init(repository, [place, `--name=${name}`, '--no-workflows']);
          if (code === 3) return;
          const { code: valid } = await runCommand(['validate', place], { cwd: repository });
          expect(valid).toBe(0);
          const { tenant } = parse(await readFile(join(repository, place, 'tenant.yaml'), 'utf8'));
          expect(tenant.name.replaceAll('$${', '${')).toBe(name);
        },
      ),
      { numRuns: 40, seed: 7 },
    );
  });
});

test('an unwritable folder is an error', async () => {
  const repository = await folder({ '.git/HEAD': '' });
  await writeFile(join(repository, 'file'), '');
  await chmod(repository, 0o755);
  const { code, stderr } = await init(repository, ['file/tenant']);
  expect(code).toBe(3);
  expect(stderr).toContain('INIT_UNWRITABLE');
});

test.each(['.github', '.vscode', 'tenant'])(
  'nothing is written through a link %s that leads elsewhere',
  async (name) => {
    const outside = await folder({});
    const repository = await folder({ '.git/HEAD': '' });
    await symlink(outside, join(repository, name));
    const { code, stderr } = await init(repository, ['tenant', '--name', 'acme']);
    expect([code, stderr.includes('a link leads out of the repository')]).toEqual([3, true]);
    expect(await readdir(outside)).toEqual([]);
  },
);
