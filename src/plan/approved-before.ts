// What an apply is approved to take away stays approved for what is left of it after an interruption.
import type { Action, Approval, Plan, Refusal } from '../model/plan.generated.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { isDeletion, type UnsignedRefusal } from './digest.ts';

/** A refusal for a stronger reason names every loss of its kind. */
const alsoCovered: Readonly<Partial<Record<Refusal['code'], readonly Refusal['code'][]>>> = {
  GUARD_EMPTIES_SECTION: ['GUARD_TOO_MANY_DELETES', 'GUARD_EMPTIES_ITEM'],
};

/** Refusals of what is written, and not only of what is lost: they cover the requests as they were. */
const ofWrites: ReadonlySet<Refusal['code']> = new Set(['GUARD_TOO_MANY_UPDATES', 'GUARD_OWN_CLIENT']);

/** The codes of refusals that a refusal covers for the same items. */
export function coveredCodes(code: Refusal['code']): readonly Refusal['code'][] {
  return [code, ...(alsoCovered[code] ?? [])];
}

/**
 * Fingerprints of what a plan is approved to do, for the journal: each item of its refusals with the reason, each deletion
 * with the live state, and the requests that are refused as such. Empty without an approval. `isReviewed`: its deletions are approved for a project.
 */
export function approvedParts(
  { refusals, actions }: Pick<Plan, 'refusals' | 'actions'>,
  isReviewed: boolean,
): string[] {
  const approved = refusals.filter(({ approved_by }) => approved_by !== null);
  if (approved.length === 0 && !isReviewed) return [];
  return [
    ...approved.flatMap(({ code, kind, items }) =>
      coveredCodes(code).flatMap((covered) => items.map((item) => lossPart(covered, kind, item))),
    ),
    ...actions.filter(isDeletion).map(deletionPart),
    ...actions.filter(isWrittenFor(approved)).map(writePart),
  ];
}

/**
 * The approval of an interrupted apply, if it covers everything that is refused and deleted now; otherwise null. An item
 * that others changed in the meantime is another deletion.
 */
export function approvedBefore(
  { refusals, actions }: { readonly refusals: readonly UnsignedRefusal[]; readonly actions: readonly Action[] },
  parts: ReadonlySet<string> = new Set(),
): Approval | null {
  if (parts.size === 0) return null;
  const isCovered =
    refusals.every(({ code, kind, items }) => items.every((item) => parts.has(lossPart(code, kind, item)))) &&
    actions.filter(isDeletion).every((action) => parts.has(deletionPart(action))) &&
    actions.filter(isWrittenFor(refusals)).every((action) => parts.has(writePart(action)));
  return isCovered ? { by: 'interrupted apply', source: null } : null;
}

function lossPart(code: Refusal['code'], kind: string, item: string): string {
  return digitsOf(fingerprint([code, kind, item]), 24);
}

function deletionPart({ kind, key, precondition = null }: Action): string {
  return digitsOf(fingerprint([kind, key, precondition]), 24);
}

function isWrittenFor(refusals: readonly UnsignedRefusal[]): (action: Action) => boolean {
  const kinds = new Set(refusals.flatMap(({ code, kind }) => (ofWrites.has(code) ? [kind] : [])));
  return ({ kind }) => kinds.has(kind);
}

function writePart({ id, request }: Action): string {
  return digitsOf(fingerprint([id, request]), 24);
}
