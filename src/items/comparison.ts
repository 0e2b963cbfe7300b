import type { ListedKind } from '../differ/decide-difference.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Fields } from '../model/field.ts';
import type { DecideInput, DesiredItem } from '../model/kind.ts';
import type { ApiLevel } from '../model/operation.ts';
import type { Resource } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { comparableLive, inSetOrder } from './comparable.ts';
import { type Comparing, changesOf } from './compare.ts';
import type { SummaryOf } from './describe-item.ts';
import type { EffectHook } from './effects/item-effects.ts';
import type { WhyLockedOut } from './effects/own-items.ts';
import { declaredNames, openKeys, protectedNames } from './keys.ts';
import { inOrder, namedSets, withSets } from './members.ts';
import { namedElements } from './own-elements.ts';
import type { HolderReading } from './read-holders.ts';
import { withNames } from './references.ts';
import { canReadAgain, itemRequests, type RequestRules } from './requests.ts';
import { whyFixed } from './reserved-items.ts';
import { openUnclear } from './unclear-names.ts';

/** What a description cannot say of a kind. */
export interface KindHooks<Live extends object>
  extends Pick<RequestRules<Live>, 'prepare' | 'deletionNotes'>,
    Pick<Comparing, 'isSame'>,
    Pick<ListedKind<object, Live>, 'undeclarable'> {
  /** Reports errors of one item that a schema cannot express. */
  check?(item: DesiredItem<object>, report: (diagnostic: Diagnostic) => void, api: ApiLevel): void;
  /** Default: the fields that are marked for it. */
  readonly summaryOf?: SummaryOf<Live>;
  readonly effects?: EffectHook;
  /** Another name that patterns under `protect` are matched against. */
  protectedAs?(item: object): string;
  readonly whyLockedOut?: WhyLockedOut<Live>;
  /** Who has elements of a set that others name. Without it, such a set changes with the item, by one update. */
  readonly holders?: HolderReading;
}

/** Without the sets that change by requests of their own. A name beside an id is a field like others. */
export function comparedFields(resource: Resource, { holders }: Pick<KindHooks<never>, 'holders'>): Fields {
  const apart = holders === undefined ? [] : namedSets(resource);
  const fields = Object.entries(withSets(resource)).filter(([name]) => !apart.includes(name));
  if (resource.unique !== false && !resource.byId) return Object.fromEntries(fields);
  return Object.fromEntries(fields.map(([name, { identity: _identity, ...field }]) => [name, field]));
}

/** How the items of a resource are matched, compared and corrected, for one decision. */
export function comparisonOf<Desired extends object, Live extends object>(
  resource: Resource,
  kind: string,
  hooks: KindHooks<Live>,
  { desired, live, names, api }: Pick<DecideInput<Desired, Live>, 'desired' | 'live' | 'names' | 'api'>,
): ListedKind<Desired, Live> {
  const { key, id, unique, byId, operations } = resource;
  const { isSame, undeclarable } = hooks;
  const fields = withSets(resource);
  const own = comparedFields(resource, hooks);
  const [items, more] = live.readable ? [live.items, live.more] : [[], undefined];
  const keyOf = openKeys<Live>(resource, { items: desired.items, live: items, names });
  const idOf = (item: Live) => String(memberOf(item, id) ?? '');
  const lives = new Set<object>(items);
  // A live item has ids in place of names.
  const isLive = (item: object): item is Live => lives.has(item);
  const ownNames = protectedNames(resource, hooks, names);
  const protectedAs = (item: object) =>
    isLive(item) ? [keyOf(item), ...ownNames(item)] : declaredNames(resource, hooks, item);
  const whyKept = openUnclear(resource, desired.items, names);
  const ordered = inSetOrder(fields);
  const withElements = namedElements(resource);
  const named = (item: Live) => withElements(item, more?.get(item)?.nested);
  const shown = (item: Live) => {
    if (byId) return ordered(inOrder({ [id]: {}, ...fields }, item));
    return ordered(names === undefined ? named(item) : withNames(fields, named(item), names, keyOf(item)));
  };
  const othersOf = (item: Live) => more?.get(item)?.others ?? [];
  return {
    kind,
    idField: id,
    identity: key,
    keyOf: (item) => keyOf(item) || idOf(item),
    idOf,
    protectedAs,
    changesOf: (declared, item) => changesOf(own, declared, named(item), { isSame, names }),
    liveForm: comparableLive(own),
    shown,
    ...((unique === false || byId) && { isUnique: false }),
    ...(undeclarable && { undeclarable }),
    ...(whyKept && { whyKept }),
    ...(canReadAgain(operations, api) && { sentBackOf: othersOf }),
    ...itemRequests<Desired, Live>(
      fields,
      { ...hooks, operations },
      {
        ...{ idOf, api, othersOf, names },
        whyFixed: (item, field) => whyFixed(resource, item, field),
      },
    ),
  };
}
