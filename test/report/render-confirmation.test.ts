import { expect, test } from 'vitest';
import { confirmationQuestion } from '../../src/report/render-report.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';

test('a confirmation counts what is lost: deletions, removals and unreadable values that are overwritten', () => {
  const actions = [putPartials('login', {}), deletePolicy('default'), removePermissions('rol_1', ['a', 'b'])];
  expect(confirmationQuestion(buildPlan({ actions }))).toBe(
    'Apply 3 changes (3 losses) with 3 requests to https://login.acme.example/api/v2?',
  );
});

test('a confirmation says that nothing is lost', () => {
  expect(confirmationQuestion(buildPlan())).toBe(
    'Apply 0 changes (no losses) with 0 requests to https://login.acme.example/api/v2?',
  );
});
