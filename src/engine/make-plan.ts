import { sharedReader } from '../client/memo-reader.ts';
import type { Desired, WrittenFiles } from '../model/desired.ts';
import type { AnyKind, Decision, DesiredSection, KeepRules, KindName, Reading, UndeclaredRule } from '../model/kind.ts';
import { type ApiLevel, isAvailable } from '../model/operation.ts';
import type { OwnClient } from '../model/own-client.ts';
import type { Action, Effect, Plan, Selection } from '../model/plan.generated.ts';
import type { LiveState, Reader, Unreadable } from '../model/reader.ts';
import { openRefusals } from '../model/refusals.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { assemblePlan, type PlannedBefore, sealPlan, type UnsealedPlan } from '../plan/assemble-plan.ts';
import type { RelyingOn } from '../plan/link-kinds.ts';
import type { Rules } from '../plan/rules.ts';
import { onlyCompleteKeys, selectsItem, selectsKind, selectsRotation } from '../plan/selection.ts';
import { groupBy } from '../values/group-by.ts';
import { memoized } from '../values/memoized.ts';
import { matcherOfAny } from '../values/selector.ts';
import { decideStably, type StableInput } from './decide-stably.ts';
import { withDesired } from './desired-fingerprint.ts';
import type { Base } from './load-base.ts';

export interface MakePlanInput {
  readonly desired: Desired;
  readonly kinds: readonly AnyKind[];
  readonly selection: Selection;
  readonly reader: Reader;
  readonly baseUrl: string;
  readonly tool: Plan['tool'];
  readonly generatedAt: string;
  /**
   * Actions of an earlier plan that count as done if this one does not have them any more: an absence that is read from
   * several pages has to be proven.
   */
  readonly watched?: readonly Action[];
  /** Set if `watched` are all actions that are left of an earlier plan: what guards are evaluated for. */
  readonly again?: PlannedBefore;
  /** A code that is approved in addition to those of the files. */
  readonly approve?: string | undefined;
  /** The files as they are written, for the edit that approves what is refused. Default: no edit is made. */
  readonly written?: WrittenFiles;
  /** Pages of the longest list that was read, by kind; added to. Default: none was. */
  readonly pages?: Map<string, number>;
  /** Makes it a three-way plan. */
  readonly base?: Base;
  /** True if people read the plan: then texts are inspected, and it is counted who loses something. Default: false. */
  readonly inspects?: boolean;
  /** The clients of this tool, if its guards matter: then what they need is read as well. */
  readonly own?: (declared: readonly (string | null)[]) => Promise<readonly OwnClient[]>;
  /** True if complete lists are read, although one item is selected. Default: false. */
  readonly listed?: boolean | undefined;
  /** True if the files become equal to the tenant: then no declared item relies on what an action removes. */
  readonly adopts?: boolean;
  /** Called with the live state on which a kind is decided; the last one counts. */
  readonly onLive?: (kind: KindName, live: LiveState<unknown>) => void;
}

/** The operations that files may use by default. */
export const defaultApi: ApiLevel = 'full';

/** A kind with a section, and how it is read; null if no operation that the files allow reads it. */
interface Managed {
  readonly kind: AnyKind;
  readonly section: DesiredSection;
  readonly reading: Reading<unknown, unknown> | null;
}

/**
 * The one path from files and live state to a plan, for `plan`, `apply` and `drift`. Throws what the reader throws if
 * the tenant cannot be reached.
 */
export async function makePlan(input: MakePlanInput): Promise<Plan> {
  const { desired, kinds, selection, tool, generatedAt, baseUrl, base } = input;
  const api = desired.tenant.api ?? defaultApi;
  const managed = kinds.flatMap((kind) => {
    const section = desired.sections.get(kind.name);
    return section === undefined ? [] : [{ kind, section, reading: readingOf(kind, api) }];
  });
  const selected = managed.filter(({ kind }) => selectsKind(selection, kind.name));
  const readerOf = sharedReader(
    input.reader,
    selected.flatMap(({ reading }) => reading ?? []),
  );
  const lives = new Map<KindName, LiveState<unknown>>();
  const onLive = (kind: KindName, live: LiveState<unknown>) => {
    // Kept only where it is decided a second time.
    if (base !== undefined) lives.set(kind, live);
    input.onLive?.(kind, live);
  };
  const decisions = await allOrFirstError(
    selected.map(async (part) => {
      const decision = await decideKind(part, api, { ...input, onLive, reader: readerOf() });
      return withDesired(input.inspects ? await inspected(part.kind, decision) : decision, part.section);
    }),
  );
  const plan = assemblePlan({
    tool,
    tenant: { name: desired.tenant.name ?? new URL(baseUrl).host, base_url: baseUrl, api },
    generatedAt,
    kinds: kinds.map((kind) => kind.name),
    operations: kinds.flatMap((kind) => kind.operations),
    reads: selected.flatMap(({ reading }) => reading?.operations ?? []),
    decisions,
    notRead: [
      ...managed.filter((part) => !selected.includes(part)).map(({ kind }) => ({ kind: kind.name, key: '*' })),
      ...selected.flatMap((part) => itemsNotRead(part, selection)),
    ],
    selection,
    managed: managed.map(({ kind }) => kind.name),
    declared: managed.flatMap(({ kind, section }) => section.items.map(({ key }) => ({ kind: kind.name, key }))),
    ...(!input.adopts && { relyingOn: relyingOn(kinds, desired) }),
    rules: rulesOf(desired),
    approve: input.approve,
    again: input.again,
    ...(base !== undefined && {
      base: {
        ...base,
        state: base.state && { ...base.state, relyingOn: relyingOn(kinds, base.state.desired) },
        decisions: selected.flatMap(({ kind }) => baseDecision(kind, api, base, lives.get(kind.name), selection) ?? []),
      },
    }),
  });
  const near = plan.refusals.find(({ code }) => code === 'GUARD_NEAR_PROTECTED');
  // The pattern may match a name that was not read.
  if (near && input.own && !input.listed && decisions.some(({ kind, names }) => kind === near.kind && names === null))
    return makePlan({ ...input, listed: true, pages: new Map() });
  const actions = input.inspects ? await withCounts(plan.actions, kinds, input.reader) : plan.actions;
  return sealPlan(await withApprovalEdit({ ...plan, actions }, input.written));
}

/** Asks every kind with a section about all its declared items. */
function relyingOn(kinds: readonly AnyKind[], { sections }: Desired): RelyingOn {
  return (token) => kinds.flatMap((kind) => kind.relyingOn?.(sections.get(kind.name)?.items ?? [], token) ?? []);
}

/** The rules of the header, with their places. */
export function rulesOf({ tenant, tenantAt }: Desired): Rules {
  return { header: tenant, at: (pointer) => tenantAt(pointer) ?? null };
}

/** The code for this is loaded only if it is needed. */
export async function withApprovalEdit<Refused extends Pick<UnsealedPlan, 'refusals'>>(
  plan: Refused,
  written: WrittenFiles | undefined,
): Promise<Refused> {
  const [open] = openRefusals(plan.refusals);
  if (open === undefined || written === undefined) return plan;
  const { approvalEdit } = await import('../edit/header-edits.ts');
  const approve_in = approvalEdit(written, open.approve);
  const refusals = plan.refusals.map((refusal) =>
    refusal.approved_by === null ? { ...refusal, approve_in } : refusal,
  );
  return { ...plan, refusals };
}

/** How a kind is read with the operations that the files allow; null if they cannot read it. */
export function readingOf({ reading }: AnyKind, api: ApiLevel): Managed['reading'] {
  return reading?.operations.every((operation) => isAvailable(operation, api)) ? reading : null;
}

async function inspected({ inspect }: AnyKind, decision: Decision): Promise<Decision> {
  if (inspect === undefined || decision.actions.length === 0) return decision;
  const effects = await inspect(decision.actions);
  const actions = decision.actions.map((action) => {
    const found = effects.get(action.id) ?? [];
    return found.length === 0 ? action : { ...action, effects: [...action.effects, ...found] };
  });
  return { ...decision, actions };
}

/** Effects on items that lose something, with who has these items. An item is counted once, whatever takes from it. */
function withCounts(actions: readonly Action[], kinds: readonly AnyKind[], reader: Reader): Promise<Action[]> {
  const counters = new Map(kinds.map((kind) => [kind.name, memoized((id: string) => kind.holderCounts?.(reader, id))]));
  const counted = async (effect: Effect) =>
    effect.id === undefined ? effect : { ...effect, ...(await counters.get(effect.kind)?.(effect.id)) };
  const withEffects = async (action: Action) =>
    action.effects.length === 0 ? action : { ...action, effects: await allOrFirstError(action.effects.map(counted)) };
  return allOrFirstError(actions.map(withEffects));
}

async function decideKind(
  part: Managed,
  api: ApiLevel,
  {
    desired,
    reader,
    selection,
    watched: all = [],
    pages = new Map(),
    onLive = () => {},
    listed = false,
    ...input
  }: MakePlanInput,
): Promise<Decision> {
  const { kind, reading } = part;
  const { clientOf } = kind;
  const own = clientOf && (await input.own?.(part.section.items.map(({ value }) => clientOf(value))));
  const watched = all.filter((action) => action.kind === kind.name);
  // Two readings have led to these deletions already.
  const proven = new Set(watched.filter(({ action }) => action === 'delete').map(({ before }) => before?.['id']));
  const section = reading?.each ? selectedItems(part, selection) : part.section;
  const rotate = new Set(
    part.section.items.filter(({ key }) => selectsRotation(selection, kind.name, key)).map(({ key }) => key),
  );
  const keep = keepRules(kind, desired.tenant);
  const decideOn: StableInput['decideOn'] = (live, isUnproven) => {
    onLive(kind.name, live);
    const asked = askedItems(section, kind.name, live, selection);
    return kind.decide({ desired: asked, live, keep, api, own, rotate, watched, isUnproven });
  };
  if (reading === null) return decideOn(noReadOperation(kind, api), () => false);
  const keys = onlyCompleteKeys(selection, kind.name);
  // Where --only names several items, one list shows them all, and what guards compare them with.
  const only = !listed && (keys?.length === 1 || selection.changed) ? keys : null;
  const known = pages.get(kind.name);
  const ask = {
    desired: section,
    only,
    ...(only !== null && { ids: idsBefore(watched, only, api) }),
    keep,
    own,
    isAgain: watched.length > 0,
    deleting: watched.flatMap(({ action, key }) => (action === 'delete' ? [key] : [])),
    ...(known !== undefined && { pages: known }),
  };
  const read = async () => {
    const live = await reading.read(reader, ask);
    if (live.readable && !live.filtered) pages.set(kind.name, Math.max(pages.get(kind.name) ?? 0, live.pages ?? 1));
    return live;
  };
  const decision = await decideStably({
    read,
    readAgain: (before, conclusions) => reading.readAgain?.(reader, { ...ask, conclusions, before, api }) ?? read(),
    decideOn,
    isNew: ({ key, what, ids }) =>
      selectsItem(selection, kind.name, key) && !(what === 'undeclared' && proven.has(ids[0])),
  });
  // Items that the selection leaves out are declared nevertheless: the section is not left empty.
  const declared = part.section.items.filter(({ state }) => state === 'present').length;
  const undeclaredStay = keep.undeclared !== 'delete';
  return { ...decision, population: { ...decision.population, declared, undeclaredStay } };
}

/**
 * What the files of the base would change on the same live state; null if they do not have the section. With the
 * operations of now, so that the two decisions can be compared.
 */
function baseDecision(
  kind: AnyKind,
  api: ApiLevel,
  { state }: Base,
  live: LiveState<unknown> | undefined,
  selection: Selection,
): Decision | null {
  const section = state?.desired.sections.get(kind.name);
  if (state === null || section === undefined || live === undefined) return null;
  const desired = askedItems(section, kind.name, live, selection);
  return kind.decide({ desired, live, keep: keepRules(kind, state.desired.tenant), api, rotate: new Set() });
}

/** Where only the selected items were read, nothing is decided about the others: there can be 10,000 of them. */
function askedItems(
  section: DesiredSection,
  kind: KindName,
  live: LiveState<unknown>,
  selection: Selection,
): DesiredSection {
  if (!live.readable || !live.filtered) return section;
  return { items: section.items.filter(({ key }) => selectsItem(selection, kind, key)), source: section.source };
}

/** Selected items that were there before, and their ids. */
function idsBefore(
  watched: readonly Action[],
  only: readonly string[],
  api: ApiLevel,
): ReadonlyMap<string, string | null> {
  const byKey = groupBy(watched, ({ key }) => key);
  return new Map(
    only.flatMap((key): [string, string | null][] => {
      const actions = byKey.get(key) ?? [];
      const wasThere = actions.some(({ before }) => before !== null);
      return wasThere ? [[key, (api === 'full' && idOf(actions)) || null]] : [];
    }),
  );
}

/** The id of the one live item that these actions are about. */
function idOf([first, ...others]: readonly Action[]): string | undefined {
  const id = first?.before?.['id'];
  return typeof id === 'string' && others.length === 0 && first?.reason !== 'duplicate' ? id : undefined;
}

/** Of a kind that is read item by item, the items that have to be read. */
function selectedItems({ kind, section }: Managed, selection: Selection): DesiredSection {
  const items = section.items.filter(
    ({ key, state }) => state !== 'unmanaged' && selectsItem(selection, kind.name, key),
  );
  return items.length === section.items.length ? section : { items, source: section.source };
}

/** Of a kind that is read item by item, the items that the selection leaves out. */
function itemsNotRead({ kind, section, reading }: Managed, selection: Selection): { kind: KindName; key: string }[] {
  if (!reading?.each) return [];
  return section.items
    .filter(({ key }) => !selectsItem(selection, kind.name, key))
    .map(({ key }) => ({ kind: kind.name, key }));
}

export function noReadOperation(kind: AnyKind, api: ApiLevel): Unreadable {
  return {
    readable: false,
    structural: true,
    code: 'LIVE_UNREADABLE',
    message: `no operation of api: ${api} reads ${kind.title.toLowerCase()}`,
  };
}

export function keepRules(kind: AnyKind, tenant: TenantHeader): KeepRules {
  const rules: Readonly<Record<string, UndeclaredRule | undefined>> = { ...tenant.undeclared };
  const keepsParts = Array.isArray(tenant.keep_undeclared) && tenant.keep_undeclared.includes(kind.name);
  const matchers = new Map(
    Object.entries(tenant.protect ?? {}).map(([name, patterns]) => [name, matcherOfAny(patterns)]),
  );
  return {
    patterns: tenant.protect?.[kind.name] ?? [],
    undeclared: rules[kind.name] ?? (keepsParts && kind.undeclared === 'delete' ? 'report' : kind.undeclared),
    keepsParts,
    isProtected: (name, of = kind.name) => matchers.get(of)?.(name) === true,
  };
}

/** Like Promise.all, but waits for the others, so that no read is in flight when a run ends. */
async function allOrFirstError<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
