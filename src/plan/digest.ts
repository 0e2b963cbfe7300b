import { asOnAnyTenant } from '../model/action-identity.ts';
import type { Action, Approval, Finding, Plan, Refusal } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { digitsOf, fingerprint, startFingerprint } from '../values/fingerprint.ts';
import { compareText } from '../values/text-order.ts';

type Digested = Pick<Plan, 'tenant' | 'actions' | 'findings' | 'refusals' | 'review'> & Partial<Pick<Plan, 'complete'>>;

/**
 * The identity of a plan: what would be sent and on which live state. SHA-256 over canonical JSON (RFC 8785). Locations
 * in the files are not part of it, nor are notes, so a comment, a moved line or a role that others created leaves a saved
 * plan valid.
 */
export function planDigest(plan: Digested): string {
  return digestOf(
    plan,
    () => {},
    () => plan,
  );
}

/** A refusal that has no approval code yet. */
export type UnsignedRefusal = Omit<Refusal, 'approve' | 'approved_by' | 'approve_in'>;

/** What makes up a plan before its refusals have a code. */
export interface UnsignedPlan extends Pick<Digested, 'tenant' | 'actions' | 'complete'> {
  readonly refusals: readonly UnsignedRefusal[];
  /** Ids of the actions that the refusals cover. */
  readonly refused: ReadonlySet<string>;
  /** What each refusal names besides its actions, on every tenant of a project; null for a tenant of its own folder. */
  readonly shared?: readonly (readonly string[])[] | null;
  /** The findings, which may depend on the code; null if nothing is refused. */
  readonly findings: (code: string | null) => readonly Finding[];
  /** What approves a code; null if nothing does. */
  readonly approvalOf: (code: string) => Approval | null;
}

export type SignedPlan = Pick<Plan, 'findings' | 'refusals' | 'digest' | 'review'>;

/**
 * The digest, and the refusals with the code that approves them: 24 hexadecimal digits that cover exactly the refused
 * actions, on exactly this live state, and why each is refused. One pass computes both, because the text of 100,000
 * requests is expensive.
 */
export function signPlan(plan: UnsignedPlan): SignedPlan {
  const { shared = null } = plan;
  const { add, end } = shared === null ? ownCode(plan) : sharedCode(plan, shared);
  let rest: Pick<SignedPlan, 'findings' | 'refusals' | 'review'> = { findings: [], refusals: [] };
  const digest = digestOf(plan, add, () => {
    const code = end();
    const approved_by = code === null ? null : plan.approvalOf(code);
    const approve = code ?? '';
    rest = {
      findings: [...plan.findings(code)],
      refusals: plan.refusals.map((refusal) => ({ ...refusal, approve, approved_by, approve_in: null })),
      ...(shared !== null && code !== null && { review: code }),
    };
    return rest;
  });
  return { ...rest, digest };
}

/** Collects what a code covers; `end` returns null if there is nothing to approve. */
interface CodeMaker {
  readonly add: (action: Action, text: string) => void;
  readonly end: () => string | null;
}

function ownCode({ tenant, refused, refusals }: UnsignedPlan): CodeMaker {
  const covered = startFingerprint();
  covered.add(canonicalJson(tenant.base_url));
  return {
    add({ id }, text) {
      if (refused.has(id)) covered.add(canonicalJson(id) + text);
    },
    end() {
      covered.addJson(refusals.map(({ code, kind, items }) => ({ code, kind, items })));
      return refusals.length === 0 ? null : codeOf(covered.end());
    },
  };
}

/**
 * The same for every tenant that is refused for the same items with the same values. Everything that is deleted is covered
 * as well, because many tenants together can lose too much although each alone is not refused.
 */
function sharedCode({ refused, refusals }: UnsignedPlan, shared: readonly (readonly string[])[]): CodeMaker {
  const changes: string[] = [];
  return {
    add(action) {
      if (refused.has(action.id) || isDeletion(action)) changes.push(changeText(action));
    },
    end() {
      if (changes.length + refusals.length === 0) return null;
      const why = refusals.map(({ code, kind }, index) => ({
        code,
        kind,
        items: shared[index]?.toSorted(compareText),
      }));
      return codeOf(fingerprint({ changes: changes.sort(compareText), why }));
    },
  };
}

/** One code for refusals that have several: those of a saved plan, and those that guards add when it is applied. */
export function commonCode(refusals: readonly Pick<Refusal, 'approve'>[]): string {
  const codes = [...new Set(refusals.map(({ approve }) => approve))].sort(compareText);
  return codes.length === 1 ? String(codes[0]) : codeOf(fingerprint(codes));
}

function codeOf(covered: string): string {
  return digitsOf(covered, 24);
}

function digestOf(
  { tenant, actions, complete = true }: Pick<Digested, 'tenant' | 'actions' | 'complete'>,
  onAction: (action: Action, text: string) => void,
  /** Called after the last action. */
  rest: () => Pick<Digested, 'findings' | 'refusals' | 'review'>,
): string {
  const digest = startFingerprint();
  digest.add('{"actions":');
  digest.addList(actions, (action) => {
    const { request, precondition } = action;
    const state = precondition === undefined ? '' : `"precondition":${canonicalJson(precondition)},`;
    const text = `{${state}"request":${canonicalJson(request)}}`;
    onAction(action, text);
    return text;
  });
  const { findings, refusals, review } = rest();
  digest.add(',"findings":');
  const counted = findings.filter(({ severity }) => severity !== 'note');
  digest.addList(counted, ({ code, kind, key }) => canonicalJson({ code, kind, key }));
  digest.add(',"refusals":');
  // Whether it is approved, and where, changes neither what would be sent nor on which live state.
  digest.addJson(refusals.map(({ approved_by: _by, approve_in: _in, ...refusal }) => refusal));
  if (!complete) digest.add(',"complete":false');
  if (review !== undefined) digest.add(`,"review":${canonicalJson(review)}`);
  digest.add(`,"tenant":${canonicalJson(tenant)}}`);
  return digest.end();
}

/** Detects accidents: covers the digest and everything in the document that the digest does not cover. */
export function planChecksum(plan: Omit<Plan, 'checksum'> & { readonly checksum?: string }): string {
  const { checksum: _checksum, tenant: _tenant, refusals, actions, findings, left_out, ...fields } = plan;
  const checksum = startFingerprint();
  checksum.add('{"actions":');
  checksum.addList(actions, ({ request: _request, precondition: _precondition, ...rest }) => canonicalJson(rest));
  checksum.add(',"fields":');
  checksum.add(canonicalJson(fields));
  checksum.add(',"findings":');
  checksum.addList(findings, canonicalJson);
  checksum.add(',"left_out":');
  checksum.addList(left_out, canonicalJson);
  checksum.add(',"refusals":');
  checksum.addList(refusals, ({ approved_by, approve_in }) => canonicalJson({ approved_by, approve_in }));
  checksum.add('}');
  return checksum.end();
}

/** A plan without its checksum. */
export type UnsealedPlan = Omit<Plan, 'checksum'>;

/** The checksum is computed when it is read: people need none, and it takes as long as the JSON of the plan. */
export function sealPlan(plan: UnsealedPlan): Plan {
  let checksum: string | undefined;
  return {
    ...plan,
    get checksum() {
      checksum ??= planChecksum(plan);
      return checksum;
    },
  };
}

/** A change as it is on every tenant that has it: without the ids that a tenant gives its items. */
function changeText({ kind, key, action, before, after }: Action): string {
  return canonicalJson({ kind, key, action, before: asOnAnyTenant(before), after: asOnAnyTenant(after) });
}

/**
 * An item is deleted, or a prompt loses all texts that it may have. Decided by what is sent: the digest of a saved plan
 * covers that, and not what the plan shows.
 */
export function isDeletion({ request: { method, body } }: Pick<Action, 'request'>): boolean {
  const isEmpty = Object.keys(body ?? {}).length === 0;
  return (method === 'DELETE' || method === 'PUT') && isEmpty;
}
