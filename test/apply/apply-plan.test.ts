import { describe, expect, test } from 'vitest';
import { applyPlan, refusedOutcomes } from '../../src/apply/apply-plan.ts';
import type { Outcome, Perform } from '../../src/model/outcome.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { aDecision, anAction, assembleInput } from '../support/plan-parts.ts';

const plan = assemblePlan(assembleInput([aDecision(0, 99, { actions: ['a', 'b', 'c'].map((key) => anAction({ key })) })]));
const ids = plan.actions.map(({ id }) => id);

function recording(answers: Readonly<Record<string, Partial<Outcome & { fatal: boolean }>>> = {}): { readonly perform: Perform; readonly sent: Action[] } {
  const sent: Action[] = [];
  return {
    sent,
    perform: async (action) => {
      sent.push(action);
      return { id: action.id, outcome: 'done', status: 204, message: null, ...answers[action.key] };
    },
  };
}

async function apply(perform: Perform, signal = new AbortController().signal) {
  const told: string[] = [];
  const document = await applyPlan(plan, perform, { signal, onOutcome: (action, { outcome }) => told.push(`${action.key}: ${outcome}`) });
  return { document, told };
}

describe('promise 8: every request has an outcome', () => {
  test('all done, told as they happen', async () => {
    const { perform, sent } = recording();
    const { document, told } = await apply(perform);
    expect(sent).toEqual(plan.actions);
    expect(told).toEqual(['a: done', 'b: done', 'c: done']);
    expect(document).toEqual({
      format_version: '1.0',
      plan,
      outcomes: ids.map((id) => ({ id, outcome: 'done', status: 204, message: null })),
      summary: { done: 3, failed: 0, not_attempted: 0, unknown: 0 },
    });
  });

  test('a failure does not stop what is independent of it', async () => {
    const { perform, sent } = recording({ a: { outcome: 'failed', status: 400 }, b: { outcome: 'unknown', status: null } });
    const { document } = await apply(perform);
    expect(sent).toHaveLength(3);
    expect(document.summary).toEqual({ done: 1, failed: 1, not_attempted: 0, unknown: 1 });
  });

  test('a fatal failure stops the rest, which is not attempted', async () => {
    const { perform, sent } = recording({ a: { outcome: 'failed', status: 401, fatal: true } });
    const { document } = await apply(perform);
    expect(sent).toHaveLength(1);
    expect(document.outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'not_attempted', 'not_attempted']);
    expect(document.outcomes[0]).not.toHaveProperty('fatal');
  });

  test('a signal lets the request in flight finish and stops the rest', async () => {
    const controller = new AbortController();
    const { perform } = recording();
    const { document } = await apply(async (action) => {
      controller.abort();
      return perform(action);
    }, controller.signal);
    expect(document.outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'not_attempted', 'not_attempted']);
  });

  test('a refused plan has outcomes too', () => {
    expect(refusedOutcomes(plan, 'GUARD_REFUSED').outcomes).toEqual(
      ids.map((id) => ({ id, outcome: 'not_attempted', status: null, message: 'GUARD_REFUSED' })),
    );
  });
});
