// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a file of these tests holds references.
import { describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import * as forms from '../../src/cli/options.ts';
import { type Arguments, parseArguments } from '../../src/cli/parse-arguments.ts';
import { readOptions } from '../../src/cli/run-options.ts';
import { type Target, targetsOf } from '../../src/cli/targets.ts';
import { validate } from '../../src/sync/validate.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

describe('help', () => {
  test.each([
    [['--help'], 'tenant-sync <command> [folder]'],
    [['plan', '--help'], '--exit-code'],
    [['serve', '--help'], '--fault'],
  ])('%j', async (argv, text) => {
    const { code, stdout, stderr } = await runCommand(argv);
    expect({ code, reported: stdout.includes(text), stderr }).toEqual({ code: 0, reported: true, stderr: '' });
  });

  test('is what the program prints without arguments, which are no valid command', async () => {
    const { stdout } = await runCommand(['--help']);
    expect(await runCommand([])).toEqual({ code: 3, stdout, stderr: '' });
  });
});

describe('what nobody understands is an invalid option', () => {
  test.each([
    [['plann'], 'did you mean "plan"?'],
    [['nonsense-command'], '"nonsense-command" is not a command'],
    [['--nope'], 'A command is required'],
    [['plan', '--fromat', 'json'], '--fromat is not an option of plan.\n  hint: did you mean "--format"?'],
    [['plan', '--ony', 'roles'], '--ony is not an option of plan.\n  hint: did you mean "--only"?'],
    [
      ['plan', '--format', 'yml'],
      '--format yml is not a format; the formats are text, json, markdown, html and github.\n',
    ],
    [['plan', '--format', 'jsn'], 'hint: did you mean "--format json"?'],
    [['serve', '--api', 'x'], '--api x is not a level; the levels are documented and full.\n'],
    [['plan', '--only'], '--only needs a value.\n  hint: see tenant-sync plan --help'],
    [['plan', '--out', 'a', '--out', 'b'], '--out is given more than once'],
    [['plan', '--out', '--format', 'json'], '--out needs a value.\n'],
    [['apply', '--maxAge', '5m'], '--maxAge is not an option of apply.\n  hint: did you mean "--max-age"?'],
    [['apply', '--yes=false'], '--yes takes no value.\n  hint: see tenant-sync apply --help'],
    [['apply', '--no-verify=role'], 'hint: did you mean "--no-verify=roles"?'],
    [['explain', 'X', '--format', 'html'], '--format html is not a format; the formats are text and json.\n'],
    [['apply', '--max-age', 'long'], '--max-age long is not a duration.\n  hint: use seconds,'],
    [['serve', '--port', '70000'], '--port 70000 is not a port.\n'],
    [['serve', '--latency', 'abc'], '--latency abc is not a number of milliseconds.\n'],
    [['show'], 'show needs <file...>.\n'],
    [['plan', 'one', 'two'], 'plan takes only one folder.'],
    [['demo', 'one'], 'demo takes no folder.'],
    [['validate', '--yes'], '--yes is not an option of validate.\n'],
    [['validate', '-y'], '-y is not an option of validate.\n'],
    [['plan', '--var'], 'var'],
    [['serve', '--var', 'A=1'], 'var'],
  ])('%j', async (argv, text) => {
    const { code, stdout, stderr } = await runCommand(argv);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('OPTION_INVALID');
    expect(stderr).toContain(text);
  });
});

describe('variables', () => {
  const files = {
    'a.yaml': 'tenant:\n  name: ${env:TENANT_VAR_REGION}-${var:STAGE}\nroles: []\n',
    'vars.yaml': 'STAGE: test\n',
    '.prod.yaml': 'STAGE: prod\n',
  };

  test.each([
    [[], 0, 'valid: roles 0 (1 file)'],
    [['--var', 'STAGE=x', '--var', 'STAGE=y'], 0, 'valid: roles 0 (1 file)'],
    [['--var-file', '.prod.yaml', '--var=STAGE=-1=2'], 0, 'valid: roles 0 (1 file)'],
    [['--var', 'STAG=x'], 3, 'OPTION_MATCHES_NOTHING'],
    [['--var', 'STAGE'], 3, 'OPTION_INVALID'],
    [['--var', 'STAGE='], 3, 'CONFIG_VARIABLE_EMPTY'],
    [['--var-file', 'gone.yaml'], 3, 'CONFIG_FILE_UNREADABLE'],
  ])('validate %j', async (argv, code, text) => {
    const result = await runCommand(['validate', '.', ...argv], {
      cwd: await folder(files),
      env: { TENANT_VAR_REGION: 'eu' },
    });
    expect({ code: result.code, reported: result.stdout.includes(text), stderr: result.stderr }).toEqual({
      code,
      reported: true,
      stderr: '',
    });
  });

  test('a command that needs a tenant reads the environment for the files as well', async () => {
    const { code, stderr } = await runCommand(['plan', await folder(files)], {
      env: { TENANT_SYNC_TOKEN: 'x', TENANT_SYNC_BASE_URL: 'https://a.example/api/v2' },
    });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/a\.yaml:2:9.*CONFIG_VARIABLE_MISSING\n.*TENANT_VAR_REGION is not set/),
    });
  });

  test('options of variables reach what is prepared before anything is sent', async () => {
    const argv = ['plan', '.', '--var', 'STAG=x', '--var', 'B', '--var-file', '.prod.yaml'];
    const options = (await parseArguments(argv, 80)) as Arguments;
    const io = {
      cwd: await folder(files),
      env: { TENANT_VAR_REGION: 'eu', TENANT_SYNC_TOKEN: 'x', TENANT_SYNC_BASE_URL: 'https://a.example/api/v2' },
    } as unknown as Io;
    const [target] = (await targetsOf(io, options)) as [Target];
    await expect(readOptions(io, options, target)).rejects.toMatchObject({
      exitCode: 3,
      diagnostics: [{ code: 'OPTION_MATCHES_NOTHING' }, { code: 'OPTION_INVALID' }],
    });
    expect(await validate(await readOptions(io, { ...options, var: [] }, target))).toMatchObject({
      status: 'valid',
      desired: { tenant: { name: 'eu-prod' } },
    });
  });
});

test.each([
  ['2/s,10', { perSecond: 2, burst: 10 }],
  ['16/s', { perSecond: 16, burst: 16 }],
  ['0.5', { perSecond: 0.5, burst: 1 }],
  ['150/min,10', { perSecond: 2.5, burst: 10 }],
  ['0/s', null],
  ['2/s,0', null],
  ['fast', null],
])('rate %s', (text, rate) => {
  expect(forms.rate.parse(text)).toEqual(rate);
});
