/** What rows of operations have in common, so that each row states what is its own. */
import type { Basis, Lacking } from '../model/operation.ts';

/** Where a row comes from, a section of the service specification, and the cells that are assumed. */
export function specified(section: string, ...assumed: readonly string[]): Basis {
  return { source: 'documented', section, assumed };
}

/** The same, from a section of the public facts. */
export function published(section: string, ...assumed: readonly string[]): Basis {
  return { source: 'public', section, assumed };
}

/** The pages of every listing. */
export const numbered = { style: 'page', maxTake: 100, defaultTake: 50 } as const;
export const byCursor = { style: 'cursor', maxTake: 100, defaultTake: 50 } as const;

/** What any resource may be without (public facts 6.1). A missing scope can have the code of a missing plan, so texts count. */
export const notOnTenant: readonly Lacking[] = [
  { status: 402 },
  { status: 403, errorCode: 'insufficient_entitlement' },
  { status: 403, message: /^please upgrade your subscription|is not enabled for this tenant/i },
  { status: 501 },
];
