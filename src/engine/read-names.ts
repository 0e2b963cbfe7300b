import type { Desired } from '../model/desired.ts';
import { InternalError } from '../model/internal-error.ts';
import type { AnyKind, DesiredItem, KindName } from '../model/kind.ts';
import { idPrefix, type Names, type Naming } from '../model/names.ts';
import { type ApiLevel, isAvailable } from '../model/operation.ts';
import type { Action, Selection } from '../model/plan.generated.ts';
import { type LiveState, liveState, type Unreadable } from '../model/reader.ts';
import type { Doubt, Snapshot } from '../model/snapshot.ts';
import { type NamedKind, openNames } from '../plan/names.ts';
import { referencesIn } from '../plan/references.ts';
import { memoized, once } from '../values/memoized.ts';
import { parseSelector } from '../values/selector.ts';
import { keepRules, noReadOperation } from './kind-rules.ts';

export interface NamesInput {
  readonly kinds: readonly AnyKind[];
  /** Those whose items are decided. */
  readonly selected: readonly AnyKind[];
  readonly desired: Desired;
  readonly selection: Pick<Selection, 'only' | 'except'>;
  /** Actions of an earlier plan. */
  readonly watched?: readonly Action[] | undefined;
  readonly api: ApiLevel;
  readonly snapshot: Snapshot;
  /** True if the files become equal to the tenant: then nothing goes, and nothing gets another name. */
  readonly adopts?: boolean | undefined;
}

export type NameReadings = ReturnType<typeof openNameReadings>;

/**
 * What the items of a plan name is read by the lists of these kinds, each once, whether the files have a section for it or
 * not. A list of several pages is read again if a name of the files, or an id of a live item, is not in it.
 */
export function openNameReadings(input: NamesInput) {
  const { kinds, selected, desired, selection, watched = [], api, snapshot, adopts = false } = input;
  const lists = new Map<KindName, LiveState<unknown>>();
  const kindOf = (name: KindName): AnyKind & { readonly naming: Naming } => {
    const kind = kinds.find((one) => one.name === name);
    if (kind?.naming === undefined) throw new InternalError(`items of ${name} cannot be named`);
    return { ...kind, naming: kind.naming };
  };
  const namedKind = (name: KindName, live: LiveState<unknown>, { tenant, sections }: Desired): NamedKind => {
    const kind = kindOf(name);
    const keep = keepRules(kind, tenant);
    const items = sections.get(name)?.items ?? [];
    const common = { kind: name, naming: kind.naming, live, isManaged: sections.has(name) };
    if (!adopts) return { ...common, items, keep };
    const adopted = ({ renamedFrom: _old, ...item }: DesiredItem): DesiredItem =>
      kind.naming.isUnique === false && item.key.startsWith(idPrefix) ? { ...item, value: {} } : item;
    const present = items.filter(({ state }) => state !== 'absent').map(adopted);
    return { ...common, items: present, keep: { ...keep, undeclared: 'ignore' } };
  };
  type ListOf = (name: KindName) => LiveState<unknown> | undefined;
  /** What names mean by the files of now or of a base; lists may be read again. */
  const namesIn = (files: Desired, listOf: ListOf): Names => {
    const known = new Map<KindName, NamedKind>();
    return openNames((name) => {
      const live = listOf(name);
      const before = known.get(name);
      if (live === undefined || before?.live === live) return before;
      const now = namedKind(name, live, files);
      known.set(name, now);
      return now;
    });
  };
  const listOf: ListOf = (name) => lists.get(name);
  const names = namesIn(desired, listOf);

  /** Names that items of the files have, and names of ids that live items have, by the kind that they are of. */
  const mentioned = memoized((_name: KindName): Set<string> => new Set());
  for (const kind of selected)
    for (const { state, value } of desired.sections.get(kind.name)?.items ?? [])
      if (state === 'present') for (const { to, name } of referencesIn(kind)(value as object)) mentioned(to).add(name);

  const readList = async (name: KindName): Promise<void> => {
    const { naming } = kindOf(name);
    const doubtsOf = function* (items: readonly unknown[]): Generator<Doubt> {
      const live = { readable: true, filtered: false, items } as const;
      const shown = namesIn(desired, (one) => (one === name ? live : listOf(one)));
      for (const text of mentioned(name)) {
        const named = shown.find(name, text);
        if (named.is === 'several') yield { name: text, what: 'duplicate', ids: named.ids };
        else if (!('id' in named)) yield { name: text, what: 'missing', ids: [] };
      }
    };
    const listing = await snapshot.list(naming.list, naming.query ?? {}, undefined, doubtsOf);
    lists.set(name, liveState(listing, false));
  };
  const read = memoized(async (name: KindName): Promise<void> => {
    const kind = kindOf(name);
    if (isNamedByItself(name, kinds)) throw new InternalError(`names of ${name} are made of each other`);
    if (!isAvailable(kind.naming.list, api)) lists.set(name, noReadOperation(kind, api));
    else {
      // Its own names are made of these.
      await Promise.all((kind.references?.inKeys ?? []).map(read));
      await readList(name);
    }
  });
  /** Patterns and keys that may be made of names. */
  const selectors = once(() => [...selection.only, ...selection.except].map(parseSelector));
  const textsOf = memoized((kind: AnyKind): readonly string[] => [
    ...keepRules(kind, desired.tenant).patterns,
    ...[...selectors(), ...watched].flatMap((one) => (one.kind === kind.name ? (one.key ?? []) : [])),
  ]);
  /** A pull writes every name that live items have. */
  const neededBy = (kind: AnyKind, items: readonly DesiredItem[]): readonly KindName[] => {
    const { needed, to = [] } = kind.references ?? {};
    const values = items.map(({ value }) => value);
    return needed?.(values, textsOf(kind), adopts) ?? to;
  };

  /** Reads the lists again that lack an id of these live items; false if there is none, or if they did not change. */
  const confirm = async ({ references }: AnyKind, live: readonly unknown[]): Promise<boolean> => {
    const lacking = new Set<KindName>();
    for (const item of live)
      for (const { to, name, by } of references?.live(item, names) ?? []) {
        const isKnown = by !== undefined || !name.startsWith(idPrefix) || mentioned(to).has(name);
        if (isKnown || !lists.get(to)?.readable || names.find(to, name).is !== 'unknown') continue;
        mentioned(to).add(name);
        lacking.add(to);
      }
    const before = [...lacking].map((name) => lists.get(name));
    await Promise.all([...lacking].map(readList));
    return [...lacking].some((name, index) => !hasSameItems(lists.get(name), before[index]));
  };
  const neededOf = new Map<KindName, readonly KindName[]>();
  /** The lists that names of these kinds are made of. */
  const listsFor = (needed: readonly KindName[]): ReadonlySet<KindName> =>
    new Set(needed.flatMap((name) => [name, ...listsFor(kindOf(name).references?.inKeys ?? [])]));
  /**
   * The names of what a kind needs, and of nothing else: whether another kind has read more by now depends on which response
   * came first, and two plans of one state have the same keys.
   */
  const namesFor = ({ name, references }: AnyKind, files: Desired): Names => {
    const needed = neededOf.get(name) ?? [];
    const hasAll = references?.to.every((one) => needed.includes(one)) ?? true;
    if (hasAll) return files === desired ? names : namesIn(files, listOf);
    const known = listsFor(needed);
    return namesIn(files, (one) => (known.has(one) ? listOf(one) : undefined));
  };
  const unreadFor = (kind: AnyKind): Unreadable | null => {
    const unread = (kind.references?.inKeys ?? []).flatMap((name) => {
      const list = neededOf.get(kind.name)?.includes(name) ? lists.get(name) : undefined;
      return list?.readable === false ? [{ ...list, message: unreadText(kind, kindOf(name), list) }] : [];
    });
    return unread[0] ?? null;
  };
  const named = new Set(kinds.flatMap(({ references }) => references?.to ?? []));

  return {
    kinds,
    /** Whether items of a kind can be named. */
    isNamed: (kind: KindName) => named.has(kind),
    /** The operations that read what the items of a kind name. */
    operationsFor: (kind: AnyKind, items: readonly DesiredItem[]) =>
      neededBy(kind, items).map((name) => kindOf(name).naming.list),
    /**
     * Reads what the items of a kind name. `unread`: why a list could not be read that its keys need; then no item is known
     * by its key.
     */
    async forKind(kind: AnyKind, items: readonly DesiredItem[]): Promise<{ names: Names; unread: Unreadable | null }> {
      const needed = neededBy(kind, items);
      neededOf.set(kind.name, needed);
      await Promise.all(needed.map(read));
      return { names: namesFor(kind, desired), unread: unreadFor(kind) };
    },
    /** The live state of a kind, once every id is known that its items have of others, as far as their lists show it. */
    async settled(kind: AnyKind, read: () => Promise<LiveState<unknown>>): Promise<LiveState<unknown>> {
      const live = await read();
      const isChanged = live.readable && (await confirm(kind, live.items));
      return unreadFor(kind) ?? (isChanged ? read() : live);
    },
    /** What names of a kind mean by the files of a base. */
    namesBy: (kind: AnyKind, files: Desired) => namesFor(kind, files),
  };
}

function isNamedByItself(name: KindName, kinds: readonly AnyKind[], path: readonly KindName[] = []): boolean {
  const inKeys = kinds.find((kind) => kind.name === name)?.references?.inKeys ?? [];
  return path.includes(name) || inKeys.some((other) => isNamedByItself(other, kinds, [...path, name]));
}

function hasSameItems(one: LiveState<unknown> | undefined, other: LiveState<unknown> | undefined): boolean {
  return one?.readable === true && other?.readable === true && one.items === other.items;
}

function unreadText({ title }: AnyKind, named: AnyKind, { message }: Unreadable): string {
  return `${title.toLowerCase()} are known by names of ${named.title.toLowerCase()}, which could not be read: ${message}`;
}
