import { isDeepStrictEqual } from 'node:util';
import type { KindName } from '../../src/model/kind.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { heldPairs, textsOf } from './meaning.ts';

/** What a step changed, one entry for each item, role or prompt. */
export interface Effect {
  readonly kind: KindName;
  /** Id of a policy, stream or role; name of a prompt. */
  readonly target: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** Of a policy or stream. */
  readonly item?: Item;
  /** Pairs of a role, texts of a prompt. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

export interface Item {
  readonly id: string;
  readonly name?: string;
  readonly consumer_selector?: string;
}

export function effectsBetween(before: Seed, after: Seed): Effect[] {
  if (before === after) return [];
  return [
    ...itemEffects('rate_limit_policies', before.rate_limit_policies, after.rate_limit_policies),
    ...itemEffects('event_streams', before.event_streams, after.event_streams),
    ...roleEffects(before, after),
    ...promptEffects(before, after),
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

function roleEffects(before: Seed, after: Seed): Effect[] {
  const now = heldPairs(after);
  const then = heldPairs(before);
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((id) => {
    const change = now.has(id) ? (then.has(id) ? 'changed' : 'created') : 'deleted';
    return setEffect('roles', id, change, then.get(id) ?? new Set(), now.get(id) ?? new Set());
  });
}

function promptEffects(before: Seed, after: Seed): Effect[] {
  const prompts = new Set([...Object.keys(before.prompts ?? {}), ...Object.keys(after.prompts ?? {})]);
  return [...prompts].flatMap((prompt) =>
    setEffect('prompts', prompt, 'changed', textsWithValues(before, prompt), textsWithValues(after, prompt)),
  );
}

function textsWithValues({ prompts = {} }: Seed, prompt: string): ReadonlySet<string> {
  return new Set(textsOf(prompt, prompts[prompt]?.partials ?? {}).map(([name, text]) => `${name}=${text}`));
}

function setEffect(
  kind: KindName,
  target: string,
  change: Effect['change'],
  then: ReadonlySet<string>,
  now: ReadonlySet<string>,
): Effect[] {
  const gained = [...now].filter((name) => !then.has(name));
  const lost = [...then].filter((name) => !now.has(name));
  return gained.length + lost.length === 0 && change === 'changed' ? [] : [{ kind, target, change, gained, lost }];
}
