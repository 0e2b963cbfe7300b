import { plannedRequest } from '../contract/path.ts';
import type { Change, Corrections } from '../differ/decide-difference.ts';
import type { DeclaredSecret, SecretHook } from '../differ/decide-secrets.ts';
import type { Corrected, Uncorrectable } from '../differ/draft.ts';
import type { Field, Fields } from '../model/field.ts';
import { InternalError } from '../model/internal-error.ts';
import type { ItemOperations, Operation } from '../model/operation.ts';
import type { SecretPlace } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import type { Identified } from '../values/ordered-items.ts';
import { elementName } from './comparable.ts';
import { hasField, membersOf, valuesIn } from './members.ts';

/** What the requests of a kind need beside its fields. */
export interface RequestRules<Live> {
  readonly operations: ItemOperations;
  /**
   * The body that is sent in place of this one, for what a schema cannot express; `live` is null for a new item. Default:
   * the same.
   */
  prepare?(body: Body, live: Live | null): Prepared | Uncorrectable;
  /** Notes for reviewers of a deletion. */
  deletionNotes?(live: Live): readonly string[];
}

export type Body = Readonly<Record<string, unknown>>;

export interface Prepared {
  readonly body: Body;
  readonly notes?: readonly string[];
}

/** The requests that correct differences: a create has the complete item, an update the fields that differ. */
export function itemRequests<Desired extends object, Live extends Identified>(
  fields: Fields,
  { operations, prepare = (body) => ({ body }), deletionNotes = () => [] }: RequestRules<Live>,
): { readonly corrections: Corrections<Desired, Live>; readonly secrets?: SecretHook<Desired, Live> } {
  const { create, update, delete: remove } = operations;
  const hasSecrets = Object.values(fields).some((field) => hasField(field, ({ secret }) => secret !== undefined));
  const secretsOf = (body: object) => (hasSecrets ? secretsIn(fields, body) : []);
  const write = (operation: Operation, given: Body, live: Live | null): Corrected | Uncorrectable => {
    const prepared = prepare(given, live);
    if ('impossible' in prepared) return prepared;
    const { body, notes = [] } = prepared;
    const secrets = secretsOf(body).map(({ place }) => place);
    const sent = secrets.length === 0 ? [] : [sentText(secrets, live !== null)];
    const params = live === null ? {} : { id: live.id };
    return { request: plannedRequest(operation, { params, body, secrets }), notes: [...sent, ...notes] };
  };
  return {
    corrections: {
      ...(create && {
        missing: { operation: create, correct: (item: Desired) => write(create, declaredPart(fields, item), null) },
      }),
      ...(update && {
        different: {
          operation: update,
          correct: ({ desired, live, changes }: Change<Desired, Live>) => {
            const paths = changes.map(({ field }) => field.split('.'));
            return write(update, changedPart(fields, desired as Body, live, paths), live);
          },
        },
      }),
      ...(remove && {
        undeclared: {
          operation: remove,
          correct: (live: Live) => ({
            request: plannedRequest(remove, { params: { id: live.id } }),
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
          resend: (desired: Desired, live: Live, planned: { readonly body?: object } | null) => {
            const paths = secretsOf(desired).map(({ place }) => [place.pointer.split('/')[1] ?? '']);
            return write(update, { ...planned?.body, ...changedPart(fields, desired as Body, live, paths) }, live);
          },
        },
      }),
  };
}

function sentText(secrets: readonly SecretPlace[], isLive: boolean): string {
  const what = secrets.length === 1 ? 'the secret' : 'the secrets';
  const variables = listOf(secrets.map(({ env }) => env));
  return `sends ${what} from ${variables}${isLive ? '; secrets cannot be compared' : ''}`;
}

/** The fields on these paths. Of an object that an update merges, it is the fields in it that differ. */
function changedPart(fields: Fields, item: Body, live: unknown, paths: readonly (readonly string[])[]): Body {
  const byName = groupBy(paths, ([name = '']) => name);
  const parts = [...byName].map(([name, below]) => {
    const field = fields[name] ?? {};
    const [value, now] = [item[name], memberOf(live, name)];
    const isMerged = field.replace !== true && isRecord(value) && below.every((path) => path.length > 1);
    if (!isMerged) return [name, withLiveFields(field, value, now)];
    const inside = below.map((path) => path.slice(1));
    return [name, changedPart(field.fields ?? {}, value, now, inside)];
  });
  return Object.fromEntries(parts);
}

function declaredPart(fields: Fields, item: object): Body {
  return Object.fromEntries(Object.entries(item).filter(([name]) => Object.hasOwn(fields, name)));
}

/**
 * A declared value that replaces a live one, with what the files leave out and would be lost: fields of an object of the
 * same form, and of elements with the same key. Secrets are never live.
 *
 *   declared { colour: blue }, live { colour: red, reach: 12 }  ->  { colour: blue, reach: 12 }
 */
function withLiveFields(field: Field, declared: unknown, live: unknown): unknown {
  if (Array.isArray(declared) && Array.isArray(live)) return withLiveElements(field, declared, live);
  if (!isRecord(declared) || !isRecord(live)) return declared;
  const by = field.forms?.by;
  if (by !== undefined && declared[by] !== live[by]) return declared;
  const members = Object.entries(membersOf(field, declared));
  const left = members.filter(([name, { secret }]) => !secret && !(name in declared) && live[name] !== undefined);
  return {
    ...Object.fromEntries(
      Object.entries(declared).map(([name, value]) => {
        const member = members.find(([known]) => known === name)?.[1] ?? {};
        return [name, withLiveFields(member, value, live[name])];
      }),
    ),
    ...Object.fromEntries(left.map(([name, member]) => [name, knownFields(member, live[name])])),
  };
}

function withLiveElements(field: Field, declared: readonly unknown[], live: readonly unknown[]): unknown[] {
  if (field.key === undefined) return [...declared];
  const byName = new Map(live.map((one) => [elementName(field, one), one]));
  return declared.map((one) => withLiveFields(field.items ?? {}, one, byName.get(elementName(field, one))));
}

/** The service may refuse other fields that its responses have. */
function knownFields(field: Field, live: unknown): unknown {
  if (!isRecord(live)) return live;
  const by = field.forms?.by;
  return withLiveFields(field, by === undefined ? {} : { [by]: memberOf(live, by) }, live);
}

/**
 * The references to secrets in an item, or in the body of a request. The tenant accepts them and never returns them, so
 * they can be sent but never compared. Only apply reads the environment.
 */
export function secretsIn(fields: Fields, item: object): DeclaredSecret[] {
  return valuesIn(fields, item)
    .filter(({ field }) => field.secret !== undefined)
    .map(({ value, path }) => ({
      field: String(path.at(-1)),
      place: { pointer: jsonPointer(...path), env: variableOf(value) },
    }));
}

/** `${env:TENANT_VAR_CRM_PASSWORD}` is TENANT_VAR_CRM_PASSWORD. The schema accepts nothing else, and a plan must never contain a secret. */
function variableOf(reference: unknown): string {
  const name = /^\$\{env:(\w+)\}$/.exec(String(reference))?.[1];
  if (name === undefined) throw new InternalError('a secret is not a reference to the environment');
  return name;
}
