import { expect, test } from 'vitest';
import { codeQuality } from '../../src/pipeline/results.ts';
import { buildFinding, buildPlan } from '../support/build-plan.ts';

const source = { file: 'tenant.yaml', line: 4, column: 3 };

test('changed rules lead, on their lines, and a section that is gone is about the folder', () => {
  const plan = buildPlan({
    base: {
      ref: 'main',
      commit: 'a'.repeat(40),
      valid: true,
      header: [{ field: 'guards.max_delete_count', before: 3, after: 99, source }],
      sections: [{ kind: 'roles', change: 'removed' }],
    },
    findings: [buildFinding('LIVE_MISSING', { key: 'a', source: { ...source, file: 'policies.yaml' } })],
  });
  const shown = codeQuality(plan, 'tenants/acme').map(({ check_name, severity, description, location }) => [
    `${location.path}:${location.lines.begin}`,
    severity,
    check_name,
    description,
  ]);
  expect(shown.slice(0, 2)).toEqual([
    ['tenants/acme/tenant.yaml:4', 'minor', 'plan/header', 'header guards.max_delete_count changes: 3 → 99'],
    ['tenants/acme:1', 'minor', 'plan/section', 'section roles is gone: roles are not managed any more'],
  ]);
  expect(shown.slice(2).map((entry) => entry.slice(0, 3))).toEqual([
    ['tenants/acme/policies.yaml:4', 'minor', 'LIVE_MISSING'],
  ]);
});

test('a repository that is the folder has paths of its own, and what has no place is left out', () => {
  const finding = buildFinding('LIVE_PROTECTED', { key: 'a' });
  const diagnostics = [{ code: 'ENV_MISSING', severity: 'error', message: 'x' }];
  expect(codeQuality(buildPlan({ findings: [finding] }), '.')).toEqual([]);
  expect(codeQuality({ diagnostics }, '.')).toEqual([]);
  const [entry] = codeQuality({ diagnostics: [{ ...diagnostics[0], source }] }, '.');
  expect(entry).toMatchObject({ severity: 'major', location: { path: 'tenant.yaml', lines: { begin: 4 } } });
});
