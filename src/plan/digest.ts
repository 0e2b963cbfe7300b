import type { Action, Plan, Refusal } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { startFingerprint } from '../values/fingerprint.ts';

type Digested = Pick<Plan, 'tenant' | 'actions' | 'findings' | 'refusals'>;

/**
 * The identity of a plan: what would be sent and on which live state. SHA-256 over canonical JSON (RFC 8785). Locations
 * in the files are not part of it, so a comment or a moved line leaves a saved plan valid.
 */
export function planDigest(plan: Digested): string {
  return digestOf(
    plan,
    () => {},
    () => plan.refusals,
  );
}

/** A plan whose refusals have no approval code yet. */
export interface UnsignedPlan extends Omit<Digested, 'refusals'> {
  readonly refusals: readonly Omit<Refusal, 'approve'>[];
  /** Ids of the actions that the refusals cover. */
  readonly refused: ReadonlySet<string>;
}

/**
 * The digest, and the refusals with the code that approves them: 24 hexadecimal digits that cover exactly the refused
 * actions, on exactly this live state, and why each is refused. One pass computes both, because the text of 100,000 requests is expensive.
 */
export function signPlan(plan: UnsignedPlan): Pick<Plan, 'refusals' | 'digest'> {
  const losses = startFingerprint();
  losses.add(canonicalJson(plan.tenant.base_url));
  let refusals: Refusal[] = [];
  const digest = digestOf(
    plan,
    ({ id }, text) => {
      if (plan.refused.has(id)) losses.add(canonicalJson(id) + text);
    },
    () => {
      losses.add(canonicalJson(plan.refusals.map(({ code, kind, items }) => ({ code, kind, items }))));
      const approve = losses.end().slice('sha256:'.length, 'sha256:'.length + 24);
      refusals = plan.refusals.map((refusal) => ({ ...refusal, approve }));
      return refusals;
    },
  );
  return { refusals, digest };
}

function digestOf(
  { tenant, actions, findings }: Omit<Digested, 'refusals'>,
  onAction: (action: Action, text: string) => void,
  refusals: () => readonly Refusal[],
): string {
  const digest = startFingerprint();
  digest.add('{"actions":');
  digest.addList(actions, (action) => {
    const text = canonicalJson({ request: action.request, precondition: action.precondition });
    onAction(action, text);
    return text;
  });
  digest.add(',"findings":');
  digest.addList(findings, ({ code, kind, key }) => canonicalJson({ code, kind, key }));
  digest.add(`,"refusals":${canonicalJson(refusals())},"tenant":${canonicalJson(tenant)}}`);
  return digest.end();
}

/** Detects accidents: covers the digest and everything in the document that the digest does not cover. */
export function planChecksum(plan: Omit<Plan, 'checksum'> & { readonly checksum?: string }): string {
  const { checksum: _checksum, tenant: _tenant, refusals: _refusals, actions, findings, left_out, ...fields } = plan;
  const checksum = startFingerprint();
  checksum.add('{"actions":');
  checksum.addList(actions, ({ request: _request, precondition: _precondition, ...rest }) => canonicalJson(rest));
  checksum.add(',"fields":');
  checksum.add(canonicalJson(fields));
  checksum.add(',"findings":');
  checksum.addList(findings, canonicalJson);
  checksum.add(',"left_out":');
  checksum.addList(left_out, canonicalJson);
  checksum.add('}');
  return checksum.end();
}
