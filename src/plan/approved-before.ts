// What an apply is approved to take away stays approved for what is left of it after an interruption.

import type { ApprovedRecord } from '../model/journal.generated.ts';
import { isRemoval } from '../model/levels.ts';
import type { Action, Approval, Plan, Refusal } from '../model/plan.generated.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { isDeletion, type UnsignedRefusal } from './digest.ts';

/** What an interrupted apply was approved to do, and what it has done of it. */
export interface ApprovedLeft {
  /** ISO time of the approval. */
  readonly since: string;
  /** See approvedParts. */
  readonly parts: ReadonlySet<string>;
  /** Ids of actions. What they took away is approved no more: people may have restored it. */
  readonly done: ReadonlySet<string>;
}

/** A refusal for a stronger reason names every loss of its kind. */
const alsoCovered: Readonly<Partial<Record<Refusal['code'], readonly Refusal['code'][]>>> = {
  GUARD_EMPTIES_SECTION: ['GUARD_TOO_MANY_DELETES', 'GUARD_EMPTIES_ITEM'],
};

/** The codes of refusals that a refusal covers for the same items. */
export function coveredCodes(code: Refusal['code']): readonly Refusal['code'][] {
  return [code, ...(alsoCovered[code] ?? [])];
}

/**
 * Fingerprints of what a plan is approved to do, for the journal: each item of its refusals with the reason, and each action
 * that they can be about with its request and the live state. Empty without an approval. `isReviewed`: what the plan takes
 * away is approved for a project.
 */
export function approvedParts(
  { refusals, actions }: Pick<Plan, 'refusals' | 'actions'>,
  isReviewed: boolean,
): ApprovedRecord['parts'] {
  const approved = refusals.filter(({ approved_by }) => approved_by !== null);
  if (approved.length === 0 && !isReviewed) return [];
  return [
    ...approved.flatMap(({ code, kind, items }) =>
      coveredCodes(code).flatMap((covered) => items.map((item) => lossPart(covered, kind, item))),
    ),
    ...actions.filter(mayBeRefused(approved)).map(actionPart),
  ];
}

/**
 * The approval of an interrupted apply, if it covers everything that is refused and taken away now; otherwise null. An item
 * that others changed in the meantime is not covered.
 */
export function approvedBefore(
  { refusals, actions }: { readonly refusals: readonly UnsignedRefusal[]; readonly actions: readonly Action[] },
  left: ApprovedLeft | null = null,
): Approval | null {
  if (left === null) return null;
  const { parts, done } = left;
  const isCovered =
    refusals.every(({ code, kind, items }) => items.every((item) => parts.has(lossPart(code, kind, item)))) &&
    actions.filter(mayBeRefused(refusals)).every((action) => parts.has(actionPart(action)) && !done.has(action.id));
  return isCovered ? { by: 'interrupted apply', source: null } : null;
}

function lossPart(code: Refusal['code'], kind: string, item: string): string {
  return digitsOf(fingerprint([code, kind, item]), 24);
}

function actionPart({ id, request, precondition = null }: Action): string {
  return digitsOf(fingerprint([id, request, precondition]), 24);
}

/** Refusals of what is written, and not only of what is lost. */
const ofWrites: ReadonlySet<Refusal['code']> = new Set(['GUARD_TOO_MANY_UPDATES', 'GUARD_OWN_CLIENT']);

/** Whether an action takes something away, or is refused for what it writes. */
function mayBeRefused(refusals: readonly UnsignedRefusal[]): (action: Action) => boolean {
  const written = new Set(refusals.flatMap(({ code, kind }) => (ofWrites.has(code) ? [kind] : [])));
  return (action) => isRemoval(action) || action.action === 'put' || isDeletion(action) || written.has(action.kind);
}
