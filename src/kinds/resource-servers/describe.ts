import type { Description, EffectsOf, Loss, PlannedPart } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { DeclaredScope } from '../../service/resource-servers/types.generated.ts';
import { accessEffects } from '../../service/roles/permissions.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { missingScopes, pairOf } from './scopes.ts';

/** The scopes that an action adds, changes or removes; its request has the complete list. */
export function describe(action: Action): Description {
  const { body } = action.request;
  const [some, others, does] =
    action.action === 'remove' ? ([action.before, body, 'deletes'] as const) : ([body, action.before, 'adds'] as const);
  const known = new Set(scopesOf(others).map(({ value }) => value));
  const changed = scopesOf(some).filter(({ value }) => !known.has(value));
  const lead = changed.length === 1 ? 'scope' : 'scopes';
  const parts = [{ does, lead, parts: changed.map(({ value }) => ({ name: value })) }] as const;
  return { title: action.key, ...(changed.length > 0 && { parts }), lines: changed.map(scopeText) };
}

/** `read:orders (Read orders)` */
function scopeText({ value, description = '' }: DeclaredScope): string {
  return description === '' ? value : `${value} (${description})`;
}

function scopesOf(item: object | null | undefined): readonly DeclaredScope[] {
  return (item as { readonly scopes?: readonly DeclaredScope[] } | null | undefined)?.scopes ?? [];
}

/** The scopes that go, and the roles that lose a permission with them. */
export function effectsOf({ losses }: PlannedPart): EffectsOf {
  const byAction = groupBy(losses, ({ id }) => id);
  return (action) => (action.action === 'remove' ? removalEffects(action, byAction.get(action.id) ?? []) : []);
}

function removalEffects({ key, before, after }: Action, losses: readonly Loss[]): Effect[] {
  const removed: Effect = {
    code: 'SCOPE_REMOVED',
    severity: 'warning',
    message: `no longer defines ${listOf(missingScopes(before, after))}`,
    kind: 'resource_servers',
    key,
  };
  const lost = [...groupBy(losses, ({ holder }) => holder?.id)].flatMap(([, ofRole]) => {
    const holder = ofRole[0]?.holder;
    const pairs = ofRole.flatMap(({ part }) => (part === undefined ? [] : [pairOf(key, part)]));
    return holder === undefined ? [] : accessEffects('ACCESS_LOST', holder, pairs);
  });
  return [removed, ...lost];
}
