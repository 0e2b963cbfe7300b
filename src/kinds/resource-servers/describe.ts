import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { ApiScope } from '../../resources/resource-servers/types.generated.ts';

/** The scopes that an action adds, changes or removes; its request has the complete list. */
export function describe(action: Action): Description {
  const [before, after] = [scopesOf(action.before), scopesOf(action.request.body)];
  const [known, left] = [valuesOf(before), valuesOf(after)];
  const changed =
    action.action === 'remove'
      ? before.filter(({ value }) => !left.has(value))
      : after.filter(({ value }) => !known.has(value));
  return { title: action.key, lines: changed.map(scopeText) };
}

/** `read:orders (Read orders)` */
function scopeText({ value, description = '' }: ApiScope): string {
  return description === '' ? value : `${value} (${description})`;
}

function scopesOf(item: object | null | undefined): readonly ApiScope[] {
  return ((item as { readonly scopes?: readonly ApiScope[] } | null | undefined)?.scopes ?? []) as readonly ApiScope[];
}

function valuesOf(scopes: readonly ApiScope[]): ReadonlySet<string> {
  return new Set(scopes.map(({ value }) => value));
}
