import type { ListedKind } from '../differ/decide-difference.ts';
import { decideListed } from '../differ/decide-listed.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Fields } from '../model/field.ts';
import type { AgainAsk, DecideInput, DesiredItem, Reading, ResourceKind } from '../model/kind.ts';
import { type GetOperation, type ItemOperations, type ItemParams, idProblem, isAvailable } from '../model/operation.ts';
import type { Action } from '../model/plan.generated.ts';
import { type LiveState, liveState, mergedState, type Reader, readById } from '../model/reader.ts';
import type { Identified } from '../values/ordered-items.ts';
import { comparableItem } from './comparable.ts';
import { describeItem, fieldSummary, type SummaryOf } from './describe-item.ts';
import { canonicalFrom, identityOf } from './identity.ts';
import { checkLists, listKeys } from './members.ts';
import { pullItems } from './pull-items.ts';
import { itemRequests, type RequestRules } from './requests.ts';

/** What a kind of listed items states itself. */
interface OwnParts<Live extends object>
  extends Pick<ResourceKind, 'name' | 'title' | 'undeclared'>,
    Pick<ListedKind<object, Live>, 'isSame' | 'undeclarable'>,
    RequestRules<Live> {
  readonly fields: Fields;
  /** Default: the fields that are marked for it. */
  readonly summaryOf?: SummaryOf<Live>;
  /** What patterns under `protect` are matched against; default: the identity. */
  protectedAs?(item: object): string;
}

/**
 * A kind whose items are a list in the files and on the tenant, by the marks of its schema. A kind replaces what is
 * peculiar to it.
 */
export function listedKind<Desired extends object, Live extends Identified>(own: OwnParts<Live>) {
  const { fields, name, title, undeclared, isSame, undeclarable } = own;
  // A kind whose live items have more than what its operations return replaces the reading.
  const operations = own.operations as ItemOperations<Live>;
  const identity = identityOf(fields);
  const { names, nameOf } = identity;
  const canonical = canonicalFrom<Desired>(fields, identity);
  const { protectedAs = nameOf, summaryOf = fieldSummary(fields) } = own;
  const forms = comparableItem(fields);
  const listed: ListedKind<Desired, Live> = {
    kind: name,
    identity: names,
    keyOf: (live) => nameOf(live) || live.id,
    idOf: ({ id }) => id,
    protectedAs,
    desiredForm: forms.desired,
    liveForm: forms.live,
    ...(isSame && { isSame }),
    ...(undeclarable && { undeclarable }),
    ...itemRequests<Desired, Live>(fields, own),
  };
  return {
    name,
    title,
    undeclared,
    operations: Object.values(operations),
    identity: names,
    keyOf: nameOf,
    ...(canonical && { canonical }),
    ...(listKeys(fields).length > 0 && {
      check: (item: DesiredItem<Desired>, report: (diagnostic: Diagnostic) => void) => checkLists(fields, item, report),
    }),
    reading: readItems<Desired, Live>(operations),
    decide: (input: DecideInput<Desired, Live>) => decideListed(listed, input),
    describe: (action: Action) => describeItem(action, summaryOf),
    pull: pullItems<Live>(fields, nameOf, { ...(isSame && { isSame }), protectedAs }),
  } satisfies ResourceKind<Desired, Live>;
}

/** Every item, or a single one by its id. Items are read again by their ids, but not one that is missing. */
function readItems<Desired, Live extends Identified>({
  list,
  get,
}: Pick<ItemOperations<Live>, 'list' | 'get'>): Reading<Desired, Live> {
  const all = async (reader: Reader) => liveState(await reader.list(list, {}), false);
  if (get === undefined) return { operations: [list], each: false, read: all };
  return {
    operations: [list],
    each: false,
    single: 'id',
    read: async (reader, { only, ids }) => {
      const [key, ...others] = only ?? [];
      const id = key === undefined || others.length > 0 ? null : (ids?.get(key) ?? null);
      return id === null ? all(reader) : liveState(await readById(reader, get, id), true);
    },
    readAgain: (reader, ask) => readAgain(reader, get, ask),
  };
}

/** One request for each id, if the complete list takes more. */
function readAgain<Desired, Live extends Identified>(
  reader: Reader,
  get: GetOperation<ItemParams, Live>,
  { conclusions, before, api }: AgainAsk<Desired, Live>,
): Promise<LiveState<Live>> | null {
  const ids = new Set<string>();
  for (const conclusion of conclusions) {
    for (const id of conclusion.ids) ids.add(id);
    if (conclusion.ids.length === 0 || ids.size >= (before.pages ?? 1)) return null;
  }
  if (!isAvailable(get, api) || [...ids].some((id) => idProblem(get, id) !== null)) return null;
  const listings = Promise.all([...ids].map((id) => readById(reader, get, id)));
  return listings.then((listed) => mergedState(before, listed, ({ id }) => ids.has(id)));
}
