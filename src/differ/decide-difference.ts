import type { DecideInput, DesiredItem, Loss } from '../model/kind.ts';
import { type ApiLevel, idProblem, isAvailable, type Operation } from '../model/operation.ts';
import type { Action, FieldChange, Finding } from '../model/plan.generated.ts';
import type { SecretHook } from './decide-secrets.ts';
import type { Comparison, Difference } from './diff-items.ts';
import {
  type ActionDraft,
  type Corrected,
  draftAction,
  draftFinding,
  itemFinding,
  itemState,
  shownChanges,
  shownItem,
  type Uncorrectable,
} from './draft.ts';
import { bothNames } from './renames.ts';
import { reportedFinding } from './undeclared.ts';

/** A kind whose items can be listed, as the differ knows it. */
export interface ListedKind<Desired, Live> extends Comparison<Desired, Live> {
  readonly kind: string;
  /** The fields that `keyOf` is made of. */
  readonly identity: readonly string[];
  /** Why no file can declare a live item; null if one can. Default: one can. */
  undeclarable?(live: Live): string | null;
  /** What patterns under `protect` are matched against. */
  protectedAs(item: Desired | Live): string;
  readonly corrections: Corrections<Desired, Live>;
  /** For items with a secret that the tenant never returns. */
  readonly secrets?: SecretHook<Desired, Live>;
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

export interface Decided {
  /** Only a decision whose conclusions are proven needs its actions. */
  readonly draft?: () => Drafted;
  readonly finding?: Finding;
  /** Id of a live item that only a rule keeps. */
  readonly kept?: string;
}

interface Drafted {
  readonly action: Action;
  readonly loss?: Loss;
}

/** The request or the finding that a difference becomes. */
export function decideDifference<Desired extends object, Live extends object>(
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
      if (difference.desired.renamedFrom !== undefined)
        return { finding: bothNames(listed.kind, difference.desired, ids) };
      const message = `${ids.length} live items have this identity (${ids.join(', ')}) and none matches the files; delete the extra ones on the tenant`;
      return { finding: itemFinding(listed.kind, difference.desired, 'LIVE_DUPLICATE', message) };
    }
    case 'unmanaged':
      return decideUnmanaged(listed, difference);
    case 'surplus':
    case 'absent':
    case 'undeclared':
      return decideSurplus(listed, input, difference);
  }
}

function decideMissing<Desired extends object, Live>(
  listed: ListedKind<Desired, Live>,
  { api }: DecideInput<Desired, Live>,
  item: DesiredItem<Desired>,
): Decided {
  const corrected = correctedBy(listed.corrections.missing, item.value, api, 'no available operation can create it');
  if ('impossible' in corrected) {
    const message = `declared but missing on the tenant; ${corrected.impossible}`;
    return { finding: itemFinding(listed.kind, item, 'LIVE_MISSING', message) };
  }
  return drafted(listed, item, corrected, () => ({
    action: 'create',
    reason: 'missing',
    before: null,
    precondition: 'absent',
  }));
}

function decideDifferent<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { api }: DecideInput<Desired, Live>,
  { desired, live, changes }: Difference<Desired, Live> & { type: 'different' },
): Decided {
  const change = { desired: desired.value, live, changes };
  const why = 'no available operation can change it';
  const corrected = correctedBy(listed.corrections.different, change, api, why, listed.idOf(live));
  if ('impossible' in corrected) {
    const message = `differs from the files; ${corrected.impossible}`;
    return {
      finding: { ...itemFinding(listed.kind, desired, 'LIVE_DIFFERENT', message), changes: shownChanges(changes) },
    };
  }
  return drafted(listed, desired, corrected, () => ({
    action: 'update',
    reason: 'different',
    before: shownItem(live),
    changes: shownChanges(changes),
    precondition: itemState(listed, desired.key, live),
  }));
}

/** The correction of a difference, if there is one that the files allow. `id`: of the live item, for its path. */
function correctedBy<Input>(
  correction: Correction<Input> | undefined,
  input: Input,
  api: ApiLevel,
  unavailable: string,
  id?: string,
): Corrected | Uncorrectable {
  if (correction === undefined || !isAvailable(correction.operation, api)) return { impossible: unavailable };
  const wrongId = id === undefined ? null : idProblem(correction.operation, id);
  return wrongId === null ? correction.correct(input) : { impossible: wrongId };
}

/** A plan has items as the files or the service gave them. Their type belongs to the kind. */
function drafted<Desired extends object, Live>(
  { kind }: ListedKind<Desired, Live>,
  item: DesiredItem<Desired>,
  { request, notes = [] }: Corrected,
  restOf: () => Pick<ActionDraft, 'action' | 'reason' | 'before' | 'changes' | 'precondition'>,
): Decided {
  const after = item.value as Record<string, unknown>;
  const draft = () =>
    draftAction({ kind, key: item.key, request, after, ...noted(notes), source: item.at(''), ...restOf() });
  return { draft: () => ({ action: draft() }) };
}

function decideSurplus<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { keep, api, live: read }: DecideInput<Desired, Live>,
  difference: Difference<Desired, Live> & { type: 'surplus' | 'absent' | 'undeclared' },
): Decided {
  const { kind, corrections } = listed;
  const { type, live } = difference;
  const reason = type === 'surplus' ? 'duplicate' : type;
  const { key, source } =
    type === 'undeclared'
      ? { key: difference.key, source: null }
      : { key: difference.desired.key, source: difference.desired.at('') };
  // Otherwise the action carries the id of the item.
  const isAlone = type !== 'surplus' && difference.alone;
  const id = listed.idOf(live);
  const name = listed.protectedAs(live);
  const finding = (code: Finding['code'], why: string): Decided => ({
    finding: draftFinding({ code, kind, key, message: `${surplusText(reason, id)}; ${why}`, source }),
  });
  if (keep.isProtected(name)) return { ...finding('LIVE_PROTECTED', 'kept because it is protected'), kept: id };
  if (keep.undeclared !== 'delete' && reason === 'duplicate')
    return { ...finding('LIVE_DUPLICATE', `kept because undeclared is ${keep.undeclared}`), kept: id };
  if (keep.undeclared !== 'delete' && reason === 'undeclared')
    return { ...(keep.undeclared === 'report' && { finding: reportedFinding(kind, key) }), kept: id };
  const odd = read.readable ? read.odd?.get(live) : undefined;
  const undeclarable = odd?.find(({ field }) => listed.identity.includes(field))?.field;
  if (undeclarable !== undefined)
    return {
      ...finding('LIVE_UNDELETABLE', `kept because no file of this version can declare its ${undeclarable}`),
      kept: id,
    };
  const corrected = correctedBy(corrections.undeclared, live, api, 'no available operation can delete it', id);
  if ('impossible' in corrected) return finding('LIVE_UNDELETABLE', corrected.impossible);
  const { request, notes = [] } = corrected;
  const draft = (): Drafted => {
    const action = draftAction({
      kind,
      key,
      ...(isAlone ? {} : { part: id }),
      action: 'delete',
      reason,
      request,
      before: shownItem(live),
      after: null,
      ...noted(notes),
      precondition: itemState(listed, key, live),
      source,
    });
    return { action, loss: { id: action.id, item: `${kind}/${key}#${id}`, names: [name] } };
  };
  return { draft };
}

function surplusText(reason: Action['reason'], id: string): string {
  if (reason === 'duplicate') return `a second live item with this identity (${id})`;
  return reason === 'absent' ? 'on the tenant but declared absent' : 'on the tenant but not declared';
}

function decideUnmanaged<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { desired, live }: Difference<Desired, Live> & { type: 'unmanaged' },
): Decided {
  const message = 'on the tenant; left alone because the files declare it unmanaged';
  return { finding: itemFinding(listed.kind, desired, 'LIVE_UNMANAGED', message), kept: listed.idOf(live) };
}

function noted(notes: readonly string[]): { notes?: string[] } {
  return notes.length === 0 ? {} : { notes: [...notes] };
}
