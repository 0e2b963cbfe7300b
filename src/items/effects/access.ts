import type { Fields } from '../../model/field.ts';
import type { Access, Link } from '../../model/kind.ts';
import { isRemoval } from '../../model/levels.ts';
import { idIn } from '../../model/operation.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { KindDescription, Resource } from '../../model/resource.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { groupBy } from '../../values/group-by.ts';
import { isRecord } from '../../values/is-record.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';

type Values = Readonly<Record<string, unknown>>;
type Description = Pick<KindDescription, 'name' | 'noun' | 'fields' | 'resources' | 'operations'>;

/** A set whose elements are an access that somebody has. */
type AccessSet = readonly [name: string, set: Resource & Required<Pick<Resource, 'access'>>];

export function accessSets({ resources }: Pick<KindDescription, 'resources'>): AccessSet[] {
  return Object.entries(resources).flatMap(([name, set]): AccessSet[] =>
    set.access === undefined ? [] : [[name, { ...set, access: set.access }]],
  );
}

/** The elements of a set that an action adds and removes. A set that the files leave out is unmanaged. */
export function changedElements(set: AccessSet, { action, before, after, changes = [] }: Action) {
  const [name, { access, key, scalar, in: isField }] = set;
  // What has an operation of its own is added by an action of its own, also to a new item.
  if (!isField && action === 'create') return { gained: [], lost: [] };
  const isUpdate = action === 'update';
  const isIn = (field: string) => field === name || field === access.all || field.startsWith(`${name}.`);
  if (isUpdate && !changes.some(({ field }) => isIn(field))) return { gained: [], lost: [] };
  // What is removed unread is what the files say must not be there.
  const isUnread = action === 'remove' && before === null;
  const live = elementsOf(isUnread ? [set[1].absent ?? name, set[1]] : set, isUnread ? after : before);
  const declared = elementsOf(set, isUpdate ? { ...before, ...after } : after);
  const names = key.length === 0 && scalar !== undefined ? [scalar] : key;
  const identityOf = (element: Values) => canonicalJson(names.map((one) => element[one] ?? null));
  const without = (all: readonly Values[], others: readonly Values[]) => {
    const known = new Set(others.map(identityOf));
    return all.filter((element) => !known.has(identityOf(element)));
  };
  // Whoever has every element has each of them.
  return {
    gained: hasAll(set, before) ? [] : without(declared, live),
    lost: hasAll(set, isUpdate ? { ...before, ...after } : after) ? [] : without(live, declared),
  };
}

/** What an item has of a set; one element stands for all that there are. */
export function elementsOf(set: AccessSet, item: object | null): readonly Values[] {
  const [name, { scalar = '', noun = { one: 'element' } }] = set;
  if (hasAll(set, item)) return [{ [scalar]: `every ${noun.one}` }];
  const elements = item === null ? undefined : memberOf(item, name);
  if (!Array.isArray(elements)) return [];
  return elements.map((element: unknown) => (isRecord(element) ? element : { [scalar]: element }));
}

function hasAll([, { access }]: AccessSet, item: object | null): boolean {
  return access.all !== undefined && item !== null && memberOf(item, access.all) === true;
}

/** Who holds what: texts, the last of which may be one of several. */
interface Held {
  readonly holder: readonly string[];
  readonly thing: readonly string[];
}

function heldBy({ access }: AccessSet[1], element: Values, { key, before, after }: Action): Held {
  // A live item has the names that are unique.
  const parent = { ...after, ...before };
  const textOf = (name: string) =>
    String((name === '^' ? key : name.startsWith('^') ? parent[name.slice(1)] : element[name]) ?? '');
  return { holder: access.holder.map(textOf), thing: access.thing.map(textOf) };
}

/** Who gains and who loses what. */
export function accessEffects(description: Description, action: Action): Effect[] {
  return accessSets(description).flatMap((set) => {
    const { gained, lost } = changedElements(set, action);
    const losing = action.reason === 'unreadable' ? 'ACCESS_NOT_READ' : 'ACCESS_LOST';
    return [
      ...effectsOf(description, set, action, losing, lost),
      ...effectsOf(description, set, action, 'ACCESS_GAINED', gained),
    ];
  });
}

const changes = {
  ACCESS_LOST: { severity: 'warning', verb: 'loses' },
  ACCESS_GAINED: { severity: 'note', verb: 'gains' },
  ACCESS_NOT_READ: { severity: 'note', verb: 'loses' },
} as const;

function effectsOf(
  description: Description,
  [name, set]: AccessSet,
  action: Action,
  code: keyof typeof changes,
  elements: readonly Values[],
): Effect[] {
  const { severity, verb } = changes[code];
  const { noun } = description;
  const condition = code === 'ACCESS_NOT_READ' ? `, if it has them: the ${name} of the ${noun.one} cannot be read` : '';
  const held = elements.map((element) => heldBy(set, element, action));
  const ofThing = ({ thing }: Held) => thing.slice(0, -1).join(' ');
  const ownerOf = (one: Held) => canonicalJson([one.holder, ofThing(one)]);
  const kind = holderKind(description, set);
  // Who has an item is counted by its id.
  const own = set.access.holder[0] === '^' && code === 'ACCESS_LOST' ? idOfItem(description, action) : null;
  const sorted = held.toSorted((one, other) => compareText(ofThing(one), ofThing(other)));
  return [...groupBy(sorted, ownerOf)].flatMap(([, all]): Effect[] => {
    const [{ holder = [], thing = [] } = {}] = all;
    const names = [...new Set(all.map((one) => one.thing.at(-1) ?? ''))].sort(compareText);
    const of = thing.slice(0, -1).join(' ');
    const what = of === '' ? `the ${noun.one} ${listOf(names)}` : `${listOf(names)} of ${of}${condition}`;
    const about = { kind, key: holder.join(' '), ...(own !== null && { id: own }) };
    const effect = { code, severity, message: `${verb} ${what}`, ...about };
    return [of === '' ? effect : { ...effect, api: of, permissions: names }];
  });
}

/** The id of the item in the request of an action; null if the action creates it, or follows the one that does. */
export function idOfItem({ operations, resources }: Description, { request }: Action): string | null {
  const rows = [operations, ...Object.values(resources).map((set) => set.operations)].flatMap((all) =>
    Object.values(all),
  );
  const row = rows.find((one) => one?.id === request.operation);
  return row === undefined ? null : idIn(row, request.path);
}

/** The kind that the field of the holder refers to; otherwise the holder is the item itself. */
function holderKind({ name, fields }: Description, { access, fields: own }: AccessSet[1]): Effect['kind'] {
  const field = access.holder.at(-1) ?? '';
  const all: Fields = field.startsWith('^') ? fields : own;
  return all[field.replace('^', '')]?.ref?.to ?? name;
}

/**
 * What an action gives, and what a removal or a deletion takes: the same thing may be given to others, or another thing to the
 * same holder. For updates, see accessLinks.
 */
export function accessOf(description: Description, action: Action): Access {
  return {
    grants: tokensOf(description, action, 'gained'),
    revokes: isRemoval(action) ? tokensOf(description, action, 'lost') : [],
  };
}

function tokensOf(description: Description, action: Action, which: 'gained' | 'lost'): string[] {
  const held = accessSets(description).flatMap((set) =>
    changedElements(set, action)[which].map((element) => heldBy(set[1], element, action)),
  );
  const { name } = description;
  const tokens = held.flatMap(({ holder, thing }) => [canonicalJson({ name, holder }), canonicalJson({ name, thing })]);
  return [...new Set(tokens)];
}

/**
 * An update that only takes comes after everything that gives the same, as a removal does. One that gives as well waits for
 * nothing, because two of them could wait for each other.
 */
export function accessLinks(description: Description, actions: readonly Action[]): Link[] {
  if (accessSets(description).length === 0) return [];
  const changes = actions.map((action) => ({
    ...{ id: action.id, provides: tokensOf(description, action, 'gained') },
    after: action.action === 'update' ? tokensOf(description, action, 'lost') : [],
  }));
  const taking = changes.filter(({ provides, after }) => provides.length === 0 && after.length > 0);
  if (taking.length === 0) return [];
  const giving = changes.filter(({ provides }) => provides.length > 0);
  return [...giving.map(({ id, provides }) => ({ id, provides })), ...taking.map(({ id, after }) => ({ id, after }))];
}
