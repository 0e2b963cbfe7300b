import { plannedRequest } from '../contract/path.ts';
import type { ContainerAction, ContainerChange, ContainerKind } from '../differ/container-kind.ts';
import { type DecidedContainer, openParts } from '../differ/decide-parts.ts';
import type { Changed } from '../differ/diff-items.ts';
import { type ActionDraft, draftAction, itemFinding, shownChanges } from '../differ/draft.ts';
import type { UnreadParts } from '../differ/unreadable-decision.ts';
import type { Counted, DecideInput, Decision, DesiredItem, LiveCount, Loss } from '../model/kind.ts';
import { isAvailable } from '../model/operation.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { type Elements, isSettled, type Unreadable } from '../model/reader.ts';
import type { ElementOperation, KindDescription, Resource } from '../model/resource.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { memberOf } from '../values/json-pointer.ts';
import { listed, listOf } from '../values/list-of.ts';
import { compareText } from '../values/text-order.ts';
import { changesOf } from './compare.ts';
import { type Element, isHeldByItem, nearElements, openElements } from './elements.ts';
import { declaresFields } from './keys.ts';
import { inOrder, isOn } from './members.ts';
import { onService, openReferences } from './references.ts';
import { created } from './updated.ts';

type Item = Readonly<Record<string, unknown>>;

/** The item that has the set. `id`: on the tenant, or a reference to the action that creates it. */
export interface Owner {
  readonly item: DesiredItem<object>;
  readonly id: string;
  readonly needs: readonly string[];
  /** Names that patterns under `protect` may mean. */
  readonly names: readonly string[];
  /** What was read; null for a new item, undefined where the files declare nothing of the set. */
  readonly elements: Elements | null | undefined;
  /** The item on the tenant, as files name what is in it; null for a new one. */
  readonly live: object | null;
}

interface DecidedSet extends Pick<DecidedContainer, 'actions' | 'findings'>, Counted {
  readonly unread: readonly Unreadable[];
}

type Input = Pick<DecideInput<object, object>, 'keep' | 'api' | 'names' | 'desired'>;

/**
 * The elements that are added to sets and removed from them, such as the clients of a connection. A set that the files do not
 * declare is left alone, and one that could not be read is as well, with a finding. What the files say must not be there is
 * removed, and is no loss.
 *
 *   declared { permissions: [read, write], absent_permissions: [admin] }
 *   live     [read, delete, admin]
 *   ->       add [write]; remove [admin, delete], where delete is a loss and admin was asked for
 */
export function decideSets(
  description: KindDescription,
  name: string,
  owners: readonly Owner[],
  input: Input,
): DecidedSet {
  const { name: kind, noun } = description;
  const { set, elements, container, correct, isComplete, lacks, fixed } = openSet(description, name, input);
  const decideSet = (owner: Owner): DecidedContainer => {
    const { item, id, elements: read } = owner;
    const stays = {
      ...nothing,
      live: declaresFields(description, item) ? [{ key: item.key, parts: 0, stays: true }] : [],
    };
    if (read === undefined) return isHeldByItem(set) ? stays : nothing;
    if (read?.readable === false) {
      const [code, message] = read.gone
        ? (['LIVE_NOT_FOUND', `the ${noun.one} was deleted while it was read`] as const)
        : ([read.code, `its ${name} could not be read, and are not changed: ${read.message}`] as const);
      return { ...stays, findings: [itemFinding(kind, item, code, message, `/${name}`)] };
    }
    const parts = sorted((read?.items ?? []).map(elements.live));
    const { decideParts } = openParts({ ...container, correct: correct(owner) }, input.keep);
    const decided = decideParts({ item, id, names: owner.names, parts });
    const declared = elements.declaredBy(item.value, name);
    const there = new Set(parts.map((part) => part.id));
    const missing = (declared.wanted ?? []).filter((one) => !there.has(one.id) && !isComplete(one));
    const lacking = missing.map(({ name: own }) =>
      itemFinding(kind, item, 'LIVE_MISSING', `its ${lacks(own)}`, `/${name}`),
    );
    return {
      ...decided,
      findings: [
        ...decided.findings,
        ...nearElements(kind, noun, set, item, declared.unwanted, parts),
        ...lacking,
        ...fixed(owner),
      ],
      live: [...decided.live, ...(declared.wanted === null && isHeldByItem(set) ? stays.live : [])],
    };
  };
  const held = (owner: Owner) => {
    const decided = decideSet(owner);
    if (!isHeldByItem(set)) return decided;
    const holder = { kind: description.name, id: owner.id, key: owner.item.key };
    const heldBy = (loss: Loss): Loss => ({ ...loss, holder });
    return { ...decided, losses: decided.losses.map(heldBy), asked: decided.asked.map(heldBy) };
  };
  const present = owners.filter(({ item }) => item.state === 'present');
  const decided = present.map(held);
  return {
    actions: decided.flatMap(({ actions }) => actions),
    findings: decided.flatMap(({ findings }) => findings),
    unread: present.flatMap(({ elements: read }) => (read?.readable === false ? unreadable(read) : [])),
    losses: decided.flatMap(({ losses }) => losses),
    asked: decided.flatMap(({ asked }) => asked),
    gains: decided.flatMap(({ gains }) => gains),
    population: {
      declared: input.desired.items.filter(({ value }) => memberOf(value, name) !== undefined).length,
      live: decided.flatMap(({ live }) => live),
      filtered: !isHeldByItem(set),
      unit: container.unit,
      containers: noun,
    },
  };
}

/** What the files say must not be there, of items that no operation reads: removing it changes nothing where it is not there. */
export function decideUnreadSets(description: KindDescription, name: string, input: Input): UnreadParts {
  const { container, correctUnread } = openSet(description, name, input);
  return openParts({ ...container, correct: () => [], correctUnread }, input.keep).decideUnread(input.desired.items);
}

/** What deletions take of a set whose elements the item itself has: each element is a loss, and an item without any is one. */
export function decideDeletions(
  description: KindDescription,
  name: string,
  actions: readonly Action[],
  ownerOf: (action: Action) => Owner | null,
  input: Input,
): Pick<DecidedSet, 'actions' | 'losses' | 'findings' | 'unread'> & { readonly live: readonly LiveCount[] } {
  const { name: kind } = description;
  const { elements } = openSet(description, name, input);
  const decided = actions.map((action) => {
    const owner = action.action === 'delete' ? ownerOf(action) : null;
    const read = owner?.elements;
    if (owner === null || read == null) return { actions: [action], losses: [], findings: [], unread: [], live: [] };
    const { id, key } = action;
    if (!read.readable) {
      const message = `on the tenant but declared absent; kept because its ${name} could not be read: ${read.message}`;
      const findings = read.gone ? [] : [itemFinding(kind, owner.item, read.code, message)];
      return { actions: [], losses: [], findings, unread: unreadable(read), live: [] };
    }
    const parts = sorted(read.items.map(elements.live));
    const deletion = {
      ...action,
      before: { ...action.before, [name]: parts.map(elements.inFiles) },
      precondition: fingerprint({ item: action.precondition, elements: parts.map((part) => part.id) }),
    };
    const lost = parts.length === 0 ? [''] : parts.map((part) => `#${part.name}`);
    const holder = { kind: description.name, id: owner.id, key };
    const losses = lost.map((part): Loss => ({ id, item: `${kind}/${key}${part}`, holder }));
    return { actions: [deletion], losses, findings: [], unread: [], live: [{ key, parts: lost.length }] };
  });
  return {
    actions: decided.flatMap((one) => one.actions),
    losses: decided.flatMap((one) => one.losses),
    findings: decided.flatMap((one): readonly Finding[] => one.findings),
    unread: decided.flatMap((one): readonly Unreadable[] => one.unread),
    live: decided.flatMap((one) => one.live),
  };
}

/** Why a set could not be read; nothing if its item is gone, or the tenant does not have it. */
function unreadable(read: Extract<Elements, Unreadable>): readonly Unreadable[] {
  return read.gone || isSettled(read) ? [] : [read];
}

/** How many elements each item has that has any, by live id. */
export function holdersOf(owners: readonly Owner[]): NonNullable<Decision['holders']> {
  const held = owners.flatMap(({ id, elements }) => (elements?.readable ? [[id, elements.items.length] as const] : []));
  return new Map(held.filter(([, count]) => count > 0));
}

/** How one set of a kind is compared and corrected. */
function openSet({ name: kind, id, noun: containers, resources, fields }: KindDescription, name: string, input: Input) {
  const { api, names } = input;
  const set = resources[name] as Resource;
  const { add, remove, update } = set.operations;
  const { noun = { one: 'element', many: 'elements' }, absent = '' } = set;
  const elements = openElements(set, names);
  const draft = (
    operation: ElementOperation,
    owner: Pick<Owner, 'item' | 'id' | 'needs'>,
    covers: readonly Element[],
    rest: Pick<ActionDraft, 'reason' | 'before' | 'after' | 'notes' | 'precondition' | 'source'>,
  ): Action => {
    const { resolve, needs } = openReferences(names);
    const does = operation === add ? 'add' : 'remove';
    const isBatch = operation.elements.batch !== undefined;
    const { body: form, element } = operation.elements;
    const isWhole = form === '$element';
    const sent = covers.map(({ file, live }) =>
      isWhole
        ? created(set.fields, file, resolve)
        : { ...wireKey(set, does === 'add' ? file : live, resolve), ...element },
    );
    const [first] = covers;
    const params = { id: owner.id, ...elementId(first) };
    const body = isWhole ? sent[0] : form === undefined ? undefined : filled(form, sent);
    return draftAction({
      ...{ kind, key: owner.item.key, action: does },
      // What an item has itself is its only set.
      part: [does, ...(isHeldByItem(set) ? [] : [name]), ...(isBatch ? [first?.name] : [])].join(' '),
      needs: [...new Set([...owner.needs, ...needs])],
      request: plannedRequest(operation, { params, ...(body && { body }) }),
      ...rest,
    });
  };
  const batches = ({ elements: { batch } }: ElementOperation, all: readonly Element[]) => {
    const size = batch ?? all.length;
    return Array.from({ length: Math.ceil(all.length / size) }, (_one, index) =>
      all.slice(index * size, (index + 1) * size),
    );
  };
  const state = ({ id, elements: read }: Owner, covers: readonly Element[], isThere: boolean) =>
    read === null ? 'absent' : fingerprint({ id, elements: covers.map((one) => [one.id, isThere]) });
  const additions = (owner: Owner, missing: readonly Element[]): ContainerAction<Element>[] => {
    if (add === undefined || !isAvailable(add, api)) return [];
    return batches(add, missing.filter(isComplete)).map((covers) => {
      const action = draft(add, owner, covers, {
        reason: 'missing',
        before: null,
        after: { [name]: covers.map(elements.inFiles) },
        precondition: state(owner, covers, false),
        source: owner.item.at(`/${name}`),
      });
      return { action, lost: [], asked: [], grants: true };
    });
  };
  const removals = (owner: Owner, { unwanted, undeclared }: Removed): ContainerAction<Element>[] => {
    if (remove === undefined || !isAvailable(remove, api)) return [];
    const isAsked = new Set(unwanted);
    return batches(remove, sorted([...unwanted, ...undeclared])).map((covers) => {
      const [asked, lost] = [covers.filter((one) => isAsked.has(one)), covers.filter((one) => !isAsked.has(one))];
      const loses = lost.length > 0;
      const note = loses
        ? `listed in ${absent}: ${listOf(asked.map((one) => one.name))}`
        : `removes only ${noun.many} listed in ${absent}`;
      const action = draft(remove, owner, covers, {
        reason: loses ? 'undeclared' : 'different',
        before: { [name]: covers.map(elements.inFiles) },
        after: null,
        ...(asked.length > 0 && { notes: [note] }),
        precondition: state(owner, covers, true),
        source: owner.item.at(`/${loses ? name : absent}`),
      });
      return { action, lost, asked, grants: false };
    });
  };
  const { creates = [] } = set;
  const isComplete = ({ file }: Element) =>
    creates.length === 0 || [creates].flat().some((field) => file[field] !== undefined);
  const lacks = (own: string) =>
    `${noun.one} ${own} is declared but missing on the tenant; declare ${listed([creates].flat(), 'or')} of it to create it`;
  const values = Object.fromEntries(Object.entries(set.fields).filter(([field]) => !set.key.includes(field)));
  /** The declared elements that have other values on the tenant. */
  const different = ({ item, elements: read }: Owner) => {
    if (Object.keys(values).length === 0) return [];
    const live = new Map((read?.readable ? read.items : []).map(elements.live).map((one) => [one.id, one]));
    return (elements.declaredBy(item.value, name).wanted ?? []).flatMap((one) => {
      const now = live.get(one.id);
      const changes = now === undefined ? [] : changesOf(values, one.file, now.live);
      return now === undefined || changes.length === 0 ? [] : [{ one, now, changes }];
    });
  };
  const isFixed = ({ path: [field = ''] }: Changed) => update === undefined || !isOn(set.fields[field] ?? {}, 'U');
  const inItem = (one: Element, changes: readonly Changed[]) =>
    shownChanges(changes).map((change) => ({ ...change, field: `${name}.${one.name}.${change.field}` }));
  const fixed = (owner: Owner): Finding[] =>
    different(owner).flatMap(({ one, changes: all }) => {
      const changes = all.filter(isFixed);
      const fields = listOf(changes.map(({ field }) => field));
      const message = `its ${noun.one} ${one.name} differs from the files; ${fields} cannot be changed: declare one with another ${set.key[0]}`;
      const finding = () => itemFinding(kind, owner.item, 'LIVE_DIFFERENT', message, `/${name}`);
      return changes.length === 0 ? [] : [{ ...finding(), changes: inItem(one, changes) }];
    });
  const updates = (owner: Owner): ContainerAction<Element>[] =>
    different(owner).flatMap(({ one, now, changes: all }) => {
      const changes = all.filter((change) => !isFixed(change));
      if (update === undefined || !isAvailable(update, api) || changes.length === 0) return [];
      const sent = new Set(changes.map(({ path: [field] }) => field));
      const body = Object.fromEntries(Object.entries(one.file).filter(([field]) => sent.has(field)));
      const action = draftAction({
        ...{ kind, key: owner.item.key, part: `update ${name} ${one.name}`, action: 'update', reason: 'different' },
        request: plannedRequest(update, { params: { id: owner.id, ...elementId(now) }, body }),
        before: { [id]: owner.id, [name]: [elements.inFiles(now)] },
        after: { [name]: [elements.inFiles(one)] },
        changes: inItem(one, changes),
        precondition: fingerprint({ id: owner.id, element: inOrder(set.fields, now.live) }),
        source: owner.item.at(`/${name}`),
      });
      return [{ action, lost: [], asked: [], grants: true }];
    });
  const container: Omit<ContainerKind<object, Element>, 'correct'> = {
    kind,
    unit: { verb: 'remove', ...noun },
    noun: containers,
    isItem: true,
    partsOf(value) {
      const declared = elements.declaredBy(value, name);
      if (declared.wanted === null && declared.unwanted.length === 0) return null;
      return { ...declared, pointer: `/${declared.wanted === null ? absent : name}` };
    },
    notChecked: (value) => [name, ...Object.keys(fields)].find((one) => memberOf(value, one) !== undefined) ?? null,
    idOf: (value) => (typeof memberOf(value, 'id') === 'string' ? String(memberOf(value, 'id')) : null),
  };
  return {
    ...{ set, elements, container, isComplete, lacks, fixed },
    correct:
      (owner: Owner) =>
      ({ missing, ...removed }: ContainerChange<object, Element>) => [
        ...additions(owner, missing),
        ...updates(owner),
        ...removals(owner, removed),
      ],
    correctUnread(item: DesiredItem<object>): Action[] {
      const { unwanted } = elements.declaredBy(item.value, name);
      if (unwanted.length === 0 || remove === undefined || !isAvailable(remove, api)) return [];
      const action = draft(remove, { item, id: item.key, needs: [] }, unwanted, {
        reason: 'unreadable',
        before: null,
        after: { [absent]: unwanted.map(elements.inFiles) },
        precondition: null,
        source: item.at(`/${absent}`),
      });
      return [action];
    },
  };
}

type Removed = Pick<ContainerChange<object, Element>, 'unwanted' | 'undeclared'>;

const nothing: DecidedContainer = { actions: [], findings: [], losses: [], asked: [], gains: [], live: [] };

function sorted(elements: readonly Element[]): Element[] {
  return elements.toSorted((one, other) => compareText(one.id, other.id));
}

/** The id of an element that has one, for the path of a request. */
function elementId(element: Element | undefined): { readonly element?: string } {
  const id = memberOf(element?.live, 'id');
  return typeof id === 'string' ? { element: id } : {};
}

function wireKey(set: Resource, element: Item, resolve: ReturnType<typeof openReferences>['resolve']): Item {
  return Object.fromEntries(set.key.map((key) => [key, onService(set.fields[key] ?? {}, element[key], resolve)]));
}

/** The form of a body with the elements in their place. */
function filled(form: unknown, elements: readonly Item[]): object {
  if (form === '$elements') return [...elements];
  return Object.fromEntries(
    Object.entries(form as Item).map(([key, below]) => [
      key,
      below === '$elements' ? elements : filled(below, elements),
    ]),
  );
}
