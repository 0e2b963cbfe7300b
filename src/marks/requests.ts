import { plannedRequest } from '../contract/planned-request.ts';
import type { Change, Corrections } from '../differ/decide-difference.ts';
import type { SecretHook } from '../differ/decide-secrets.ts';
import type { Corrected, Uncorrectable } from '../differ/draft.ts';
import type { Fields } from '../model/field.ts';
import type { ItemOperations, Operation } from '../model/operation.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import type { Identified } from '../values/ordered-items.ts';
import { hasField } from './members.ts';
import { secretsIn } from './secrets.ts';
import { withLiveFields } from './with-live-fields.ts';

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
  const hasSecrets = Object.values(fields).some((field) => hasField(field, ({ secret }) => secret === true));
  const secretsOf = (body: object) => (hasSecrets ? secretsIn(fields, body) : []);
  const write = (operation: Operation, given: Body, live: Live | null): Corrected | Uncorrectable => {
    const prepared = prepare(given, live);
    if ('impossible' in prepared) return prepared;
    const { body, notes = [] } = prepared;
    const secrets = secretsOf(body).map(({ place }) => place);
    const sent =
      secrets.length === 0
        ? []
        : [
            sentText(
              secrets.map(({ env }) => env),
              live !== null,
            ),
          ];
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
          correct: ({ desired, live, changes }: Change<Desired, Live>) =>
            write(
              update,
              changedPart(
                fields,
                desired as Body,
                live,
                changes.map(({ field }) => field.split('.')),
              ),
              live,
            ),
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

function sentText(variables: readonly string[], isLive: boolean): string {
  const secrets = variables.length === 1 ? 'the secret' : 'the secrets';
  return `sends ${secrets} from ${listOf(variables)}${isLive ? '; secrets cannot be compared' : ''}`;
}

/** The fields on these paths. Of an object that an update merges, it is the fields in it that differ. */
function changedPart(fields: Fields, item: Body, live: unknown, paths: readonly (readonly string[])[]): Body {
  const byName = groupBy(paths, ([name = '']) => name);
  const parts = [...byName].map(([name, below]) => {
    const field = fields[name] ?? {};
    const [value, now] = [item[name], memberOf(live, name)];
    const isMerged = field.patch === 'merge' && isRecord(value) && below.every((path) => path.length > 1);
    if (!isMerged) return [name, withLiveFields(field, value, now)];
    const inside = below.map((path) => path.slice(1));
    return [name, changedPart(field.fields ?? {}, value, now, inside)];
  });
  return Object.fromEntries(parts);
}

function declaredPart(fields: Fields, item: object): Body {
  return Object.fromEntries(Object.entries(item).filter(([name]) => Object.hasOwn(fields, name)));
}
