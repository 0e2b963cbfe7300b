// Fields that name elements of a set of their own item: by key in the files, by id on the service. A live item has the ids.
import { itemFinding } from '../differ/draft.ts';
import { resultReference } from '../model/action-identity.ts';
import type { Field, Fields } from '../model/field.ts';
import { isRemoval } from '../model/levels.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { LiveParts } from '../model/reader.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf, withValuesAt } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import { hasField, valuesIn } from './members.ts';
import type { Owner } from './nested-set.ts';
import { onWire } from './secret-places.ts';

type Item = Readonly<Record<string, unknown>>;

/** The fields in which an item names elements of this set of it, or of any. */
export function namingFields(fields: Fields, set?: string): Fields {
  const isNaming = ({ element }: Field) => element !== undefined && (set === undefined || element === set);
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => hasField(field, isNaming)));
}

/** Where an item names elements, and which: of this set, or of any. */
export function elementsNamed(fields: Fields, item: object, set?: string) {
  return valuesIn(fields, item).flatMap(({ field: { element }, value, path }) =>
    element === undefined || (set !== undefined && element !== set)
      ? []
      : [{ set: element, name: String(value), pointer: jsonPointer(...path) }],
  );
}

/** A live item with the keys of its elements in place of their ids, as far as these were read. */
export function namedElements(description: Pick<Resource, 'fields' | 'resources'>) {
  const { resources } = description;
  const fields = namingFields(description.fields);
  return <Live extends object>(item: Live, nested: LiveParts['nested'] = {}): Live => {
    if (Object.keys(fields).length === 0) return item;
    const keyOf = ({ set, name }: { readonly set: string; readonly name: string }) => {
      const read = nested[set];
      const found = read?.readable ? read.items.find((element) => memberOf(element, 'id') === name) : undefined;
      return found === undefined ? name : memberOf(found, resources[set]?.key[0] ?? '');
    };
    const places = elementsNamed(fields, item);
    return withValuesAt(item, new Map(places.map((place) => [place.pointer, keyOf(place)]))) as Live;
  };
}

/**
 * The actions of a kind, with the ids of the elements that their requests name. An element is added before what names it, and
 * removed after what names it no more:
 *
 *   POST credential 2027   PATCH { credentials: [{ id: {result:…} }] }, needs the POST   DELETE credential 2026, needs the PATCH
 *
 * What names an element that is neither there nor added is not sent, and an element stays that its item still names.
 */
export function linkOwnElements(
  description: KindDescription,
  name: string,
  owners: readonly Owner[],
  actions: readonly Action[],
): { readonly actions: readonly Action[]; readonly findings: readonly Finding[] } {
  const { name: kind, resources } = description;
  const fields = namingFields(description.fields, name);
  const { key: [only = ''] = [], noun = { one: 'element', many: 'elements' } } = resources[name] ?? {};
  const ownerOf = new Map(owners.map((owner) => [owner.item.key, owner]));
  const findings: Finding[] = [];
  const found = ({ item }: Owner, code: Finding['code'], message: string) => {
    findings.push(itemFinding(kind, item, code, message, `/${name}`));
    return [];
  };
  const keysIn = (elements: unknown) => (Array.isArray(elements) ? elements : []).map((one) => memberOf(one, only));
  const adds = groupBy(
    actions.filter(({ action, after }) => action === 'add' && name in (after ?? {})),
    ({ key }) => key,
  );
  const updates = new Map<string, Action>();
  const linked = actions.flatMap((action): Action[] => {
    const { key, request } = action;
    const owner = ownerOf.get(key);
    const isNaming = Object.keys(fields).some((field) => memberOf(request.body, field) !== undefined);
    if (owner === undefined || action.action !== 'update' || !isNaming) return [action];
    const places = elementsNamed(onWire(fields), request.body as Item, name);
    const live = owner.elements?.readable ? owner.elements.items : [];
    const unknown: string[] = [];
    const needs = new Set(action.needs);
    const idOf = (named: string): string => {
      const there = live.find((one) => [memberOf(one, only), memberOf(one, 'id')].includes(named));
      if (there !== undefined) return String(memberOf(there, 'id'));
      const add = adds.get(key)?.find(({ after }) => keysIn(after?.[name]).includes(named));
      if (add === undefined) unknown.push(named);
      else needs.add(add.id);
      return add === undefined ? named : resultReference(add.id, 'id');
    };
    const body = withValuesAt(request.body, new Map(places.map(({ pointer, name: named }) => [pointer, idOf(named)])));
    if (unknown.length > 0) {
      const what = `${unknown.length === 1 ? noun.one : noun.many} ${listOf(unknown)}`;
      return found(owner, 'LIVE_DIFFERENT', `not changed, because the tenant does not have its ${what}`);
    }
    updates.set(key, action);
    return [{ ...action, needs: [...needs], request: { ...request, body: body as NonNullable<typeof request.body> } }];
  });
  /** Whether the item still names an element once it is updated. */
  const stays = ({ live, elements }: Owner, update: Action | undefined, removed: unknown): boolean => {
    if (live === null) return false;
    const after = update === undefined ? live : afterwards(fields, update.request.body as Item, live as Item);
    const named = [fields, onWire(fields)].flatMap((some) => elementsNamed(some, after, name).map((one) => one.name));
    const there = elements?.readable ? elements.items.find((one) => memberOf(one, only) === removed) : undefined;
    // What a request sends back has the id.
    return named.includes(String(removed)) || named.includes(String(memberOf(there, 'id')));
  };
  const ordered = linked.flatMap((action): Action[] => {
    const { key, before } = action;
    const owner = ownerOf.get(key);
    const update = updates.get(key);
    if (owner === undefined || !isRemoval(action) || !(name in (before ?? {}))) return [action];
    const [removed] = keysIn(before?.[name]);
    if (stays(owner, update, removed))
      return found(owner, 'LIVE_UNDELETABLE', `its ${noun.one} ${removed} stays, because other fields of it name it`);
    return [update === undefined ? action : { ...action, needs: [...new Set([...action.needs, update.id])] }];
  });
  return { actions: ordered, findings };
}

/** An item as a body leaves it: what is not replaced keeps what the body leaves out. */
function afterwards(fields: Fields, body: Item, live: Item): Item {
  const changed = Object.entries(body).map(([name, value]) => {
    const [now, { fields: members, replace } = {}] = [live[name], fields[name]];
    const isMerged = members !== undefined && !replace && isRecord(value) && isRecord(now);
    return [name, isMerged ? afterwards(members, value, now) : value];
  });
  return { ...live, ...Object.fromEntries(changed) };
}
