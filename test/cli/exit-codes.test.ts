import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/cli/exit-codes.ts';
import type { Applied } from '../../src/engine/results.ts';
import type { OutcomeSummary } from '../../src/model/outcomes.generated.ts';
import { buildPlan } from '../support/build-plan.ts';

const none: OutcomeSummary = { done: 0, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 };

function applied(summary: Partial<OutcomeSummary>, about: Partial<Applied> = {}): Applied {
  const outcomes = { format_version: '2.0', plan: buildPlan(), outcomes: [], summary: { ...none, ...summary } };
  return { status: 'applied', outcomes, complete: false, diagnostics: [], bug: null, ...about } as Applied;
}

describe('an apply exits with', () => {
  test.each([
    [0, 'everything is done', applied({ done: 2 }, { complete: true })],
    [4, 'there are only conflicts, and what depends on them', applied({ done: 1, conflict: 1, not_attempted: 1 })],
    [1, 'an action failed beside a conflict', applied({ failed: 1, conflict: 1 })],
    [1, 'an outcome is unknown', applied({ unknown: 1, conflict: 1 })],
    [1, 'an action was not attempted', applied({ not_attempted: 1 })],
    [1, 'a bug ended it', applied({ conflict: 1 }, { bug: { cause: 'odd' } })],
  ])('%i if %s', (code, _when, result) => {
    expect(exitCodeOf(result)).toBe(code);
  });
});

test.each([
  { code: 0, result: { status: 'compared', differs: false, plan: buildPlan() } },
  { code: 1, result: { status: 'compared', differs: false, plan: buildPlan({ complete: false }) } },
  { code: 2, result: { status: 'compared', differs: true, plan: buildPlan({ complete: false }) } },
  { code: 1, result: { status: 'failed', diagnostics: [] } },
  { code: 3, result: { status: 'invalid', diagnostics: [], files: 0 } },
  { code: 4, result: { status: 'changed', diagnostics: [] } },
  { code: 4, result: { status: 'locked', diagnostics: [] } },
] as const)('a result that is $result.status exits with $code', ({ code, result }) => {
  expect(exitCodeOf(result)).toBe(code);
});
