import type { DecideInput, Decision, DesiredItem, Loss } from '../model/kind.ts';
import type { Action, Finding, KindName, PlannedRequest } from '../model/plan.generated.ts';
import { type Comparison, type Difference, diffItems } from './diff-items.ts';
import { unreadableDecision } from './unreadable-decision.ts';

/**
 * The decision for a kind whose items can be listed.
 *
 * Every difference is either corrected by one request or told as a finding; which of the two depends only on whether the kind
 * has a correction for it, so a kind gains an operation by gaining a function here. What `protect` and `keep_undeclared` cover
 * is taken out before anything is decided, and said.
 */
export interface ListedKind<Desired, Live> extends Comparison<Desired, Live> {
  readonly kind: KindName;
  /** What patterns under `protect` are matched against. */
  protectedAs(live: Live): string;
  readonly corrections: Corrections<Live>;
}

/** The requests that correct a difference; one that is absent is not available. */
export interface Corrections<Live> {
  readonly undeclared?: (live: Live) => PlannedRequest;
}

/** A live item that the files do not ask for. */
interface Surplus extends Pick<Action, 'key' | 'reason' | 'source'> {
  /** False when other live items share its identity: then the id of the action carries the id of the item. */
  readonly alone: boolean;
}

interface Decided {
  readonly action?: Action;
  readonly finding?: Finding;
  readonly loss?: Loss;
}

export function decideListed<Desired extends object, Live extends object>(listed: ListedKind<Desired, Live>, input: DecideInput<Desired, Live>): Decision {
  const { desired, live } = input;
  if (!live.readable) return unreadableDecision(listed.kind, desired, live);
  const actions: Action[] = [];
  const findings: Finding[] = [];
  const losses: Loss[] = [];
  for (const difference of diffItems(desired.items, live.items, listed)) {
    const { action, loss, finding } = decideOne(listed, input, difference);
    if (action !== undefined) actions.push(action);
    if (loss !== undefined) losses.push(loss);
    if (finding !== undefined) findings.push(finding);
  }
  return {
    kind: listed.kind,
    actions,
    findings,
    losses,
    unreadable: null,
    population: { declared: desired.items.length, live: live.items.length, filtered: live.filtered },
  };
}

function decideOne<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  input: DecideInput<Desired, Live>,
  difference: Difference<Desired, Live>,
): Decided {
  switch (difference.type) {
    case 'missing':
      return { finding: declaredFinding(listed, difference.desired, 'LIVE_MISSING', 'declared, but not on the tenant; no available operation creates it') };
    case 'different': {
      const finding = declaredFinding(listed, difference.desired, 'LIVE_DIFFERENT', 'not as declared; no available operation changes it');
      return { finding: { ...finding, changes: [...difference.changes] } };
    }
    case 'ambiguous': {
      const ids = difference.live.map((item) => listed.idOf(item));
      const message = `${ids.length} live items have this identity (${ids.join(', ')}) and none is as declared; none is deleted`;
      return { finding: declaredFinding(listed, difference.desired, 'LIVE_DUPLICATE', message) };
    }
    case 'surplus':
      return decideSurplus(listed, input, difference.live, {
        key: difference.desired.key,
        reason: 'duplicate',
        source: difference.desired.at(''),
        alone: false,
      });
    case 'undeclared':
      return decideSurplus(listed, input, difference.live, { key: difference.key, reason: 'undeclared', source: null, alone: difference.alone });
  }
}

function decideSurplus<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { keep }: DecideInput<Desired, Live>,
  live: Live,
  about: Surplus,
): Decided {
  const { kind, corrections } = listed;
  const { key, reason, source, alone } = about;
  const what = reason === 'duplicate' ? `a second live item of this identity (${listed.idOf(live)})` : 'on the tenant, but not declared';
  const finding = (code: Finding['code'], why: string): Decided => ({ finding: { code, kind, key, message: `${what}; ${why}`, source } });
  if (keep.isProtected(listed.protectedAs(live))) return finding('LIVE_PROTECTED', 'kept, because it is protected');
  if (keep.keepUndeclared) return finding('LIVE_UNDECLARED', 'kept, because keep_undeclared names its kind');
  if (corrections.undeclared === undefined) return finding('LIVE_UNDELETABLE', 'no available operation deletes it');
  const id = `${kind}/${key}${alone ? '' : `#${listed.idOf(live)}`}`;
  const action: Action = {
    id,
    kind,
    key,
    action: 'delete',
    reason,
    request: corrections.undeclared(live),
    before: plainItem(live),
    after: null,
    source,
  };
  return { action, loss: { action, item: `${kind}/${key}#${listed.idOf(live)}` } };
}

function declaredFinding<Desired extends object, Live>(
  listed: ListedKind<Desired, Live>,
  item: DesiredItem<Desired>,
  code: Finding['code'],
  message: string,
): Finding {
  return { code, kind: listed.kind, key: item.key, message, source: item.at('') };
}

/** A plan holds live items as the service gave them; their fields are the kind's own, so here they have no names. */
function plainItem(live: object): Record<string, unknown> {
  return live as Record<string, unknown>;
}
