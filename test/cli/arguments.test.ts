import { describe, expect, test } from 'vitest';
import { parseRate } from '../../src/cli/parse-rate.ts';
import { runCommand } from '../support/run-command.ts';

describe('help', () => {
  test.each([
    [['--help'], 'tenant-sync <command> [folder]'],
    [['plan', '--help'], '--exit-code'],
    [['serve', '--help'], '--fault'],
  ])('%j', async (argv, text) => {
    const { code, stdout, stderr } = await runCommand(argv);
    expect({ code, told: stdout.includes(text), stderr }).toEqual({ code: 0, told: true, stderr: '' });
  });
});

describe('what nobody understands is an invalid option', () => {
  test.each([
    [[], 'a command is needed'],
    [['plann'], 'did you mean "plan"?'],
    [['nonsense-command'], '"nonsense-command" is not a command'],
    [['--nope'], 'a command is needed'],
    [['plan', '--fromat', 'json'], 'fromat'],
    [['plan', '--format', 'xml'], 'xml'],
    [['plan', '--only'], 'only'],
    [['plan', '--out', 'a', '--out', 'b'], '--out is given more than once'],
    [['plan', 'one', 'two'], 'one folder is enough'],
    [['demo', 'one'], 'no folder goes with this command'],
    [['validate', '--yes'], 'yes'],
  ])('%j', async (argv, text) => {
    const { code, stdout, stderr } = await runCommand(argv);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('OPTION_INVALID');
    expect(stderr).toContain(text);
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
  expect(parseRate(text)).toEqual(rate);
});
