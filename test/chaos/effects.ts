import { isDeepStrictEqual } from 'node:util';
import type { KindName } from '../../src/model/kind.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { clientsOf, connectionsOf, grantsOf, heldBy, protectionsOf } from './checks/applications.ts';
import { heldPairs, textsOf } from './meaning.ts';

/** What a step changed, one entry for each item, role or prompt. */
export interface Effect {
  readonly kind: KindName;
  /** Id of an item; name of a prompt. */
  readonly target: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** Of all kinds but prompts. */
  readonly item?: Item;
  /** Pairs of a role, texts of a prompt, scopes of an API or a grant, ids of the clients of a connection. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

export interface Item {
  readonly id: string;
  readonly name?: string;
  readonly consumer_selector?: string;
  readonly identifier?: string;
}

/** Roles without their permissions. */
export function rolesOf({ roles = [] }: Seed): Item[] {
  return roles.map(({ id, name, description }) => ({ id, name, ...(description !== undefined && { description }) }));
}

export function effectsBetween(before: Seed, after: Seed): Effect[] {
  if (before === after) return [];
  return [
    ...itemEffects('rate_limit_policies', before.rate_limit_policies, after.rate_limit_policies),
    ...itemEffects('event_streams', before.event_streams, after.event_streams),
    ...roleEffects(before, after),
    ...apiEffects(before, after),
    ...promptEffects(before, after),
    ...itemEffects('clients', clientsOf(before), clientsOf(after)),
    ...holdingEffects('client_grants', grantsOf(before), grantsOf(after)),
    ...holdingEffects('connections', connectionsOf(before), connectionsOf(after)),
    ...itemEffects('attack_protection', protectionsOf(before), protectionsOf(after)),
  ];
}

/** A stamp of the time is no change of its own. */
export function withoutStamps(item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'updated_at' && name !== 'created_at'));
}

function itemEffects(kind: KindName, before: readonly Item[] = [], after: readonly Item[] = []): Effect[] {
  const now = new Map(after.map((item) => [item.id, item]));
  const then = new Map(before.map((item) => [item.id, item]));
  const effect = (item: Item, change: Effect['change']): Effect => ({
    kind,
    target: item.id,
    change,
    item,
    gained: [],
    lost: [],
  });
  return [
    ...before.filter(({ id }) => !now.has(id)).map((item) => effect(item, 'deleted')),
    ...after.flatMap((item) => {
      const old = then.get(item.id);
      if (old === undefined) return [effect(item, 'created')];
      return isDeepStrictEqual(withoutStamps(old), withoutStamps(item)) ? [] : [effect(item, 'changed')];
    }),
  ];
}

/** With what they gained and lost by that. */
function holdingEffects(kind: KindName, before: readonly Item[], after: readonly Item[]): Effect[] {
  const heldIn = (items: readonly Item[]) => new Map(items.map((item) => [item.id, new Set(heldBy(kind, item))]));
  const [then, now] = [heldIn(before), heldIn(after)];
  return itemEffects(kind, before, after).map((effect) => ({
    ...effect,
    ...setDifference(then.get(effect.target) ?? new Set(), now.get(effect.target) ?? new Set()),
  }));
}

/** One for each role, whatever of it changed. */
function roleEffects(before: Seed, after: Seed): Effect[] {
  const [then, now] = [heldPairs(before), heldPairs(after)];
  const items = itemEffects('roles', rolesOf(before), rolesOf(after));
  const byId = new Map(items.map((effect) => [effect.target, effect]));
  const unchanged = rolesOf(after).flatMap((item): Effect[] =>
    byId.has(item.id) ? [] : [{ kind: 'roles', target: item.id, change: 'changed', item, gained: [], lost: [] }],
  );
  return [...items, ...unchanged].flatMap((effect) => {
    const { target } = effect;
    const pairs = setDifference(then.get(target) ?? new Set(), now.get(target) ?? new Set());
    return byId.has(target) || isAny(pairs) ? [{ ...effect, ...pairs }] : [];
  });
}

function apiEffects(before: Seed, after: Seed): Effect[] {
  const [then, now] = [scopesOf(before), scopesOf(after)];
  return itemEffects('resource_servers', before.resource_servers as Item[], after.resource_servers as Item[]).map(
    (effect) => ({
      ...effect,
      ...setDifference(then.get(effect.target) ?? new Set(), now.get(effect.target) ?? new Set()),
    }),
  );
}

/** By the id of the API. */
export function scopesOf({ resource_servers: apis = [] }: Seed): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(apis.map(({ id = '', scopes = [] }) => [id, new Set(scopes.map(({ value }) => value))]));
}

function promptEffects(before: Seed, after: Seed): Effect[] {
  const prompts = new Set([...Object.keys(before.prompts ?? {}), ...Object.keys(after.prompts ?? {})]);
  return [...prompts].flatMap((target): Effect[] => {
    const texts = setDifference(textsWithValues(before, target), textsWithValues(after, target));
    return isAny(texts) ? [{ kind: 'prompts', target, change: 'changed', ...texts }] : [];
  });
}

function textsWithValues({ prompts = {} }: Seed, prompt: string): ReadonlySet<string> {
  return new Set(textsOf(prompt, prompts[prompt]?.partials ?? {}).map(([name, text]) => `${name}=${text}`));
}

function setDifference(then: ReadonlySet<string>, now: ReadonlySet<string>): Pick<Effect, 'gained' | 'lost'> {
  return {
    gained: [...now].filter((name) => !then.has(name)),
    lost: [...then].filter((name) => !now.has(name)),
  };
}

function isAny({ gained, lost }: Pick<Effect, 'gained' | 'lost'>): boolean {
  return gained.length + lost.length > 0;
}
