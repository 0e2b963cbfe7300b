import { didYouMean } from '../diagnostics/near-names.ts';
import { findingTraits } from '../model/findings.ts';
import type { AnyKind, Decision, DesiredItem, Link, Requirement } from '../model/kind.ts';
import { isRemoval } from '../model/levels.ts';
import { type ItemReference, idPrefix, type Named, type Names } from '../model/names.ts';
import { isGone, isReleased, isThere, type Node, thereNode } from '../model/nodes.ts';
import { idIn } from '../model/operation.ts';
import type { Action, Finding, KindName } from '../model/plan.generated.ts';
import type { LiveState } from '../model/reader.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf, pointerPath } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { onlyPlanned } from './link-kinds.ts';

/** A kind whose items name others, for one decision. */
export interface Referrer {
  readonly kind: AnyKind;
  /** All kinds, for the nouns of those that are named. */
  readonly kinds: readonly AnyKind[];
  /** What the files declare of the kind. */
  readonly items: readonly DesiredItem[];
  readonly live: LiveState<unknown>;
  readonly names: Names;
}

/**
 * The decision of a kind whose items name others, with what follows from that:
 *
 *   a new grant for a new client        comes after the client, and is left out without it
 *   a grant for an unknown client       left out, with an error
 *   a grant that goes, of any client    provides that nothing of it names the client: the client can go
 */
export function withReferences(decision: Decision, referrer: Referrer): Decision {
  const { kind, items, live } = referrer;
  if (kind.references === undefined || !live.readable) return decision;
  const present = items.filter(({ state }) => state === 'present');
  const byKey = new Map(present.map((item) => [item.key, { item, references: meant(item, referrer) }]));
  let hints = mostHints;
  const hasHint = () => hints-- > 0;
  const problems = [...byKey.values()].flatMap(({ item, references }) =>
    references.flatMap((one) => problemOf(item, one, referrer, hasHint) ?? []),
  );
  const leftOut = new Set(problems.map(({ key }) => key));
  const actions = decision.actions.filter(({ key }) => !leftOut.has(key));
  const [kept = decision] = onlyPlanned([decision], actions);
  const released = openReleased(referrer, byKey);
  const comesAfter = actions.flatMap(({ id, key, action }): Link[] => {
    const after = (byKey.get(key)?.references ?? [])
      .filter(({ reference }) => !(reference.late && action === 'create'))
      .flatMap(waitsFor);
    return after.length === 0 || isRemoval({ action }) ? [] : [{ id, after }];
  });
  const releases = actions.flatMap((action): Link[] => {
    const provides = released(action);
    return provides.length === 0 ? [] : [{ id: action.id, provides }];
  });
  return {
    ...kept,
    findings: [...decision.findings, ...problems],
    links: [...(decision.links ?? []), ...comesAfter, ...releases],
    requirements: [
      ...(decision.requirements ?? []),
      ...[...byKey.values()].flatMap(({ item, references }) =>
        leftOut.has(item.key) ? [] : references.flatMap((one) => requirementOf(item, one, referrer)),
      ),
    ],
  };
}

/** The decision of a kind whose items others name: what names an item comes after its create, and goes before it. */
export function withNodes(
  decision: Decision,
  { name: kind, naming, identity, operations }: AnyKind,
  names: Names,
): Decision {
  if (naming === undefined || decision.actions.length === 0) return decision;
  const [name = ''] = identity.slice(-1);
  const paths = new Map(operations.map((operation) => [operation.id, operation]));
  const nodesOf = (item: object | null) => (item === null ? [] : (naming.nodesOf?.(item) ?? []));
  const links = decision.actions.flatMap(
    ({ id, key, action, reason, request, before, after: item, changes = [] }): Link[] => {
      const isNamed = action === 'create' || (action === 'update' && changes.some(({ field }) => field === name));
      if (isNamed) {
        const known = nodesOf(before);
        const added = nodesOf(item).filter((below) => !known.includes(below));
        return [{ id, provides: [{ kind, key }, ...added.map((below) => ({ kind, key, below }))].map(isThere) }];
      }
      const operation = paths.get(request.operation);
      const own = action !== 'delete' || operation === undefined ? null : idIn(operation, request.path);
      if (own === null) return [];
      const byId = { kind, key: idPrefix + own };
      const means = (text: string) => {
        const named = names.find(kind, text);
        return 'id' in named && named.id === own;
      };
      // Of two items with one name, the other one keeps it.
      const others = reason === 'duplicate' ? [] : [key, ...names.namesOf(kind, own).filter(means)];
      const nodes = [...new Set([...others, byId.key])].map((one) => ({ kind, key: one }));
      const after = nodes.map((node) => isReleased(node));
      return [{ id, provides: [isGone(byId)], withdraws: nodes.map(isThere), after }];
    },
  );
  return { ...decision, links: [...(decision.links ?? []), ...links] };
}

/** What is there once these actions are done. */
export function providedBy(actions: readonly Action[], kinds: readonly AnyKind[]): string[] {
  const naming = new Map(kinds.map((kind) => [kind.name, kind.naming]));
  return actions.flatMap(({ kind, key, action, before, after }) => {
    const { nodesOf = () => [] } = naming.get(kind) ?? {};
    if (after === null || isRemoval({ action })) return [];
    const known = before === null ? [] : nodesOf(before);
    const added = nodesOf(after).filter((below) => !known.includes(below));
    return [{ kind, key }, ...added.map((below) => ({ kind, key, below }))].map(isThere);
  });
}

/** Errors for the declared items that name a node which an action would delete, and one for that action. */
export function relyingOnNodes(
  kinds: readonly AnyKind[],
  itemsOf: (kind: KindName) => readonly DesiredItem[],
  token: string,
  { kind, key, source, action }: Action,
): Finding[] {
  // What needs something below an item names the item as well.
  if (action === 'delete' && thereNode(token)?.below !== undefined) return [];
  const relying = kinds.flatMap((referrer) => {
    const found =
      referrer.references === undefined ? [] : (tokensOf(referrer)(itemsOf(referrer.name)).get(token) ?? []);
    return found.map(({ item, reference }) => ({
      item: `${referrer.name}/${item.key}`,
      finding: errorAt(referrer.name, item, reference, 'LIVE_REFERENCED', goingText(reference, nounsOf(kinds, kind))),
    }));
  });
  if (relying.length === 0) return [];
  const [does, one, many] =
    action === 'delete' ? ['not deleted', 'names', 'name'] : ['removes nothing', 'needs', 'need'];
  const what = relying.length === 1 ? `an item that ${one} it` : `items that ${many} it`;
  const message = `${does}, because the files have ${what}: ${listOf([...new Set(relying.map(({ item }) => item))])}`;
  return [
    ...relying.map(({ finding }) => finding),
    { code: 'LIVE_REFERENCED', severity: 'error', kind, key, message, origin: null, source },
  ];
}

/** What each item of the files names, by its value: a plan asks several times. */
export function referencesIn({ references }: AnyKind): (value: object) => readonly ItemReference[] {
  return references === undefined ? () => [] : knownReferences(references);
}

const knownReferences = memoizedByObject(({ declared }: NonNullable<AnyKind['references']>) =>
  memoizedByObject((value: object): readonly ItemReference[] => declared(value)),
);

const tokensOf = memoizedByObject((kind: AnyKind) =>
  memoizedByObject((items: readonly DesiredItem[]) =>
    groupBy(
      items.flatMap((item) => {
        const references = item.state === 'present' ? referencesIn(kind)(item.value as object) : [];
        return references.map((reference) => ({ item, reference, token: isThere(nodeOf(reference)) }));
      }),
      ({ token }) => token,
    ),
  ),
);

/** A reference, and what it means on the tenant. `isLacking`: the other item is there, and the node below it is not. */
interface Meant {
  readonly reference: ItemReference;
  readonly named: Named;
  readonly isLacking: boolean;
}

function meant({ value }: DesiredItem, { kind, names }: Referrer): Meant[] {
  return referencesIn(kind)(value as object).map((reference) => {
    const { to, name, by, below } = reference;
    const named = names.find(to, name, by);
    const isLacking = below !== undefined && named.is === 'live' && names.hasNode(to, name, below, by) === false;
    return { reference, named, isLacking };
  });
}

function nodeOf({ to, name, below }: ItemReference): Node {
  return { kind: to, key: name, below };
}

/** What has to be there first. An item that gets the name of a reference by its value is there under another one. */
function waitsFor({ reference, named, isLacking }: Meant): readonly string[] {
  const node = nodeOf(reference);
  if (named.is === 'new') return [isThere({ ...node, below: undefined }), isThere(node)];
  if (isLacking) return [isThere(node)];
  return named.is === 'live' && reference.by !== undefined ? [isThere({ ...node, below: undefined })] : [];
}

function requirementOf(item: DesiredItem, { reference, named, isLacking }: Meant, referrer: Referrer): Requirement[] {
  const isNew = named.is === 'new';
  if (!isNew && !isLacking) return [];
  const { one } = nounsOf(referrer.kinds, reference.to);
  const what = `the ${one} "${reference.name}"`;
  const why =
    isLacking || reference.below !== undefined
      ? `${what} does not have ${reference.below}, and this plan does not add it; correct it, or select the ${one} as well`
      : `${what} is not on the tenant, and this plan does not create it; fix what is reported about it, or select it as well`;
  const node = nodeOf(reference);
  const unmet = () => errorAt(referrer.kind.name, item, reference, 'LIVE_NOT_FOUND', why);
  return [{ key: item.key, token: isThere(node), unmet }];
}

/** How many unknown names get the one that is probably meant: more are rarely misspelt. */
const mostHints = 100;

/** Why an item cannot be decided, because of what it names; null if it can. */
function problemOf(
  item: DesiredItem,
  { reference, named }: Meant,
  { kind, kinds, live }: Referrer,
  hasHint: () => boolean,
): Finding | null {
  const { to, name, by, below } = reference;
  const nouns = nounsOf(kinds, to);
  const { one, many } = nouns;
  // What is below an item has no error of its own where the item has one.
  if (below !== undefined) return null;
  const error = (code: Finding['code'], message: string) => errorAt(kind.name, item, reference, code, message);
  switch (named.is) {
    case 'unread': {
      const message = `not changed, because it names the ${one} "${name}" and ${many} could not be read: ${named.why.message}`;
      return error(named.why.code, message);
    }
    case 'unknown': {
      const id = by === undefined && name.startsWith(idPrefix) ? name.slice(idPrefix.length) : null;
      // The tenant has it in this place already, although no list shows the item.
      if (id !== null && idsIn(live).has(id)) return null;
      if (id !== null) return error('LIVE_NOT_FOUND', `no ${one} on the tenant has the id "${id}"; correct it`);
      const near = hasHint() ? named.near : undefined;
      const hint = near === undefined ? `create it, or correct the ${by ?? 'name'}` : didYouMean(near);
      const message = `no ${one} on the tenant or in the files has the ${by ?? 'name'} "${name}"; ${hint}`;
      return error('LIVE_NOT_FOUND', message);
    }
    case 'several': {
      const { ids } = named;
      const message = `${ids.length} ${many} have the name "${name}" (${ids.join(', ')}); name one of them by its id: { id: ${ids[0]} }`;
      return error('LIVE_AMBIGUOUS', message);
    }
    case 'going':
      return error('LIVE_REFERENCED', goingText(reference, nouns));
    default:
      return null;
  }
}

/** All texts that live items and their elements have in fields: ids of other items are among them. */
const idsIn = memoizedByObject((live: LiveState<unknown>): ReadonlySet<unknown> => {
  if (!live.readable) return new Set();
  const nested = [...(live.more?.values() ?? [])].flatMap((more) =>
    Object.values(more.nested).flatMap((elements) => (elements.readable ? elements.items : [])),
  );
  return new Set([...live.items, ...nested].flatMap((one) => Object.values(one as object).flat()));
});

function goingText({ name, below }: ItemReference, { one }: { readonly one: string }): string {
  if (below !== undefined)
    return `needs ${below} of the ${one} "${name}", which the files remove; keep it there, or delete it here`;
  return `names the ${one} "${name}", which the files delete; keep the ${one}, or name another one`;
}

function nounsOf(kinds: readonly AnyKind[], name: KindName): { readonly one: string; readonly many: string } {
  return kinds.find((kind) => kind.name === name)?.noun ?? { one: `item of ${name}`, many: name };
}

function errorAt(
  kind: KindName,
  { key, at }: DesiredItem,
  { pointer }: ItemReference,
  code: Finding['code'],
  message: string,
): Finding {
  return { code, severity: findingTraits({ code }).severity, kind, key, message, origin: null, source: at(pointer) };
}

/** What an action provides by naming nothing more: of a live item that goes, or of fields that the files declare. */
function openReleased(
  { kind, live, names }: Referrer,
  declared: ReadonlyMap<string, { readonly item: DesiredItem; readonly references: readonly Meant[] }>,
): (action: Action) => readonly string[] {
  const { naming, references, operations, name } = kind;
  const idField = naming?.idField;
  if (idField === undefined || references === undefined || !live.readable) return () => [];
  const items = new Map(live.items.map((item) => [String(memberOf(item, idField)), item]));
  const paths = new Map(operations.map((operation) => [operation.id, operation]));
  return ({ key, action, request }) => {
    const operation = paths.get(request.operation);
    const id = operation === undefined ? null : idIn(operation, request.path);
    const item = id === null ? undefined : items.get(id);
    if (item === undefined) return [];
    const own: Node = { kind: name, key: `${idPrefix}${id}` };
    const { item: written, references: wanted = [] } = declared.get(key) ?? {};
    const stays = new Set(wanted.map(({ reference }) => isThere(nodeOf(reference))));
    // A set with requests of its own is as it is until one of them removes something.
    const nested = action === 'remove' || action === 'delete' ? Object.entries(live.more?.get(item)?.nested ?? {}) : [];
    const inSets = nested.flatMap(([set, elements]) =>
      elements.readable ? references.liveIn(set, elements.items, names) : [],
    );
    const isReleasedBy = (one: ItemReference) => {
      if (action === 'delete') return true;
      return isDeclaredAt(written?.value, pointerPath(one.pointer)) && !stays.has(isThere(nodeOf(one)));
    };
    return [...references.live(item, names), ...inSets]
      .filter(isReleasedBy)
      .flatMap((one) => [isReleased(nodeOf(one)), isReleased(nodeOf(one), own)]);
  };
}

/** Whether a declared value says what is at a place; a list, or null, says it of everything below. */
function isDeclaredAt(value: unknown, [name, ...below]: readonly string[]): boolean {
  if (name === undefined || value === undefined) return value !== undefined;
  return value === null || Array.isArray(value) || isDeclaredAt(memberOf(value, name), below);
}
