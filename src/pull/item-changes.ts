// From a reading to changes of items: what each declared item has to become, which live items are new, and what stays
// although the tenant differs. Pure.
import { isDeepStrictEqual } from 'node:util';
import { withoutOldName } from '../config/desired-items.ts';
import { warning } from '../diagnostics/problem.ts';
import { type Item, itemId } from '../model/action-identity.ts';
import type { WrittenItem } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { isDifference } from '../model/findings.ts';
import type { AnyKind, DesiredItem, KeepRules, NewNames, Pulled, PullReading, PullRules } from '../model/kind.ts';
import type { Finding, Plan, Selection } from '../model/plan.generated.ts';
import { selectsItem } from '../plan/selection.ts';
import { readablePrefix } from '../secrets/credentials.ts';
import { groupBy } from '../values/group-by.ts';
import { itemSelector, literalPattern } from '../values/selector.ts';
import { inNaturalOrder } from '../values/text-order.ts';

/**
 * A change of one item. `value` is what people would write, with plain values. `overrides`: the item is declared in other
 * layers, and what is added is only what differs.
 */
export type ItemChange = { readonly kind: AnyKind; readonly key: string } & (
  | { readonly change: 'add'; readonly value: unknown; readonly overrides?: WrittenItem }
  | { readonly change: 'edit'; readonly item: WrittenItem; readonly value: unknown }
  | { readonly change: 'remove'; readonly item: WrittenItem }
);

/** One with a new value. */
export type ValuedChange = Exclude<ItemChange, { readonly change: 'remove' }>;

/** A text for each item that changes, as `itemId` has it. */
export function changedId({ kind, key }: ItemChange): string {
  return itemId({ kind: kind.name, key });
}

/** An item that stays different, with the reason. */
export interface Kept extends Item {
  readonly diagnostic: Diagnostic;
  /** New patterns under `protect` for it. */
  readonly patterns?: readonly string[];
}

export interface KindChanges {
  readonly changes: readonly ItemChange[];
  readonly kept: readonly Kept[];
  /** Selectors of undeclared items that `protect` keeps. */
  readonly notAdded: readonly string[];
  /** What new items lack, once for all of them. */
  readonly notes?: readonly Diagnostic[];
}

/** What is known about a kind: its declared items and its live ones. */
export interface KindState {
  readonly kind: AnyKind;
  readonly rules: PullRules;
  readonly reading: PullReading<unknown>;
  /** The key of a live item; each of them has one. */
  readonly keyOf: (live: unknown) => string;
  readonly items: readonly WrittenItem[];
  /** The live items of declared ones, and others. */
  readonly live: readonly unknown[];
  /** Live items that are not declared, as far as they were read. */
  readonly undeclared: readonly unknown[];
  readonly keep: KeepRules;
  /** The kind has a section. */
  readonly isManaged: boolean;
}

export interface ChangeInput {
  readonly plan: Plan;
  readonly selection: Selection;
  /** Whether --add names an item. */
  readonly adds: (kind: string, key: string) => boolean;
  readonly names: NewNames;
  /** Items that files do not accept, by kind and key, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why no file can have a value; null if one can. */
  readonly whyUnwritable: (value: unknown) => string | null;
}

export function changesOf(state: KindState, input: ChangeInput): KindChanges {
  const found: Found = { changes: [], kept: [] };
  const renamed = addDeclared(state, input, found);
  return addNew(state, input, renamed, found);
}

/** What is added to while items are compared. */
interface Found {
  readonly changes: ItemChange[];
  readonly kept: Kept[];
}

/**
 * A declared item is touched only if the plan has an action or a finding for it. Returns the undeclared live items that
 * a declared item is now.
 */
function addDeclared(
  { kind, rules, reading, keyOf, items, live, undeclared }: KindState,
  input: ChangeInput,
  { changes, kept }: Found,
): ReadonlySet<unknown> {
  const { plan, selection } = input;
  const shown = new Set(
    [...plan.actions, ...plan.findings].flatMap((part) => (part.kind === kind.name ? part.key : [])),
  );
  const byKey = groupBy(live, keyOf);
  const touched = items.filter(({ item: { key } }) => shown.has(key) && selectsItem(selection, kind.name, key));
  const liveOf = ({ item: { key, renamedFrom } }: WrittenItem) => byKey.get(key) ?? byKey.get(renamedFrom ?? '') ?? [];
  const missing = touched.filter((item) => liveOf(item).length === 0).map(({ item }) => item);
  // An item that --only names may have another name on the tenant.
  const others = { ...selection, only: [], changed: false };
  const candidates = undeclared.filter((live) => selectsItem(others, kind.name, keyOf(live)));
  const renames = renamedItems(rules, missing, candidates, reading);
  const found = new Set(plan.findings.flatMap((one) => (one.kind === kind.name ? `${one.code} ${one.key}` : [])));
  const renamed = new Set<unknown>();
  const keep = (item: WrittenItem, reason: string) =>
    kept.push(keptItem(item, `${itemText(item)} is kept as it is in the files: ${reason}.`));
  for (const item of touched) {
    const { key, state } = item.item;
    const group = liveOf(item);
    const one = group[0] ?? renames.get(key);
    // Left alone on both sides.
    if (state === 'unmanaged') continue;
    if (state === 'absent') {
      if (group.length > 0) keep(item, 'the files declare it absent, but it is on the tenant');
    } else if (found.has(`LIVE_RENAME_CONFLICT ${key}`)) {
      keep(item, 'its rename is in conflict with another item');
      for (const other of byKey.get(item.item.renamedFrom ?? '') ?? []) renamed.add(other);
    } else if (group.length > 1) keep(item, `${group.length} live items have this identity`);
    else if (one === undefined) changes.push({ change: 'remove', kind, key, item });
    else {
      const pulled = pulledItem(
        input,
        { kind: kind.name, key },
        () => rules.adopt(item.value, one, input.names, reading),
        item.value,
      );
      if ('inexpressible' in pulled) {
        // Under a new name that no file can have, it is another item.
        if (group.length === 0) changes.push({ change: 'remove', kind, key, item });
        else keep(item, `files cannot express the live item: ${pulled.inexpressible}`);
      } else {
        renamed.add(one);
        const value = found.has(`LIVE_RENAMED ${key}`) ? pulled.written : withoutOldName(pulled.written).own;
        if (!isDeepStrictEqual(item.value, value)) changes.push({ change: 'edit', kind, key, item, value });
        // The other differences of the item are written, also its name.
        const named = { ...item, item: { ...item.item, key: kind.keyOf(value, key) } };
        for (const rule of pulled.policy ?? [])
          kept.push(keptItem(named, `${itemText(named)}: ${rule}. This one difference is not written into the files.`));
      }
    }
  }
  return renamed;
}

/** An item that is missing was renamed if exactly one undeclared item is as declared, and it is the only one like it. */
export function renamedItems(
  { isLike }: PullRules,
  missing: readonly DesiredItem[],
  undeclared: readonly unknown[],
  reading?: PullReading<unknown>,
): ReadonlyMap<string, unknown> {
  if (isLike === undefined) return new Map();
  const candidates = missing.map((item) => ({ item, like: undeclared.filter((live) => isLike(item, live, reading)) }));
  const claims = groupBy(
    candidates.flatMap(({ like }) => like),
    (live) => live,
  );
  return new Map(
    candidates.flatMap(({ item, like: [live, ...others] }) =>
      others.length > 0 || claims.get(live)?.length !== 1 ? [] : [[item.key, live] as const],
    ),
  );
}

/** What an item becomes, which is `value` now. */
function pulledItem(
  { refused, whyUnwritable }: ChangeInput,
  item: Item,
  pull: () => Pulled<unknown>,
  value?: unknown,
): Pulled<unknown> {
  const why = refused.get(itemId(item));
  if (why !== undefined) return { inexpressible: why };
  const pulled = pull();
  if ('inexpressible' in pulled || isDeepStrictEqual(pulled.written, value)) return pulled;
  const reason = whyUnwritable(pulled.written);
  return reason === null ? pulled : { inexpressible: reason };
}

function addNew(
  { kind, rules, reading, keyOf, undeclared, keep }: KindState,
  input: ChangeInput,
  renamed: ReadonlySet<unknown>,
  { changes, kept }: Found,
): KindChanges {
  const { plan, selection, adds } = input;
  const ofKind = plan.findings.filter((finding) => finding.kind === kind.name);
  const actions = plan.actions.filter((action) => action.kind === kind.name);
  const differing = new Set([...actions, ...ofKind.filter(isDifference)].map(({ key }) => key));
  const isProtected = ({ code, key, source }: Finding) =>
    code === 'LIVE_PROTECTED' && source === null && !adds(kind.name, key);
  const notAdded = ofKind.filter(isProtected).flatMap(({ key }) => (differing.has(key) ? [] : key));
  const groups = groupBy(
    undeclared.filter((live) => !renamed.has(live)),
    keyOf,
  );
  const notes = new Set<string>();
  for (const [key, group] of inNaturalOrder([...groups], ([key]) => key)) {
    if (!selectsItem(selection, kind.name, key)) continue;
    if (!adds(kind.name, key) && !differing.has(key)) continue;
    const pulled: Pulled<unknown> =
      group.length > 1
        ? { inexpressible: `${group.length} live items have this identity` }
        : pulledItem(input, { kind: kind.name, key }, () => rules.declare(group[0], input.names, reading));
    if ('written' in pulled) {
      changes.push({ change: 'add', kind, key, value: pulled.written });
      for (const note of pulled.notes ?? []) notes.add(note);
    } else {
      const names = keep.undeclared === 'ignore' ? [] : group.map((one) => rules.protectAs?.(one) ?? key);
      // A name that is empty cannot be declared, so a plan keeps it.
      const patterns = names.filter((name) => name !== '' && !keep.isProtected(name)).map(literalPattern);
      kept.push({ ...leftOut(kind, key, pulled.inexpressible, patterns.length > 0), patterns });
    }
  }
  const left = inNaturalOrder([...new Set(notAdded)], (name) => name);
  return {
    changes,
    kept,
    notAdded: left.map((key) => itemSelector({ kind: kind.name, key })),
    notes: [...notes].map((note) => warning('PULL_LEFT_OUT', `${kind.name}: ${note}.`)),
  };
}

function itemText({ kind, item }: WrittenItem): string {
  return `${kind.name}/${item.key}`;
}

function keptItem({ kind, item }: WrittenItem, message: string): Kept {
  const kept = warning('PULL_KEPT', message, 'change the item in the files, or on the tenant');
  return { kind: kind.name, key: item.key, diagnostic: { ...kept, source: item.at('') } };
}

function leftOut({ name }: AnyKind, key: string, reason: string, isProtected: boolean): Kept {
  const hint = 'change the item on the tenant and pull again, or manage it there';
  const rule = isProtected ? ` It is added to protect.${name}, so that it stays and is no difference.` : '';
  const message = `${name}/${key} cannot be written into files: ${reason}.${rule}`;
  return { kind: name, key, diagnostic: warning('PULL_LEFT_OUT', message, hint) };
}

/** Names of variables that the files do not use yet. The same calls in the same order give the same names. */
export function openNames(used: readonly string[]): NewNames {
  // Some systems ignore the case of names.
  const taken = new Set(used.map((name) => name.toUpperCase()));
  return {
    secret(...words) {
      const plain = words.flatMap((word) => word.toUpperCase().match(/[A-Z0-9]+/g) ?? []);
      const name = `${readablePrefix}${plain.join('_')}`;
      let unused = name;
      for (let count = 2; taken.has(unused); count += 1) unused = `${name}_${count}`;
      taken.add(unused);
      return `\${env:${unused}}`;
    },
  };
}

/** Whether the plan after the changes has nothing left to do. What stays different must be known. */
export function isInSync(
  before: Plan,
  after: Plan,
  { parts, changes }: { readonly parts: readonly KindChanges[]; readonly changes: readonly ItemChange[] },
  states: readonly KindState[],
): boolean {
  const pulled = new Set<string>(states.map(({ kind }) => kind.name));
  const kept = new Set(parts.flatMap((part) => part.kept.map(itemId)));
  const changed = new Set(changes.map(changedId));
  const findingId = ({ code, kind, key }: Finding) => JSON.stringify([code, kind, key]);
  const known = new Set(before.findings.map(findingId));
  const isOpen = (item: Item) => pulled.has(item.kind) && !kept.has(itemId(item));
  const isNew = (finding: Finding) => changed.has(itemId(finding)) || !known.has(findingId(finding));
  return !after.actions.some(isOpen) && !after.findings.some((one) => isDifference(one) && isOpen(one) && isNew(one));
}
