import { openKeys, protectedNames } from '../../items/keys.ts';
import { partsLeftOut } from '../../items/project.ts';
import type { ReadAsk, Reading } from '../../model/kind.ts';
import type { OwnClient } from '../../model/own-client.ts';
import { noAccess } from '../../model/own-client.ts';
import type { LiveState } from '../../model/reader.ts';
import type { ItemSource, Snapshot } from '../../model/snapshot.ts';
import { description, operations } from '../../service/rate-limit-policies/description.generated.ts';
import { shapes } from '../../service/rate-limit-policies/shapes.generated.ts';
import type {
  LivePolicy,
  CreatePolicyBody as Policy,
  PolicyQuery,
} from '../../service/rate-limit-policies/types.generated.ts';
import { itemDoubts } from '../../snapshot/item-doubts.ts';
import { chainsOf, clientKey, clientSelector, fallbacksOf, partsOf, policyKey } from './precedence.ts';
import { openServiceKeys, withKey } from './service-keys.ts';

/** The filters of the listing are exact (service specification 4.1). */
const source: ItemSource<LivePolicy> = {
  list: operations.list,
  get: operations.get,
  filterOf: filtersOf,
  isFilterExact: true,
  nameOf: policyKey,
};

export const reading: Reading<Policy, LivePolicy> = {
  operations: [operations.list],
  source,
  each: false,
  read: (snapshot, ask) => read(snapshot, asksService(ask)),
};

/** `missing`: keys that no policy of the tenant can have, because their client is not there. */
type ServiceAsk = ReadAsk<Policy> &
  Required<Pick<ReadAsk<Policy>, 'before'>> & { readonly missing: ReadonlySet<string> };

/** The same with keys of the service, which its filters need. */
function asksService(ask: ReadAsk<Policy>): ServiceAsk {
  const { only, before = new Map(), desired, watched = [], names, isSelected = () => true } = ask;
  const keyOf = openServiceKeys(names);
  const nameOf = openKeys<object>(description, { ...desired, live: [], names });
  const onService = <Item extends { readonly key: string }>(all: readonly Item[]) =>
    all.map((item) => withKey(item, keyOf(item.key)));
  const isMissing = (key: string) => keyOf(key) !== key && filtersOf(keyOf(key)) === null && !before.has(key);
  return {
    ...ask,
    only: only?.map(keyOf) ?? null,
    missing: new Set(only?.filter(isMissing).map(keyOf)),
    before: new Map([...before].map(([key, id]) => [keyOf(key), id])),
    desired: { ...desired, items: onService(desired.items) },
    watched: onService(watched),
    isSelected: (key) => isSelected(key) || isSelected(nameOf(policyAt(key))),
  };
}

/**
 * All policies; given a few complete keys, only those of these identities, and beside them what may apply instead of one of
 * them to a client of this tool, or to any client if it is to be deleted or created.
 */
async function read(snapshot: Snapshot, ask: ServiceAsk): Promise<LiveState<LivePolicy>> {
  const { only, missing, before, keep, own: { clients: own } = noAccess, desired, watched = [], names } = ask;
  const namesOf = protectedNames(description, {}, names);
  const isProtected = (policy: LivePolicy) =>
    keep.patterns.length > 0 && namesOf(policy).some((name) => keep.isProtected(name));
  const states = new Map(desired.items.map(({ key, state }) => [key, state]));
  // What is planned again has been reviewed.
  const isAgain = watched.length > 0;
  const deleting = isAgain
    ? watched.flatMap(({ action, key }) => (action === 'delete' ? [key] : []))
    : (only ?? []).filter((key) => (states.get(key) ?? 'absent') === 'absent');
  const beside = only === null ? [] : keysBeside(only, own, deleting);
  // A request would repeat the id, and so would --debug.
  const unnamed = own.flatMap(({ id, name }) => (id === name ? [] : [clientSelector(`client_id:${id}`)]));
  const isNamed = beside.every((key) => !unnamed.includes(partsOf(key).selector));
  const found = await snapshot.find(source, {
    names: only !== null && isNamed ? [...only.filter((key) => !missing.has(key)), ...beside] : null,
    before,
    doubtsOf: itemDoubts(source, ask, {
      mayDelete: (policy, isDeclared) => (isDeclared || keep.undeclared === 'delete') && !isProtected(policy),
    }),
  });
  if (!found.ok) return found.why;
  const { items, isComplete, odd } = found;
  const state = {
    readable: true,
    filtered: !isComplete,
    ...(odd !== undefined && { odd, more: partsLeftOut(odd) }),
  } as const;
  if (isComplete || only === null) return { ...state, items };
  const live = new Set(items.map(policyKey));
  const creating = isAgain ? [] : only.filter((key) => states.get(key) === 'present' && !live.has(key));
  const others = keysBeside(only, [], creating).filter((key) => !beside.includes(key));
  const more = await snapshot.find(source, { names: others });
  if (!more.ok) return more.why;
  const around = new Set([...beside, ...others]);
  if (around.size === 0) return { ...state, items };
  const isBeside = (policy: LivePolicy) => around.has(policyKey(policy));
  const neighbors = [...items, ...more.items].filter(isBeside);
  return { ...state, items: items.filter((policy) => !isBeside(policy)), beside: neighbors };
}

/** The other policies of which one may apply, where one of them is read. */
function keysBeside(
  only: readonly string[],
  own: readonly OwnClient[],
  changing: readonly string[],
): readonly string[] {
  const asked = only.map(clientKey);
  const keys = chainsOf(own, only).flatMap((chain) =>
    chain.keys.some((key) => asked.includes(key)) ? chain.keys : [],
  );
  return [...new Set([...keys, ...changing.flatMap((key) => fallbacksOf(key) ?? [])])].filter(
    (key) => !only.includes(key) && filtersOf(key) !== null,
  );
}

function policyAt(key: string) {
  const [resource, consumer, ...selector] = key.split('/');
  return { resource, consumer, consumer_selector: selector.join('/') };
}

/** Null if the key cannot belong to a policy; then the complete list is read. */
function filtersOf(key: string): PolicyQuery | null {
  const query = policyAt(key);
  return shapes.listQuery.validate(query) ? query : null;
}
