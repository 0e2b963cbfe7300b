/** What nothing is decided by: people read it. */
import type { AnyKind, Decision } from '../model/kind.ts';
import { type ApiLevel, isAvailable } from '../model/operation.ts';
import type { Action, Effect } from '../model/plan.generated.ts';
import type { Glance } from '../model/reader.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { memoized } from '../values/memoized.ts';

const none: readonly never[] = [];

/** With effects of texts, such as a script that a partial adds. */
export async function inspected({ inspect }: AnyKind, decision: Decision): Promise<Decision> {
  if (inspect === undefined || decision.actions.length === 0) return decision;
  const found = await inspect(decision.actions);
  if (found.size === 0) return decision;
  return {
    ...decision,
    effectsOf: (planned) => {
      const others = decision.effectsOf?.(planned);
      return (action) => [...(found.get(action.id) ?? none), ...(others?.(action) ?? none)];
    },
  };
}

/** Effects on items that lose something, with who has these items. An item is counted once, whatever takes from it. */
export async function withCounts(actions: Action[], kinds: readonly AnyKind[], snapshot: Snapshot): Promise<Action[]> {
  const counters = new Map(
    kinds.map((kind) => [kind.name, memoized((id: string) => kind.holderCounts?.(snapshot, id))]),
  );
  const countable: Effect[] = [];
  for (const { effects } of actions) for (const effect of effects) if (effect.id !== undefined) countable.push(effect);
  const found = await allOrFirstError(countable.map(async ({ kind, id = '' }) => counters.get(kind)?.(id)));
  const counted = new Map(countable.map((effect, index) => [effect, { ...effect, ...found[index] }]));
  const withCounted = (effects: Effect[]) => effects.map((effect) => counted.get(effect) ?? effect);
  return counted.size === 0 ? actions : actions.map((action) => ({ ...action, effects: withCounted(action.effects) }));
}

/** Most clients whose names are read, one after the other: the first failure ends it. */
const mostNamed = 20;

/** Actions on items that are about a client, with its name. A client may be gone, and some names are ids. */
export async function withClientNames(
  actions: Action[],
  kinds: readonly AnyKind[],
  api: ApiLevel,
  glance: Glance,
): Promise<Action[]> {
  const named = new Map<Action, Action>();
  for (const { name: kind, clientOf, getClient } of kinds) {
    if (clientOf === undefined || getClient === undefined || !isAvailable(getClient, api)) continue;
    const byClient = new Map<string, Action[]>();
    for (const action of actions) {
      const id = action.kind === kind ? clientOf(action.after ?? action.before) : null;
      const about = id === null ? undefined : byClient.get(id);
      if (about !== undefined) about.push(action);
      else if (id !== null && byClient.size < mostNamed && getClient.params?.validate({ id }))
        byClient.set(id, [action]);
    }
    for (const [id, about] of byClient) {
      const read = await glance(getClient, { id }, { fields: 'client_id,name' });
      if (!read.ok && !read.gone) break;
      const { client_id, name } = read.ok ? read.value : {};
      if (client_id === id && name && name !== id) for (const action of about) named.set(action, { ...action, name });
    }
  }
  return named.size === 0 ? actions : actions.map((action) => named.get(action) ?? action);
}

/** Like Promise.all, but waits for the others, so that no read is in flight when a run ends. */
export async function allOrFirstError<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
