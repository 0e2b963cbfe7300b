// The table of codes, src/diagnostics/codes.yaml: it has every code that any document contains.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explanations } from '../../src/diagnostics/explanations.generated.ts';
import type { EffectCode, FindingCode } from '../../src/model/codes.generated.ts';
import type { DiagnosticCode } from '../../src/model/diagnostic.ts';
import { findingTraits } from '../../src/model/findings.ts';
import type { Effect, Finding } from '../../src/model/plan.generated.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const codesOf = (group: string) => explanations.filter((entry) => entry.group === group).map(({ code }) => code);

test('a code without a row is a type error', () => {
  // @ts-expect-error
  const diagnostic: DiagnosticCode = 'CONFIG_NO_SUCH_CODE';
  // @ts-expect-error
  const finding: Finding['code'] = 'LIVE_NO_SUCH_CODE';
  // @ts-expect-error
  const effect: Effect['code'] = 'POLICY_NO_SUCH_CODE';
  const codes = explanations.map(({ code }) => code);
  expect(codes).not.toEqual(expect.arrayContaining([diagnostic, finding, effect]));
  const known: readonly (DiagnosticCode | FindingCode | EffectCode)[] = [
    'INTERNAL_ERROR',
    'LIVE_MISSING',
    'ACCESS_LOST',
  ];
  expect(codes).toEqual(expect.arrayContaining([...known]));
});

test('no code has two rows', () => {
  const codes = explanations.map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('no code is explained by one or two words', () => {
  expect(explanations.filter(({ cause }) => cause.split(' ').length < 4)).toEqual([]);
});

test('refusals and outcomes have the codes of their schemas', () => {
  const { refusal } = JSON.parse(read('schemas/plan.schema.json')).$defs;
  const { outcome } = JSON.parse(read('schemas/outcomes.schema.json')).$defs;
  expect(codesOf('Guards')).toEqual(refusal.properties.code.enum);
  expect(codesOf('Outcomes of actions').sort()).toEqual([...outcome.properties.outcome.enum].sort());
});

test('findings have the severity of their row', () => {
  const findings = explanations.filter(({ group }) => group === 'Findings of a plan');
  const severities = findings.map(({ code }) => [code, findingTraits({ code: code as FindingCode }).severity]);
  expect(severities).toEqual(findings.map(({ code, severity }) => [code, severity]));
});

test('every code is raised in a test', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && !file.endsWith('catalogue.test.ts'),
  );
  const tests = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(explanations.map(({ code }) => code).filter((code) => !tests.includes(code))).toEqual([]);
});

test('the example is what validate prints', async () => {
  const [, example = ''] = /```\n([\s\S]*?)```/.exec(read('docs/diagnostics.md')) ?? [];
  const policy = 'resource: oauth_authentication_api\n    consumer: client\n    consumer_selector: default';
  const configuration = 'configuration:\n      action: block\n      limit: 7\n      limitt: 3';
  const path = await folder({ 'policies.yaml': `rate_limit_policies:\n  - ${policy}\n    ${configuration}\n` });
  const { stdout } = await runCommand(['validate', path]);
  expect(stdout).toBe(`${example}\n1 error in 1 file\n`);
});
