import type { Operation } from '../model/operation.ts';
import type { NotRead } from '../model/reader.ts';

/** Something was not read whole: whatever it was meant to show is not known. */
export function incomplete(
  operation: Operation,
  why: string,
  answer: Pick<NotRead, 'status' | 'said'> = { status: null, said: null },
): NotRead {
  return {
    ok: false,
    why: { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message: `${operation.id}: ${why}` },
    ...answer,
  };
}

/** A missing scope and a missing feature of the tenant's plan are both answered with 403; the service's own words tell them apart (public facts 6.1). */
export function forbidden(operation: Operation, why: string, said: string | null): NotRead {
  const ofScope = said === null || said === 'Forbidden' || said.startsWith('Insufficient scope');
  const code = ofScope ? 'LIVE_SCOPE_MISSING' : 'LIVE_FORBIDDEN';
  const needs = ofScope
    ? `the operation needs the scope ${operation.scope}`
    : `the operation needs the scope ${operation.scope} and a tenant that has the feature`;
  return {
    ok: false,
    why: { readable: false, structural: false, code, message: `${operation.id}: ${why}; ${needs}` },
    status: 403,
    said,
  };
}
