import type { Action, Plan } from '../model/plan.generated.ts';
import { fingerprint, fingerprintLarge } from '../values/fingerprint.ts';

type Digested = Pick<Plan, 'tenant' | 'actions' | 'findings' | 'refusals'>;

/**
 * The identity of a plan: what would be sent and on which live state. Where it is written in the files is not part of it, so a
 * comment or a moved line leaves a saved plan valid.
 */
export function planDigest({ tenant, actions, findings, refusals }: Digested): string {
  return fingerprintLarge({
    tenant,
    actions: actions.map(({ request, precondition }) => ({ request, precondition })),
    findings: findings.map(({ code, kind, key }) => ({ code, kind, key })),
    refusals,
  });
}

/** Detects accidents: covers everything that the document says. */
export function planChecksum(plan: Omit<Plan, 'checksum'> & { readonly checksum?: string }): string {
  return fingerprintLarge({ ...plan, checksum: undefined });
}

/** The code that approves losses, 24 hexadecimal digits: covers exactly these actions, on exactly this live state. */
export function approvalCode(baseUrl: string, lost: readonly Action[]): string {
  const covered = lost.map(({ id, request, precondition }) => ({ id, request, precondition }));
  return fingerprint({ base_url: baseUrl, lost: covered }).slice('sha256:'.length, 'sha256:'.length + 24);
}
