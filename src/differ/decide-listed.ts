import type { Conclusion, DecideInput, Decision, DesiredItem, KeepRules, Loss } from '../model/kind.ts';
import { type ApiLevel, idProblem, isAvailable, type Operation } from '../model/operation.ts';
import type { Action, FieldChange, Finding } from '../model/plan.generated.ts';
import type { Readable } from '../model/reader.ts';
import { compareText } from '../values/text-order.ts';
import { decideSecrets, type SecretHook } from './decide-secrets.ts';
import { type Comparison, type Difference, diffItems } from './diff-items.ts';
import {
  type Corrected,
  draftAction,
  draftFinding,
  itemState,
  shownChanges,
  shownItem,
  type Uncorrectable,
} from './draft.ts';
import { goneConclusions } from './gone.ts';
import { oddFinding, withLossNote } from './odd-fields.ts';
import { reportedFinding } from './undeclared.ts';
import { unreadableDecision } from './unreadable-decision.ts';

/**
 * The decision for a kind whose items can be listed.
 *
 * Every difference becomes one request or one finding. It becomes a request if the kind has a correction for it whose
 * operation the files allow. Items that `protect` or `undeclared` covers stay, and are no losses.
 */
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

/** A live item that the files do not want. */
interface Surplus extends Pick<Action, 'key' | 'reason' | 'source'> {
  /** False if other live items share its identity: then the action carries the id of the item. */
  readonly alone: boolean;
}

interface Decided {
  /** Only a decision whose conclusions are proven needs its actions. */
  readonly draft?: () => Drafted;
  readonly finding?: Finding;
  /** Id of a live item that only a rule keeps. */
  readonly kept?: string;
}

interface Drafted {
  readonly action: Action;
  readonly loss?: Loss;
  /** Id of a live item that is deleted. */
  readonly deleted?: string;
}

export function decideListed<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  given: DecideInput<Desired, Live>,
): Decision {
  const { desired, keep, watched = [], isUnproven = () => false } = given;
  if (!given.live.readable) return unreadableDecision(listed.kind, desired, given.live);
  const { items, findings: undeclarable } = separated(listed, given.live.items, keep);
  const live = { ...given.live, items };
  const input = { ...given, live };
  const isLong = (live.pages ?? 1) > 1;
  const seen: Conclusion[] = [];
  let isProven = true;
  const actions: Action[] = [];
  const found: Finding[] = [];
  const losses: Loss[] = [];
  const kept = new Set<string>();
  const deleted = new Set<string>();
  for (const difference of diffItems(desired.items, live.items, listed)) {
    const decided = decideOne(listed, input, difference);
    const conclusion = isLong ? conclusionFrom(listed, difference, decided) : null;
    if (conclusion !== null) seen.push(conclusion);
    isProven &&= conclusion === null || !isUnproven(conclusion);
    if (!isProven) continue;
    if (decided.finding !== undefined) found.push(decided.finding);
    if (decided.kept !== undefined) kept.add(decided.kept);
    const drafted = decided.draft?.();
    if (drafted === undefined) continue;
    actions.push(drafted.action);
    if (drafted.loss !== undefined) losses.push(drafted.loss);
    if (drafted.deleted !== undefined) deleted.add(drafted.deleted);
  }
  if (!isProven) return undrafted(listed.kind, seen);
  const conclusions = isLong ? [...seen, ...goneConclusions(watched, actions)] : [];
  const decision: Decision = {
    kind: listed.kind,
    actions,
    findings: [
      ...found,
      ...undeclarable,
      ...oddFindings(listed, given),
      ...leftFindings(listed, given.live.items, watched, actions),
    ],
    losses,
    asked: [],
    gains: actions.flatMap(({ id, before }) => (before === null ? [id] : [])),
    ...(conclusions.length > 0 && { conclusions }),
    unreadable: null,
    population: {
      declared: desired.items.filter(({ state }) => state === 'present').length,
      live: live.items
        .filter((item) => !kept.has(listed.idOf(item)))
        .map((item) => ({ key: listed.keyOf(item), parts: 1, left: deleted.has(listed.idOf(item)) ? 0 : 1 })),
      filtered: live.filtered,
      unit,
    },
    names:
      live.filtered || keep.patterns.length === 0
        ? null
        : [...desired.items.map(({ value }) => value), ...live.items].map((item) => listed.protectedAs(item)),
  };
  const { secrets } = listed;
  const complete =
    secrets === undefined ? decision : decideSecrets(decision, { ...input, live }, { ...listed, secrets });
  return { ...complete, actions: noteLosses(complete.actions, live, listed) };
}

/** What no file can declare is neither matched nor deleted, and its id is no name that files could mean. */
function separated<Desired, Live>(
  { kind, undeclarable, idOf }: ListedKind<Desired, Live>,
  live: readonly Live[],
  { undeclared }: KeepRules,
): { readonly items: readonly Live[]; readonly findings: readonly Finding[] } {
  if (undeclarable === undefined) return { items: live, findings: [] };
  const findings = live.flatMap((item) => {
    const why = undeclarable(item);
    const message = `on the tenant; left alone because ${why}, so no file can declare it`;
    return why === null
      ? []
      : draftFinding({ code: 'LIVE_UNDECLARABLE', kind, key: idOf(item), message, source: null });
  });
  const items = live.filter((item) => undeclarable(item) === null);
  return { items, findings: undeclared === 'ignore' ? [] : findings };
}

const unit = { verb: 'delete', one: 'item', many: 'items' } as const;

/** Nothing but what another reading has to prove. */
function undrafted(kind: string, conclusions: readonly Conclusion[]): Decision {
  return {
    kind,
    actions: [],
    findings: [],
    losses: [],
    asked: [],
    gains: [],
    conclusions,
    unreadable: null,
    population: { declared: 0, live: [], filtered: false, unit },
    names: null,
  };
}

/**
 * An item that is not listed may have moved to a page that was read before, and one of two with the same identity may
 * have replaced the other. An update relies on an item that was seen, and so does a finding about one.
 */
function conclusionFrom<Desired, Live>(
  { keyOf, idOf }: Pick<ListedKind<Desired, Live>, 'keyOf' | 'idOf'>,
  difference: Difference<Desired, Live>,
  decided: Decided,
): Conclusion | null {
  const ids = (...items: readonly Live[]) => items.map(idOf).sort(compareText);
  switch (difference.type) {
    case 'missing':
      return { key: difference.desired.key, what: 'missing', ids: [] };
    case 'surplus':
      return { key: difference.desired.key, what: 'duplicate', ids: ids(difference.kept, difference.live) };
    case 'ambiguous':
      return { key: difference.desired.key, what: 'duplicate', ids: ids(...difference.live) };
    case 'absent':
    case 'undeclared':
      return decided.draft === undefined
        ? null
        : {
            key: difference.type === 'absent' ? keyOf(difference.live) : difference.key,
            what: 'undeclared',
            ids: [idOf(difference.live)],
          };
    case 'unmanaged':
    case 'different':
      return null;
  }
}

/**
 * Items of earlier actions that exist, but not as the actions mean them: under another identity, or, if they were to be
 * deleted, as the item that the files declare. Then the action is not needed any more, and its goal is not reached.
 */
function leftFindings<Live>(
  { kind, keyOf, idOf }: Pick<ListedKind<never, Live>, 'kind' | 'keyOf' | 'idOf'>,
  live: readonly Live[],
  watched: readonly Action[],
  actions: readonly Action[],
): Finding[] {
  if (watched.length === 0) return [];
  const keys = new Map<unknown, string>(live.map((item) => [idOf(item), keyOf(item)]));
  const deleted = new Set(actions.flatMap(({ action, before }) => (action === 'delete' ? [before?.['id']] : [])));
  return watched.flatMap(({ key, action, before }) => {
    const id = before?.['id'];
    const now = keys.get(id);
    const isLeft = action === 'delete' && !deleted.has(id);
    if (now === undefined || (now === key && !isLeft)) return [];
    const message =
      now === key
        ? `${String(id)} was to be deleted, and is the item of this identity now`
        : `its identity was changed on the tenant: ${String(id)} is ${now} now`;
    return [draftFinding({ code: 'LIVE_DIFFERENT', kind, key, message, source: null })];
  });
}

function oddFindings<Desired extends object, Live extends object>(
  { kind, keyOf }: ListedKind<Desired, Live>,
  { desired, live }: DecideInput<Desired, Live>,
): Finding[] {
  const odd = live.readable ? [...(live.odd ?? [])] : [];
  if (odd.length === 0) return [];
  const declared = new Map(desired.items.map((item) => [item.key, item]));
  return odd.map(([item, fields]) => oddFinding(kind, keyOf(item), fields, declared.get(keyOf(item))));
}

/** An update or a delete names the id of the item at the end of its path. */
function noteLosses<Live>(
  actions: readonly Action[],
  { odd = new Map() }: Readable<Live>,
  { idOf }: Pick<ListedKind<never, Live>, 'idOf'>,
): readonly Action[] {
  if (odd.size === 0) return actions;
  const byPathEnd = new Map([...odd].map(([item, fields]) => [`/${encodeURIComponent(idOf(item))}`, fields]));
  return actions.map((action) => {
    const { path } = action.request;
    return withLossNote(action, byPathEnd.get(path.slice(path.lastIndexOf('/'))) ?? []);
  });
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
    case 'absent':
      return decideSurplus(listed, input, difference.live, {
        key: difference.desired.key,
        reason: 'absent',
        source: difference.desired.at(''),
        alone: difference.alone,
      });
    case 'unmanaged':
      return decideUnmanaged(listed, difference);
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
  const corrected = correctedBy(listed.corrections.missing, item.value, api, 'no available operation can create it');
  if ('impossible' in corrected) {
    const message = `declared but missing on the tenant; ${corrected.impossible}`;
    return { finding: declaredFinding(listed, item, 'LIVE_MISSING', message) };
  }
  return {
    draft: () => ({
      action: draftAction({
        ...declaredAction(listed.kind, item, corrected),
        action: 'create',
        reason: 'missing',
        before: null,
        precondition: 'absent',
      }),
    }),
  };
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
      finding: { ...declaredFinding(listed, desired, 'LIVE_DIFFERENT', message), changes: shownChanges(changes) },
    };
  }
  return {
    draft: () => ({
      action: draftAction({
        ...declaredAction(listed.kind, desired, corrected),
        action: 'update',
        reason: 'different',
        before: shownItem(live),
        changes: shownChanges(changes),
        precondition: itemState(listed, live),
      }),
    }),
  };
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

function declaredAction(kind: string, item: DesiredItem<object>, { request, notes = [] }: Corrected) {
  return { kind, key: item.key, request, after: plainItem(item.value), ...noted(notes), source: item.at('') };
}

function decideSurplus<Desired extends object, Live extends object>(
  listed: ListedKind<Desired, Live>,
  { keep, api, live: read }: DecideInput<Desired, Live>,
  live: Live,
  { key, reason, source, alone }: Surplus,
): Decided {
  const { kind, corrections } = listed;
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
      ...(alone ? {} : { part: id }),
      action: 'delete',
      reason,
      request,
      before: shownItem(live),
      after: null,
      ...noted(notes),
      precondition: itemState(listed, live),
      source,
    });
    return { action, loss: { id: action.id, item: `${kind}/${key}#${id}`, names: [name] }, deleted: id };
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
  return { finding: declaredFinding(listed, desired, 'LIVE_UNMANAGED', message), kept: listed.idOf(live) };
}

function noted(notes: readonly string[]): { notes?: string[] } {
  return notes.length === 0 ? {} : { notes: [...notes] };
}

function declaredFinding<Desired extends object, Live>(
  { kind }: ListedKind<Desired, Live>,
  item: DesiredItem<Desired>,
  code: Finding['code'],
  message: string,
): Finding {
  return draftFinding({ code, kind, key: item.key, message, source: item.at('') });
}

/** A plan has items as the files or the service gave them. Their type belongs to the kind. */
function plainItem(item: object): Record<string, unknown> {
  return item as Record<string, unknown>;
}
