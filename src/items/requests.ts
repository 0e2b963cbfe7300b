import { plannedRequest } from '../contract/path.ts';
import type { Change, Corrections } from '../differ/decide-difference.ts';
import type { SecretHook } from '../differ/decide-secrets.ts';
import type { Changed } from '../differ/diff-items.ts';
import type { Corrected, Uncorrectable } from '../differ/draft.ts';
import type { Fields } from '../model/field.ts';
import type { Names } from '../model/names.ts';
import { type ApiLevel, isAvailable, type Operation } from '../model/operation.ts';
import type { SecretPlace } from '../model/plan.generated.ts';
import type { ResourceOperations } from '../model/resource.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf, pointerPath } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import { compareText } from '../values/text-order.ts';
import { hasField, inOrder, isOn, membersOf, otherForms, valuesIn } from './members.ts';
import { openReferences } from './references.ts';
import { secretPlaces, secretsIn } from './secret-places.ts';
import { type Body, created, lateFields, type Updating, updated } from './updated.ts';

/** What the requests of a kind need beside its fields. */
export interface RequestRules<Live> {
  readonly operations: ResourceOperations;
  /**
   * The body that is sent in place of this one, for what a schema cannot express; `live` is null for a new item. Default:
   * the same.
   */
  prepare?(body: Body, live: Live | null): Prepared | Uncorrectable;
  /** Notes for reviewers of a deletion. */
  deletionNotes?(live: Live): readonly string[];
}

export interface Prepared {
  readonly body: Body;
  readonly notes?: readonly string[];
}

/** What the requests need of one decision. */
export interface RequestInput<Live> {
  idOf(live: Live): string;
  readonly api: ApiLevel;
  /** JSON pointers of what a live item has and a plan does not know. Default: nothing. */
  othersOf?(live: Live): readonly string[];
  readonly names?: Names | undefined;
  /** Why a field of this item cannot change; null if nothing but its description decides. Default: null. */
  whyFixed?(live: Live, field: string): string | null;
}

/** The requests that correct differences: a create has the complete item, an update the fields that differ. */
export function itemRequests<Desired extends object, Live extends object>(
  fields: Fields,
  { operations, prepare = (body) => ({ body }), deletionNotes = () => [] }: RequestRules<Live>,
  { idOf, api, othersOf = () => [], names, whyFixed = () => null }: RequestInput<Live>,
): { readonly corrections: Corrections<Desired, Live>; readonly secrets?: SecretHook<Desired, Live> } {
  const { create, update, delete: remove } = operations;
  const readsAgain = canReadAgain(operations, api);
  const hasSecrets = Object.values(fields).some((field) => hasField(field, ({ secret }) => secret !== undefined));
  const secretsOf = (item: object) => (hasSecrets ? secretsIn(fields, item) : []);
  const placesOf = (body: object, desired: object, live: object | null) =>
    hasSecrets ? secretPlaces(fields, body, desired, live) : [];
  const drafted = (operation: Operation, given: Body, desired: Desired, live: Live | null, more: Draft) => {
    const prepared = prepare(given, live);
    if ('impossible' in prepared) return prepared;
    const { body, notes = [] } = prepared;
    const secrets = placesOf(body, desired, live);
    const sent = secrets.length === 0 ? [] : [sentText(secrets, live !== null)];
    const params = live === null ? {} : { id: idOf(live) };
    const { sentBack = [], excluded = [], unknown = [], ...rest } = more;
    const kept = sentBack.length === 0 ? [] : [sentBackText(sentBack)];
    const going = live === null ? [] : keysThatGo(fields, body, { ...live, ...desired }, othersOf(live));
    const lost = going.length === 0 ? [] : [`deletes ${listOf(going)}, which the files do not have`];
    const request = plannedRequest(operation, { params, body, secrets, live: sentBack });
    const apart =
      excluded.length === 0
        ? []
        : [`leaves out ${fieldsAt(excluded)}, which cannot be sent together with what changes`];
    const unnamed = unknown.length === 0 ? [] : [`loses ${listOf(unknown)}, which this version does not know`];
    return { request, notes: [...sent, ...kept, ...lost, ...apart, ...unnamed, ...notes], ...rest };
  };
  const change = (operation: Operation, desired: Desired, live: Live, changed: readonly Path[], rotates = false) => {
    const [sentBack, undeclared, lacking]: [string[], string[], string[]] = [[], [], []];
    const [excluded, unknown]: [string[], string[]] = [[], []];
    const { resolve, needs } = openReferences(names);
    const others = othersOf(live);
    const updating = {
      changed,
      others,
      readsAgain,
      rotates,
      resolve,
      sentBack,
      undeclared,
      excluded,
      unknown,
      lacking,
    };
    const apart = otherForms(fields, desired, live);
    const declared = inOrder(fields, Object.fromEntries(Object.entries(desired).filter(([name]) => !apart.has(name))));
    const body = updated(updating, fields, { declared, live: live as Body });
    if (undeclared.length + lacking.length > 0)
      return { impossible: mustDeclare(undeclared.sort(compareText), lacking.sort(compareText)) };
    return drafted(operation, body, desired, live, { needs, excluded, unknown, sentBack: sentBack.sort(compareText) });
  };
  return {
    corrections: {
      ...(create && {
        missing: {
          operation: create,
          correct: (item: Desired): Corrected | Uncorrectable => {
            const { resolve, needs } = openReferences(names);
            const corrected = drafted(create, created(fields, item, resolve), item, null, { needs });
            const late = update === undefined ? [] : lateFields(fields, item);
            if (update === undefined || late.length === 0 || 'impossible' in corrected) return corrected;
            const body = updated(newItem(late, resolve), fields, { declared: item as Body, live: {} });
            const secrets = placesOf(body, item, null);
            return { ...corrected, followUp: (id) => plannedRequest(update, { params: { id }, body, secrets }) };
          },
        },
      }),
      ...(update && {
        different: {
          operation: update,
          correct: ({ desired, live, changes }: Change<Desired, Live>) => {
            const reasons = changes.map(({ path: [name = ''] }) => whyFixed(live, name));
            const fixed = changes.filter(
              ({ path }, index) => reasons[index] !== null || !isChangeable(fields, desired, path),
            );
            const possible = changes.filter((one) => !fixed.includes(one));
            const why = fixedText(
              fixed.map(({ field }) => field),
              reasons.find((reason) => reason !== null) ?? null,
              otherForms(fields, desired, live),
            );
            if (possible.length === 0 && fixed.length > 0) return { impossible: why };
            const corrected = change(
              update,
              desired,
              live,
              possible.map(({ path }) => path),
            );
            if (fixed.length === 0 || 'impossible' in corrected) return corrected;
            return { ...corrected, left: { changes: fixed, why } };
          },
        },
      }),
      ...(remove && {
        undeclared: {
          operation: remove,
          correct: (live: Live) => ({
            request: plannedRequest(remove, { params: { id: idOf(live) } }),
            notes: deletionNotes(live),
          }),
        },
      }),
    },
    ...(hasSecrets &&
      update && {
        secrets: {
          operation: update,
          secretsOf,
          resend: (desired: Desired, live: Live, changes: readonly Changed[]) => {
            const apart = otherForms(fields, desired, live);
            const all = secretsOf(desired).map(({ place }) => pointerPath(place.pointer)[0] ?? '');
            const roots = all.flatMap((root) => (apart.has(root) ? [] : [[root]]));
            if (roots.length === 0) return { impossible: fixedText([...new Set(apart.values())], null, apart) };
            return change(update, desired, live, [...changes.map(({ path }) => path), ...roots], true);
          },
        },
      }),
  };
}

/** Whether an item can be read immediately before it is updated. */
export function canReadAgain({ get }: ResourceOperations, api: ApiLevel): boolean {
  return get !== undefined && isAvailable(get, api);
}

/** Whether an update has the field of a change, and every object around it. */
function isChangeable(fields: Fields, item: object, [name = '', ...below]: Path): boolean {
  const field = fields[name];
  if (field === undefined) return true;
  if (!isOn(field, 'U')) return false;
  const value = memberOf(item, name);
  const members = isRecord(value) ? membersOf(field, value, item) : null;
  return below.length === 0 || members === null || isChangeable(members, value as object, below);
}

/** An item that was just created: nothing is lost. */
function newItem(changed: readonly Path[], resolve: Updating['resolve']): Updating {
  return { changed, others: [], readsAgain: false, rotates: false, resolve, sentBack: [], undeclared: [], lacking: [] };
}

type Path = readonly string[];
type Draft = Pick<Corrected, 'needs'> & {
  readonly sentBack?: readonly string[];
  readonly excluded?: readonly string[];
  readonly unknown?: readonly string[];
};

function fixedText(names: readonly string[], reason: string | null, apart: ReadonlyMap<string, string>): string {
  const fields = listOf(names);
  if (reason !== null) return `${fields} cannot be changed, because the item is ${reason}`;
  const left = apart.size === 0 ? '' : `, so apply leaves ${listOf([...apart.keys()])} alone`;
  return `${fields} cannot be changed in place${left}: delete the item with absent: true and declare it again after that, or declare another one under a new name`;
}

function mustDeclare(lost: readonly string[], lacking: readonly string[]): string {
  const why = lost.length === 0 ? 'declare it' : 'the service would lose it and does not return it, so declare it';
  return `changing it requires ${fieldsAt([...lost, ...lacking])}: ${why}`;
}

function sentBackText(pointers: readonly string[]): string {
  return `sends back what the tenant has in ${fieldsAt(pointers)}, read immediately before`;
}

/** Secrets of the tenant under keys that a map in a body does not have. */
function keysThatGo(fields: Fields, body: object, around: object, others: readonly string[]): string[] {
  const paths = others.map(pointerPath);
  return valuesIn(fields, body, [], around).flatMap(({ field: { map }, value, path }) => {
    if (map?.secret === undefined || !isRecord(value)) return [];
    const inMap = paths.filter((one) => one.length > path.length && path.every((name, index) => one[index] === name));
    return inMap.filter((one) => !Object.hasOwn(value, one[path.length] ?? '')).map((one) => one.join('.'));
  });
}

function fieldsAt(pointers: readonly string[]): string {
  return listOf(pointers.map((pointer) => pointerPath(pointer).join('.')));
}

function sentText(secrets: readonly SecretPlace[], isLive: boolean): string {
  const variables = [...new Set(secrets.map(({ env }) => env))];
  const what = variables.length === 1 ? 'the secret' : 'the secrets';
  return `sends ${what} from ${listOf(variables)}${isLive ? '; secrets cannot be compared' : ''}`;
}
