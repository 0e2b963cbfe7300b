// The hint of a refused plan is a command. Pasted into a shell, it applies what was shown and nothing else.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commandsOf } from '../../src/cli/apply-command.ts';
import { optionsOf } from '../../src/cli/options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { shellWord } from '../../src/values/shell-word.ts';
import { buildPlan } from '../support/build-plan.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

/** The words that a shell passes to a command. */
function wordsOf(command: string): string[] {
  const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const script = `"$0" -e "$1" -- ${command}`;
  return JSON.parse(execFileSync('bash', ['-c', script, process.execPath, program], { encoding: 'utf8' }));
}

/** How tests start the program. */
const started = { program: 'tenant-sync' };
const digest = `sha256:${'0'.repeat(64)}`;

async function commandFor(...argv: readonly string[]): Promise<string | null> {
  const parsed = await parseArguments(argv, 100);
  if ('page' in parsed) throw new Error('no arguments');
  return commandsOf(started, parsed).approve('c0de');
}

describe('the command', () => {
  test('has the folder and every option that decides what is planned and sent', async () => {
    const kept = [
      ['--only', 'roles'],
      ['--only', "event_streams/it's ours"],
      ['--except', 'roles/x*'],
      ['--rotate', 'event_streams/a'],
      ['--var', 'a=1 $(b) `c`'],
      ['--var-file', 'v.yaml'],
      ['--allow-env', 'MY_*'],
      ['--quota-share', '0.5'],
    ];
    const dropped = ['--out', 'p.json', '--exit-code', '--print-scopes', '--format', 'json', '--debug'];
    const words = wordsOf((await commandFor('plan', 'my tenant', ...kept.flat(), ...dropped)) ?? '');
    expect(words.slice(0, 3)).toEqual(['tenant-sync', 'apply', 'my tenant']);
    expect(words.slice(-2)).toEqual(['--approve', 'c0de']);
    const pairs = words.slice(3, -2).map((word, index, all) => (index % 2 === 0 ? [word, all[index + 1]] : []));
    expect(pairs.filter((pair) => pair.length > 0).toSorted()).toEqual(kept.toSorted());
  });

  test('of an apply repeats its own options, with the new code', async () => {
    expect(await commandFor('apply', '--plan', 'p.json', '--yes', '--approve', 'old', '--state-dir', '/s')).toBe(
      'tenant-sync apply --plan p.json --yes --state-dir /s --approve c0de',
    );
  });

  test.each([['--no-verify'], ['--no-verify=roles'], ['--only=-x']])('repeats %s in one word', async (option) => {
    expect(await commandFor('apply', option)).toBe(`tenant-sync apply ${option} --approve c0de`);
  });

  test('is not printed if it is too long for a hint', async () => {
    expect(await commandFor('plan', '--only', `roles/${'x'.repeat(4000)}`)).toBe(null);
  });

  test('repeats no option that apply does not have', () => {
    const namesOf = (command: 'plan' | 'apply') => optionsOf(command).map(({ name }) => name);
    const ofApply = new Set(namesOf('apply'));
    const others = namesOf('plan').filter((name) => !ofApply.has(name));
    const given = others.map((name) => ({ name, value: true as const }));
    expect(others).toContain('out');
    expect(commandsOf(started, { folder: '.', given }).approve('c')).toBe('tenant-sync apply --approve c');
    const ofPlan = new Set(namesOf('plan'));
    const more = namesOf('apply').filter((name) => !ofPlan.has(name));
    const moreGiven = more.map((name) => ({ name, value: true as const }));
    expect(more).toContain('max-age');
    expect(commandsOf(started, { folder: '.', given: moreGiven }).plan(buildPlan({}))).toBe('tenant-sync plan');
  });

  test('of plan after an apply has the same folder and selection', async () => {
    const argv = ['apply', 'my tenant', '--yes', '--only', 'roles/a b', '--var-file', 'v.yaml', '--expect', digest];
    const parsed = await parseArguments(argv, 100);
    if ('page' in parsed) throw new Error('no arguments');
    expect(wordsOf(commandsOf(started, parsed).plan(buildPlan({})) ?? '')).toEqual([
      'tenant-sync',
      'plan',
      'my tenant',
      '--var-file',
      'v.yaml',
      '--only',
      'roles/a b',
    ]);
  });
});

test.each([
  'plain/word-1.x',
  'a b',
  "it's",
  '$HOME `x` "y" \\ !',
  '',
  'line\nbreak',
  'zero\u200bwidth',
  '\u{1f600} é',
  '-x',
  '\u{e0001}tag',
  '##[group]',
])('a shell reads %j back', (text) => {
  const word = shellWord(text);
  expect(word).not.toMatch(/[\p{Cc}\p{Cf}]|##\[/u);
  expect(wordsOf(`x ${word}`)).toEqual(['x', text]);
});

test('pasted, the hint of plan applies exactly what plan has shown', async () => {
  const policies = ['default', 'client_id:a', 'client_id:b'].map((name) => livePolicy(name));
  const tenant = await tenantWith({ rate_limit_policies: policies });
  const cwd = await folder({ 'my files/policies.yaml': policiesYaml('${var:kept}') });
  const selection = ['--only', 'rate_limit_policies/*client_id:*', '--var', 'kept=default'];
  const options = { env: tenant.env, cwd };
  const { code, stderr } = await runCommand(['plan', 'my files', ...selection], options);
  expect(code).toBe(4);
  const command = /^ {2}hint: if this is intended, .*; or run: (tenant-sync .*)$/m.exec(stderr)?.[1] ?? '';
  const [, ...words] = wordsOf(command);
  const applied = await runCommand(words, { ...options, confirm: () => true });
  expect(applied.code).toBe(0);
  const deletes = tenant.tenant.requests.filter(({ method }) => method === 'DELETE');
  expect(deletes).toHaveLength(2);
});
