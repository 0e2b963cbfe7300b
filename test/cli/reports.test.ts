import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/command-table.ts';
import { formatRow } from '../../src/report/formats.ts';
import { filesOfEveryKind, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type StartedTenant, startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';

let tenant: StartedTenant;
let cwd: string;
beforeEach(async () => {
  tenant = await startTenant(seedOf());
  cwd = await folder(filesOfEveryKind);
  await mkdir(join(cwd, 'out'));
});
afterEach(() => tenant.close());

const command = (...argv: readonly string[]) => runCommand(argv, { env: tenant.env, cwd });
const file = (name: string) => readFile(join(cwd, name), 'utf8');
const withoutTime = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '').replaceAll(/sha256:\w+/g, '');

describe('--report', () => {
  test.each(['validate', 'plan', 'drift', 'pull'] as const)('%s writes the bytes of --format', async (name) => {
    const formats = commandTable[name].formats;
    const options = name === 'pull' ? ['--check'] : [];
    const reports = formats.flatMap((format) => ['--report', `${format}=out/${format}.txt`]);
    const { code, stdout } = await command(name, ...options, ...reports);
    for (const format of formats) {
      const alone = await command(name, ...options, '--format', format);
      expect(alone.code).toBe(code);
      const written = withoutTime(await file(`out/${format}.txt`));
      const { mark = '' } = formatRow(format);
      // A text on stdout may be followed by a remark, and is none where everything is valid.
      if (name !== 'validate' || format !== 'text') expect(written).toBe(mark + withoutTime(alone.stdout));
      if (format === 'text') expect(stdout).toBe(alone.stdout);
    }
  });

  test('has the outcomes of an apply, and stdout is as without it', async () => {
    const { code, stdout } = await command(
      'apply',
      '--yes',
      '--report',
      'json=out/a.json',
      '--report',
      'text=out/a.txt',
    );
    expect(code).toBe(0);
    expect(JSON.parse(await file('out/a.json')).summary.done).toBe(3);
    expect(stdout.endsWith((await file('out/a.txt')).slice(formatRow('text').mark?.length))).toBe(true);
  });

  test('is an ordinary file, complete or not there', async () => {
    await command('plan', '--report', 'markdown=out/p.md');
    expect((await lstat(join(cwd, 'out/p.md'))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await readdir(join(cwd, 'out'))).toEqual(['p.md']);
  });

  test.each([
    ['invalid files', { 'x.yaml': 'nonsense: 1\n' }, 3, 'CONFIG_UNKNOWN_FIELD'],
    ['a tenant that cannot be reached', {}, 1, 'SERVICE_UNREACHABLE'],
  ])('has the errors of %s', async (_name, files, expected, error) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const env = { ...tenant.env, ...(expected === 1 && { TENANT_SYNC_BASE_URL: 'http://127.0.0.1:9/api/v2' }) };
    const { code } = await runCommand(['plan', '--report', 'json=p.json', '--report', 'github=p.txt'], { cwd, env });
    expect(code).toBe(expected);
    expect(JSON.parse(await file('p.json')).diagnostics.map(({ code }: { readonly code: string }) => code)).toContain(
      error,
    );
    expect(await file('p.txt')).toContain(`title=${error}`);
  });

  test('has the error of an environment that is incomplete', async () => {
    const { code } = await runCommand(['plan', '--report', 'json=p.json'], { cwd, env: {} });
    expect(code).toBe(3);
    expect(await file('p.json')).toContain('ENV_MISSING');
  });

  test('replaces an empty file', async () => {
    await writeFile(join(cwd, 'out/empty.md'), '');
    expect((await command('plan', '--report', 'markdown=out/empty.md')).code).toBe(0);
    expect(await file('out/empty.md')).toMatch(/^<!-- tenant-sync plan -->/);
  });

  test('replaces its own earlier report in every format, of every command, with any name', async () => {
    const runs = [
      ['validate'],
      ['plan'],
      ['drift'],
      ['pull', '--check'],
      ['apply', '--yes'],
      ['plan', 'no-folder'],
    ] as const;
    for (const argv of runs) {
      const formats = commandTable[argv[0]].formats;
      const reports = formats.flatMap((format) => ['--report', `${format}=out/${argv.join('')}.${format}`]);
      const codes = [];
      for (const _time of [1, 2]) {
        const { code, stderr } = await command(...argv, ...reports);
        expect(stderr).not.toContain('OPTION_INVALID');
        codes.push(code);
      }
      expect(await readdir(join(cwd, 'out'))).toEqual(expect.arrayContaining([`${argv.join('')}.github`]));
      expect(codes[1]).toBe(codes[0]);
    }
  });

  test('has the bytes of --out and of --format', async () => {
    const options = ['--format', 'json', '--out', 'out/saved.json', '--report', 'json=out/p.json'];
    const { code, stdout } = await command('plan', ...options);
    expect(code).toBe(0);
    expect(await file('out/saved.json')).toBe(stdout);
    expect(await file('out/p.json')).toBe(stdout);
  });

  test('a path that becomes unusable is a warning, and changes no exit code', async () => {
    await mkdir(join(cwd, 'out/gone'));
    const { code, stdout, stderr } = await runCommand(
      ['apply', '--format', 'json', '--report', 'json=out/gone/a.json', '--report', 'markdown=out/a.md'],
      {
        env: tenant.env,
        cwd,
        confirm: () => true,
        beforeAnswer: () => rm(join(cwd, 'out/gone'), { recursive: true }),
      },
    );
    expect({ code, warned: stderr.match(/REPORT_NOT_WRITTEN/g)?.length }).toEqual({ code: 0, warned: 1 });
    expect(JSON.parse(stdout).summary.done).toBe(3);
    expect(await file('out/a.md')).toContain('tenant-sync apply');
  });
});

/** Files of others that begin like a report. */
const foreign = {
  'notes.txt': 'acme  https://login.acme.example/api/v2   no changes\n',
  'run.log': '::error file=a.ts,line=1::message\n',
  'terraform.json': '{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{}}\n',
  'page.html': '<!doctype html>\n<!-- another tool -->\n',
};

describe('--report refuses, before anything is sent,', () => {
  test.each([
    ['an unknown format', ['markdwon=p.md'], 'did you mean "markdown=…"?'],
    ['no format', ['p.md'], 'is not FORMAT=FILE; the formats of plan are text,'],
    ['no file', ['json='], 'is not FORMAT=FILE'],
    ['two reports in one file', ['json=p', 'markdown=./out/../p'], 'name one file'],
    ['a folder that is not there', ['json=no/p.json'], 'its folder does not exist'],
    ['a folder', ['json=out'], 'it is not a plain file'],
    ['a link', ['json=link.json'], 'it is not a plain file'],
    ['a device', ['json=/dev/null'], 'it is not a plain file'],
    ['a file of the tenant', ['json=roles.yaml'], 'it is a file with other content than a json report'],
    ['a file of the tenant as text', ['text=roles.yaml'], 'it is a file with other content than a text report'],
    ['a new file that is read with the folder', ['json=report.yaml'], 'it would be read as a file of a tenant'],
    ['notes', ['text=notes.txt'], 'it is a file with other content than a text report'],
    ['a log of a workflow', ['github=run.log'], 'it is a file with other content than a github report'],
    ['a plan of Terraform', ['json=terraform.json'], 'it is a file with other content than a json report'],
    ['a page of another tool', ['html=page.html'], 'it is a file with other content than a html report'],
    ['a report in another format', ['json=out/p.md'], 'it is a file with other content than a json report'],
  ])('%s', async (_name, values, message) => {
    await symlink(join(cwd, 'roles.yaml'), join(cwd, 'link.json'));
    for (const [name, text] of Object.entries(foreign)) await writeFile(join(cwd, name), text);
    await writeFile(join(cwd, 'out/p.md'), '<!-- tenant-sync plan -->\n');
    const before = await file('roles.yaml');
    const { code, stderr } = await command('plan', ...values.flatMap((value) => ['--report', value]));
    expect({ code, reported: stderr.includes(message), stderr }).toEqual({ code: 3, reported: true, stderr });
    expect(tenant.tenant.requests).toEqual([]);
    expect(await file('roles.yaml')).toBe(before);
    for (const [name, text] of Object.entries(foreign)) expect(await file(name)).toBe(text);
  });

  test('every mistake at once', async () => {
    const { stderr } = await command('plan', '--report', 'x', '--report', 'json=no/p', '--report', 'json=out');
    expect(stderr.match(/OPTION_INVALID/g)).toHaveLength(3);
  });

  test.each([
    ['--out', ['plan', '--out', 'p.json']],
    ['--plan', ['apply', '--plan', 'p.json', '--yes']],
  ])('the file of %s', async (option, argv) => {
    await symlink(cwd, join(cwd, 'here'));
    const { code, stderr } = await command(...argv, '--report', 'json=here/p.json');
    expect(code).toBe(3);
    expect(stderr).toContain(`--report json and ${option} name one file, here/p.json.`);
  });

  test.skipIf(process.getuid?.() === 0)('a folder without permission', async () => {
    await chmod(join(cwd, 'out'), 0o500);
    const { code, stderr } = await command('plan', '--report', 'json=out/p.json');
    expect({ code, reported: stderr.includes('its folder cannot be written to') }).toEqual({ code: 3, reported: true });
  });
});

test('every format has a row that renders', async () => {
  for (const name of commandTable.plan.formats) expect(await formatRow(name).load()).toBeTypeOf('function');
});
