import { isAvailable } from '../model/is-available.ts';
import type { DecideInput, Decision, DesiredItem, Loss } from '../model/kind.ts';
import type { ApiLevel, Operation } from '../model/operation.ts';
import type { Action, FieldChange, Finding, KindName, PlannedRequest } from '../model/plan.generated.ts';
import { type Comparison, type Difference, diffItems } from './diff-items.ts';
import { unreadableDecision } from './unreadable-decision.ts';

/**
 * The decision for a kind whose items can be listed.
 *
 * Every difference is either corrected by one request or told as a finding; which of the two depends only on whether the kind
 * has a correction for it whose operation the files allow, so a kind gains an operation by gaining a row here. What `protect` and
 * `keep_undeclared` cover is taken out before anything is decided, and said.
 */
export interface ListedKind<Desired, Live> extends Comparison<Desired, Live> {
  readonly kind: KindName;
  /** What patterns under `protect` are matched against. */
  protectedAs(live: Live): string;
  readonly corrections: Corrections<Desired, Live>;
}

/** The requests that correct a difference; one that is absent is not available. */
export interface Corrections<Desired, Live> {
  readonly missing?: Correction<Desired>;
  readonly different?: Correction<Change<Desired, Live>>;
  readonly undeclared?: Correction<Live>;
}

export interface Change<Desired, Live> {
  readonly desired: Desired;
  readonly live: Live;
  readonly changes: readonly FieldChange[];
}

export interface Correction<Input> {
  readonly operation: Operation;
  correct(input: Input): Corrected | Uncorrectable;
}

export interface Corrected {
  readonly request: PlannedRequest;
  /** What people should know before it is sent. */
  readonly notes?: readonly string[];
}

/** Why the operation cannot correct this one difference, and what people can do. */
export interface Uncorrectable {
  readonly impossible: string;
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

export function decideListed<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  input: DecideInput<Desired, Live>,
): Decision {
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
      return decideMissing(listed, input, difference.desired);
    case 'different':
      return decideDifferent(listed, input, difference);
    case 'ambiguous': {
      const ids = difference.live.map((item) => listed.idOf(item));
      const message = `${ids.length} live items have this identity (${ids.join(', ')}) and none matches the files; delete the extra ones on the tenant`;
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
      return decideSurplus(listed, input, difference.live, {
        key: difference.key,
        reason: 'undeclared',
        source: null,
        alone: difference.alone,
      });
  }
}

function decideMissing<Desired extends object, Live>(
  listed: ListedKind<Desired, Live>,
  { api }: DecideInput<Desired, Live>,
  item: DesiredItem<Desired>,
): Decided {
  const outcome = correctedBy(listed.corrections.missing, item.value, api, 'no available operation can create it');
  if ('impossible' in outcome)
    return {
      finding: declaredFinding(
        listed,
        item,
        'LIVE_MISSING',
        `declared but missing on the tenant; ${outcome.impossible}`,
      ),
    };
  return {
    action: { ...declaredAction(listed.kind, item, outcome), action: 'create', reason: 'missing', before: null },
  };
}

function decideDifferent<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { api }: DecideInput<Desired, Live>,
  { desired, live, changes }: Difference<Desired, Live> & { type: 'different' },
): Decided {
  const outcome = correctedBy(
    listed.corrections.different,
    { desired: desired.value, live, changes },
    api,
    'no available operation can change it',
  );
  if ('impossible' in outcome) {
    const finding = declaredFinding(listed, desired, 'LIVE_DIFFERENT', `differs from the files; ${outcome.impossible}`);
    return { finding: { ...finding, changes: [...changes] } };
  }
  return {
    action: {
      ...declaredAction(listed.kind, desired, outcome),
      action: 'update',
      reason: 'different',
      before: plainItem(live),
      changes: [...changes],
    },
  };
}

/** What a correction says of a difference, when there is one that the files allow. */
function correctedBy<Input>(
  correction: Correction<Input> | undefined,
  input: Input,
  api: ApiLevel,
  unavailable: string,
): Corrected | Uncorrectable {
  return correction !== undefined && isAvailable(correction.operation, api)
    ? correction.correct(input)
    : { impossible: unavailable };
}

type DeclaredAction = Pick<Action, 'id' | 'kind' | 'key' | 'request' | 'after' | 'notes' | 'source'>;

function declaredAction(kind: KindName, item: DesiredItem<object>, { request, notes = [] }: Corrected): DeclaredAction {
  const noted = notes.length === 0 ? {} : { notes: [...notes] };
  return {
    id: `${kind}/${item.key}`,
    kind,
    key: item.key,
    request,
    after: plainItem(item.value),
    ...noted,
    source: item.at(''),
  };
}

function decideSurplus<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { keep, api }: DecideInput<Desired, Live>,
  live: Live,
  about: Surplus,
): Decided {
  const { kind, corrections } = listed;
  const { key, reason, source, alone } = about;
  const what =
    reason === 'duplicate'
      ? `a second live item with this identity (${listed.idOf(live)})`
      : 'on the tenant but not declared';
  const finding = (code: Finding['code'], why: string): Decided => ({
    finding: { code, kind, key, message: `${what}; ${why}`, source },
  });
  if (keep.isProtected(listed.protectedAs(live))) return finding('LIVE_PROTECTED', 'kept because it is protected');
  if (keep.keepUndeclared) return finding('LIVE_UNDECLARED', 'kept because keep_undeclared includes its kind');
  const outcome = correctedBy(corrections.undeclared, live, api, 'no available operation can delete it');
  if ('impossible' in outcome) return finding('LIVE_UNDELETABLE', outcome.impossible);
  const { request, notes = [] } = outcome;
  const id = `${kind}/${key}${alone ? '' : `#${listed.idOf(live)}`}`;
  const action: Action = {
    id,
    kind,
    key,
    action: 'delete',
    reason,
    request,
    before: plainItem(live),
    after: null,
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
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

/** A plan holds items as the files or the service gave them; their fields are the kind's own, so here they have no names. */
function plainItem(item: object): Record<string, unknown> {
  return item as Record<string, unknown>;
}
