import type { Desired } from '../model/desired.ts';
import type { AnyKind, Decision, DesiredSection, KindName, Reading } from '../model/kind.ts';
import type { Names } from '../model/names.ts';
import { type ApiLevel, idIn, type ListOperation, type Operation } from '../model/operation.ts';
import type { OwnAccess } from '../model/own-client.ts';
import type { Action, Selection } from '../model/plan.generated.ts';
import { isSettled, type LiveState } from '../model/reader.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Base } from '../plan/assemble-input.ts';
import { openNames } from '../plan/names.ts';
import { withNodes, withReferences } from '../plan/references.ts';
import { onlyCompleteKeys, selectsItem, selectsRotation } from '../plan/selection.ts';
import { groupBy } from '../values/group-by.ts';
import { keepRules, noReadOperation } from './kind-rules.ts';
import type { NameReadings } from './read-names.ts';

/** A kind with a section, and how it is read; null if no operation that the files allow reads it. */
export interface Managed {
  readonly kind: AnyKind;
  readonly section: DesiredSection;
  readonly reading: Reading<unknown, unknown> | null;
}

/** What one kind is read and decided with. */
export interface KindInput {
  readonly desired: Desired;
  readonly selection: Selection;
  readonly snapshot: Snapshot;
  /**
   * Actions of an earlier plan that count as done if this one does not have them any more: an absence that is read from
   * several pages has to be proven.
   */
  readonly watched?: readonly Action[];
  /** What this tool is to the tenant, if its guards matter: then what they need is read as well. */
  readonly own?: (declared: readonly (string | null)[]) => Promise<OwnAccess>;
  /** True if complete lists are read, although one item is selected. Default: false. */
  readonly listed?: boolean | undefined;
  /** Makes it a three-way plan. */
  readonly base?: Base;
  /** What reads the kinds that items name. */
  readonly names?: NameReadings;
  /** Called with the live state on which a kind is decided. */
  readonly onLive?: (kind: KindName, live: LiveState<unknown>) => void;
}

/**
 * Reads a kind, and decides about it. `base`: what the files of the base would change on the same live state; null if they do
 * not have the section.
 */
export async function decideKind(part: Managed, api: ApiLevel, input: KindInput) {
  const { kind, reading } = part;
  const { desired, snapshot, selection, onLive = () => {} } = input;
  const { clientOf, isAboutOwn = clientOf !== undefined } = kind;
  const about = clientOf === undefined ? [] : part.section.items.map(({ value }) => clientOf(value));
  const own = isAboutOwn ? await input.own?.(about) : undefined;
  const watched = (input.watched ?? []).filter((action) => action.kind === kind.name);
  const isSelected = (key: string) => selectsItem(selection, kind.name, key);
  const selected = ({ items, source }: DesiredSection) => ({
    items: items.filter(({ key }) => isSelected(key)),
    source,
  });
  const section = reading?.each ? selected(part.section) : part.section;
  // Where only the selected items were read, nothing is decided about the others: there can be 10,000 of them.
  const asked = (of: DesiredSection, live: LiveState<unknown>) => (live.readable && live.filtered ? selected(of) : of);
  const rotate = new Set(
    part.section.items.filter(({ key }) => selectsRotation(selection, kind.name, key)).map(({ key }) => key),
  );
  const keep = keepRules(kind, desired.tenant);
  const others = kind.references === undefined ? undefined : input.names;
  const past = input.base?.state?.desired;
  const pastSection = past?.sections.get(kind.name);
  const named = [...part.section.items, ...(pastSection?.items ?? [])];
  const { names, unread = null } = (await others?.forKind(kind, named)) ?? {};
  const readLive = async (): Promise<LiveState<unknown>> => {
    if (reading === null) return noReadOperation(kind, api);
    const keys = onlyCompleteKeys(selection, kind.name);
    // Where --only names several items, one list shows them all, and what guards compare them with.
    const only = !input.listed && (keys?.length === 1 || selection.changed) ? keys : null;
    const before = only === null ? undefined : idsBefore(watched, only, api, kind.operations);
    const { listed } = input;
    const ask = { desired: section, only, listed, ...(before && { before }), keep, own, watched, isSelected, names };
    return reading.read(snapshot, ask);
  };
  const live = unread ?? (await (others?.settled(kind, readLive) ?? readLive()));
  onLive(kind.name, live);
  const linked = (decided: Decision, { items }: DesiredSection, by: Names | undefined): Decision => {
    const { kinds = [], isNamed } = input.names ?? {};
    const referring = by === undefined ? decided : withReferences(decided, { kind, kinds, items, live, names: by });
    if (!isNamed?.(kind.name) || kind.naming === undefined) return referring;
    const own = { kind: kind.name, naming: kind.naming, live, items, isManaged: true, keep };
    return withNodes(
      referring,
      kind,
      openNames((name) => (name === kind.name ? own : undefined)),
    );
  };
  const wanted = asked(section, live);
  const decided = kind.decide({ desired: wanted, live, keep, api, own, names, rotate, watched });
  const decision = linked(decided, wanted, names);
  /** With the operations of now, so that the two decisions can be compared. */
  const decideBase = (): Decision | null => {
    if (past === undefined || pastSection === undefined) return null;
    const keptThen = keepRules(kind, past.tenant);
    const then = asked(pastSection, live);
    const namesThen = others?.namesBy(kind, past);
    const decided = kind.decide({ desired: then, live, keep: keptThen, api, names: namesThen, rotate: new Set() });
    return linked(decided, then, namesThen);
  };
  if (reading === null) return { decision, base: decideBase(), live };
  // Items that the selection leaves out are declared nevertheless: the section is not left empty.
  const declared = part.section.items.filter(({ state }) => state === 'present').length;
  const population = { ...decision.population, declared, undeclaredStay: keep.undeclared !== 'delete' };
  return { decision: { ...decision, population }, base: decideBase(), live };
}

/** Selected items that were there before, and their ids. */
function idsBefore(
  watched: readonly Action[],
  only: readonly string[],
  api: ApiLevel,
  operations: readonly Operation[],
): ReadonlyMap<string, string | null> {
  const byKey = groupBy(watched, ({ key }) => key);
  return new Map(
    only.flatMap((key): [string, string | null][] => {
      const actions = byKey.get(key) ?? [];
      const wasThere = actions.some(({ before }) => before !== null);
      return wasThere ? [[key, api === 'full' ? idOf(actions, operations) : null]] : [];
    }),
  );
}

/** The id of the one live item that these actions are about, as their requests have it; null if it is not known. */
function idOf(actions: readonly Action[], operations: readonly Operation[]): string | null {
  const ids = actions.map(({ request: { operation, path } }) => {
    const row = operations.find(({ id }) => id === operation);
    return row === undefined ? null : idIn(row, path);
  });
  const [id = null, ...others] = new Set(ids);
  return others.length === 0 && actions.every(({ reason }) => reason !== 'duplicate') ? id : null;
}

/** Of a kind that is read item by item, the items that the selection leaves out. */
export function itemsNotRead(
  { kind, section, reading }: Managed,
  selection: Selection,
): { kind: KindName; key: string }[] {
  if (!reading?.each) return [];
  return section.items
    .filter(({ key }) => !selectsItem(selection, kind.name, key))
    .map(({ key }) => ({ kind: kind.name, key }));
}

/** Files without a section need no reading, so one request shows whether this client reaches the tenant. */
export async function reached([kind]: readonly AnyKind[], { desired, snapshot }: KindInput, api: ApiLevel) {
  const listing = kind?.operations.find((operation): operation is ListOperation => operation.paging !== undefined);
  const source = desired.tenantAt('');
  if (kind === undefined || listing === undefined || source === undefined) return [];
  const counted = await snapshot.count(listing, {});
  if (counted.ok || counted.status === 403 || isSettled(counted.why)) return [];
  const keep = keepRules(kind, desired.tenant);
  return [kind.decide({ desired: { items: [], source }, live: counted.why, keep, api, rotate: new Set() })];
}
