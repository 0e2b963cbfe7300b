import { resultReference } from '../model/action-identity.ts';
import type { DecideInput, DesiredItem, Loss } from '../model/kind.ts';
import { idProblem, isAvailable, type Operation } from '../model/operation.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import type { SecretHook } from './decide-secrets.ts';
import type { Changed, Comparison, Difference, Surplus } from './diff-items.ts';
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
  /** The field of the id in the response to a create. Default: id. */
  readonly idField?: string;
  /** A live item for people to read; default: the item. */
  shown?(live: Live): object;
  /** The fields that `keyOf` is made of. */
  readonly identity: readonly string[];
  /** Why no file can declare a live item; null if one can. Default: one can. */
  undeclarable?(live: Live): string | null;
  /** Why an item is not deleted that the files do not declare; null if it can be. Default: it can. */
  whyKept?(live: Live): string | null;
  /** What patterns under `protect` are matched against. */
  protectedAs(item: Desired | Live): readonly string[];
  readonly corrections: Corrections<Desired, Live>;
  /** Why an item that is missing is not created; null if it is. Default: it is. */
  notCreated?(item: DesiredItem<Desired>): Finding | null;
  /** JSON pointers of what an update sends back although a plan does not know it. Default: nothing. */
  sentBackOf?(live: Live): readonly string[];
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
  readonly changes: readonly Changed[];
}

export interface Correction<Input> {
  readonly operation: Operation;
  correct(input: Input): Corrected | Uncorrectable;
}

export interface Decided {
  readonly action?: Action;
  /** What is done once the action has created the item. */
  readonly followUp?: Action;
  readonly loss?: Loss;
  readonly finding?: Finding;
  /** Id of a live item that only a rule keeps. */
  readonly kept?: string;
}

/** Decides which request or finding a difference becomes. A plan has items as the files or the service gave them. */
export function openDifferences<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { keep, api, live: read }: DecideInput<Desired, Live>,
): (difference: Difference<Desired, Live>) => Decided {
  const { kind, corrections } = listed;
  const odd = read.readable ? read.odd : undefined;
  const found = (item: DesiredItem<Desired>, code: Finding['code'], message: string) =>
    itemFinding(kind, item, code, message);
  /** The correction of a difference, if there is one that the files allow. `id`: of the live item, for its path. */
  const correctedBy = <Input>(correction: Correction<Input> | undefined, input: Input, does: string, id?: string) => {
    if (correction === undefined || !isAvailable(correction.operation, api))
      return { impossible: `no available operation can ${does} it` };
    const wrongId = id === undefined ? null : idProblem(correction.operation, id);
    return wrongId === null ? correction.correct(input) : { impossible: wrongId };
  };
  const drafted = (
    { key, value, at }: DesiredItem<Desired>,
    { request, notes = [], needs = [] }: Corrected,
    rest: Pick<ActionDraft, 'action' | 'reason' | 'before' | 'changes' | 'precondition' | 'part'> &
      Partial<Pick<ActionDraft, 'source'>>,
  ): Action => {
    const after = value as Record<string, unknown>;
    const needed = needs.length > 0 && { needs: [...new Set(needs)] };
    return draftAction({ kind, key, request, after, ...noted(notes), ...needed, source: at(''), ...rest });
  };

  const decideMissing = (item: DesiredItem<Desired>): Decided => {
    const finding = listed.notCreated?.(item) ?? null;
    if (finding !== null) return { finding };
    const corrected = correctedBy(corrections.missing, item.value, 'create');
    if ('impossible' in corrected)
      return { finding: found(item, 'LIVE_MISSING', `declared but missing on the tenant; ${corrected.impossible}`) };
    const create = drafted(item, corrected, {
      action: 'create',
      reason: 'missing',
      before: null,
      precondition: 'absent',
    });
    if (corrected.followUp === undefined) return { action: create };
    const request = corrected.followUp(resultReference(create.id, listed.idField ?? 'id'));
    const about = { action: 'update', reason: 'missing', part: 'update', before: null, precondition: null } as const;
    return { action: create, followUp: drafted(item, { request, needs: [create.id] }, about) };
  };
  const decideDifferent = (item: DesiredItem<Desired>, live: Live, changes: readonly Changed[]): Decided => {
    const change = { desired: item.value, live, changes };
    const corrected = correctedBy(corrections.different, change, 'change', listed.idOf(live));
    if ('impossible' in corrected) {
      const finding = found(item, 'LIVE_DIFFERENT', `differs from the files; ${corrected.impossible}`);
      return { finding: { ...finding, changes: shownChanges(changes) } };
    }
    const { left } = corrected;
    const corrects = left === undefined ? changes : changes.filter((one) => !left.changes.includes(one));
    const [source, place] = [item.at(''), item.at(jsonPointer(corrects[0]?.path[0] ?? ''))];
    const action = drafted(item, corrected, {
      // Another layer may declare the field.
      ...(place.file !== source.file && { source: place }),
      action: 'update',
      reason: 'different',
      before: shownItem(listed.shown?.(live) ?? live),
      changes: shownChanges(corrects),
      precondition: itemState(listed, item.key, live),
    });
    if (left === undefined) return { action };
    const finding = found(item, 'LIVE_DIFFERENT', `differs from the files; ${left.why}`);
    return { action, finding: { ...finding, changes: shownChanges(left.changes) } };
  };
  const decideAmbiguous = (item: DesiredItem<Desired>, live: readonly Live[]): Decided => {
    const ids = live.map((one) => listed.idOf(one));
    if (item.renamedFrom !== undefined) return { finding: bothNames(kind, item, ids) };
    if (listed.isUnique === false) {
      const several = `${ids.length} live items have this name (${ids.join(', ')}); name one of them by its id: { id: ${ids[0]} }`;
      return { finding: found(item, 'LIVE_AMBIGUOUS', several) };
    }
    const message = `${ids.length} live items have this identity (${ids.join(', ')}) and none matches the files; delete the extra ones on the tenant`;
    return { finding: found(item, 'LIVE_DUPLICATE', message) };
  };
  const decideSurplus = ({ reason, key, desired, live, alone }: Surplus<Desired, Live>): Decided => {
    const source = desired?.at('') ?? null;
    const id = listed.idOf(live);
    const finding = (code: Finding['code'], why: string) =>
      draftFinding({ code, kind, key, message: `${surplusText(reason, id)}; ${why}`, source });
    if (listed.protectedAs(live).some((name) => keep.isProtected(name)))
      return { finding: finding('LIVE_PROTECTED', 'kept because it is protected'), kept: id };
    if (keep.undeclared !== 'delete' && reason === 'duplicate')
      return { finding: finding('LIVE_DUPLICATE', `kept because undeclared is ${keep.undeclared}`), kept: id };
    if (keep.undeclared !== 'delete' && reason === 'undeclared')
      return keep.undeclared === 'report' ? { finding: reportedFinding(kind, key), kept: id } : { kept: id };
    const field = odd?.get(live)?.find((one) => listed.identity.includes(one.field))?.field;
    if (field !== undefined) {
      const why = `kept because no file of this version can declare its ${field}`;
      return { finding: finding('LIVE_UNDELETABLE', why), kept: id };
    }
    const meant = reason === 'undeclared' ? (listed.whyKept?.(live) ?? null) : null;
    if (meant !== null) return { finding: finding('LIVE_UNDELETABLE', meant), kept: id };
    const corrected = correctedBy(corrections.undeclared, live, 'delete', id);
    if ('impossible' in corrected) return { finding: finding('LIVE_UNDELETABLE', corrected.impossible) };
    const action = draftAction({
      kind,
      key,
      // Otherwise the action carries the id of the item.
      ...(alone ? {} : { part: id }),
      action: 'delete',
      reason,
      request: corrected.request,
      before: shownItem(listed.shown?.(live) ?? live),
      after: null,
      ...noted(corrected.notes),
      precondition: itemState(listed, key, live),
      source,
    });
    // One text, like the id of an action.
    const item = [kind, '/', key, ...(id === '' ? [] : ['#', id])].join('');
    return { action, loss: { id: action.id, item } };
  };
  const leftAlone = 'on the tenant; left alone because the files declare it unmanaged';

  return (difference) => {
    switch (difference.type) {
      case 'missing':
        return decideMissing(difference.desired);
      case 'different':
        return decideDifferent(difference.desired, difference.live, difference.changes);
      case 'ambiguous':
        return decideAmbiguous(difference.desired, difference.live);
      case 'unmanaged':
        return {
          finding: found(difference.desired, 'LIVE_UNMANAGED', leftAlone),
          kept: listed.idOf(difference.live),
        };
      case 'surplus':
        return decideSurplus(difference);
    }
  };
}

function surplusText(reason: Surplus<unknown, unknown>['reason'], id: string): string {
  if (reason === 'duplicate') return `a second live item with this identity (${id})`;
  return reason === 'absent' ? 'on the tenant but declared absent' : 'on the tenant but not declared';
}

function noted(notes: readonly string[] = []): { notes?: string[] } {
  return notes.length === 0 ? {} : { notes: [...notes] };
}
