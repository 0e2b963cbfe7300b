import type { ListedKind } from '../differ/decide-difference.ts';
import { decideListed } from '../differ/decide-listed.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Fields } from '../model/field.ts';
import type { DecideInput, DesiredItem, Reading, ResourceKind } from '../model/kind.ts';
import type { GetOperation, ItemParams, ListOperation } from '../model/operation.ts';
import type { Action } from '../model/plan.generated.ts';
import { liveState } from '../model/reader.ts';
import type { ResourceOperations } from '../model/resource.ts';
import type { ItemSource } from '../model/snapshot.ts';
import { itemDoubts } from '../snapshot/item-doubts.ts';
import type { Identified } from '../values/ordered-items.ts';
import { comparableLive } from './comparable.ts';
import { type Comparing, changesOf } from './compare.ts';
import { describeItem, fieldSummary, type SummaryOf } from './describe-item.ts';
import { canonicalFrom, identityOf } from './identity.ts';
import { checkLists, listKeys } from './members.ts';
import { pullItems } from './pull-items.ts';
import { itemRequests, type RequestRules } from './requests.ts';

/** What a kind of listed items states itself. */
interface OwnParts<Live extends object>
  extends Pick<ResourceKind, 'name' | 'title' | 'undeclared'>,
    Pick<ListedKind<object, Live>, 'undeclarable'>,
    Pick<Comparing, 'isSame'>,
    RequestRules<Live> {
  readonly fields: Fields;
  readonly operations: ResourceOperations & { readonly list: ListOperation<unknown, Live> };
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
  const { fields, name, title, undeclared, isSame, undeclarable, operations } = own;
  const identity = identityOf(fields);
  const { names, nameOf } = identity;
  const canonical = canonicalFrom<Desired>(fields, names);
  const { protectedAs = nameOf, summaryOf = fieldSummary(fields) } = own;
  const listed: ListedKind<Desired, Live> = {
    kind: name,
    identity: names,
    keyOf: (live) => nameOf(live) || live.id,
    idOf: ({ id }) => id,
    protectedAs,
    changesOf: (declared, live) => changesOf(fields, declared, live, { isSame }),
    liveForm: comparableLive(fields),
    ...(undeclarable && { undeclarable }),
    ...itemRequests<Desired, Live>(fields, own, { idOf: ({ id }) => id }),
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
    reading: readItems<Desired, Live>(operations, listed),
    decide: (input: DecideInput<Desired, Live>) => decideListed(listed, input),
    describe: (action: Action) => describeItem(action, summaryOf),
    pull: pullItems<Live>(fields, nameOf, { ...(isSame && { isSame }), protectedAs }),
  } satisfies ResourceKind<Desired, Live>;
}

/** Every item, or a few by their ids. */
function readItems<Desired, Live extends Identified>(
  { list, get }: { readonly list: ListOperation<unknown, Live>; readonly get?: GetOperation<ItemParams, Live> },
  { keyOf, protectedAs, undeclarable = () => null }: ListedKind<Desired, Live>,
): Reading<Desired, Live> {
  const source: ItemSource<Live> = { list, ...(get && { get }), nameOf: keyOf };
  return {
    operations: [list],
    source,
    each: false,
    read: async (snapshot, ask) => {
      const { only, before = new Map(), keep } = ask;
      const doubtsOf = itemDoubts(source, ask, {
        mayDelete: (live, isDeclared) =>
          (isDeclared || keep.undeclared === 'delete') &&
          !keep.isProtected(protectedAs(live)) &&
          undeclarable(live) === null,
      });
      // Without a filter, only what has an id is read by itself.
      const names = only?.every((key) => before.get(key)) ? only : null;
      const found = await snapshot.find(source, { names, before, doubtsOf });
      return liveState(found, found.ok && !found.isComplete);
    },
  };
}
