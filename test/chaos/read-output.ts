import type { Outcome, OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Verification } from './history.ts';

/** What a command's standard output holds. */
export interface Output {
  readonly plan: Plan | null;
  readonly outcomes: readonly Outcome[] | null;
  readonly verification: Verification | null;
  /** False when it is not JSON. */
  readonly readable: boolean;
}

/** The documents of `--format json`: a plan, outcomes with their plan, or faults, which have neither. */
export function readOutput(stdout: string): Output {
  const document = parsed(stdout);
  if (document === null) return { plan: null, outcomes: null, verification: null, readable: false };
  if ('outcomes' in document) {
    const {
      plan,
      outcomes,
      verification = null,
    } = document as OutcomesDocument & { verification?: Verification | null };
    return { plan, outcomes, verification, readable: true };
  }
  return {
    plan: 'actions' in document ? (document as Plan) : null,
    outcomes: null,
    verification: null,
    readable: true,
  };
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
