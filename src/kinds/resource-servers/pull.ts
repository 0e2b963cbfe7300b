import { undeclaredItems } from '../../differ/undeclared.ts';
import type { DesiredSection } from '../../model/kind.ts';
import type { PullRules } from '../../model/pull.ts';
import type { LiveState, Reader } from '../../model/reader.ts';
import type { DeclaredScope } from '../../service/resource-servers/types.generated.ts';
import { memberOf } from '../../values/json-pointer.ts';
import type { DesiredApi } from './desired-api.ts';
import { type LiveApi, readApis } from './read.ts';

/** Files have APIs with scopes, and none of the service itself: nothing of those could be managed. */
export const pull: PullRules<DesiredApi, LiveApi> = {
  form: 'list',
  readUndeclared,
  keyOf: ({ identifier }) => identifier,
  declare: ({ identifier, scopes }) => ({ written: { identifier, scopes: scopes.map(shortScope) } }),
  adopt: (written, { scopes }) => ({ written: { ...written, scopes: adoptScopes(written.scopes ?? [], scopes) } }),
  partName: (scope) => {
    const value = memberOf(scope, 'value');
    return typeof value === 'string' ? value : undefined;
  },
};

async function readUndeclared(reader: Reader, desired: DesiredSection): Promise<LiveState<LiveApi>> {
  const live = await readApis(reader);
  if (!live.readable) return live;
  const keys = new Set(undeclaredItems(desired.items, live.listed ?? []).map(({ key }) => key));
  return { ...live, items: live.items.filter(({ identifier }) => keys.has(identifier)) };
}

/** An empty description is as much as none. */
function shortScope({ value, description = '' }: DeclaredScope): DeclaredScope {
  return description === '' ? { value } : { value, description };
}

/**
 * The scopes of the tenant, in the order in which they are written, and new ones in the order of the tenant. Only a
 * description that is written is adopted.
 */
function adoptScopes(written: readonly DeclaredScope[], live: readonly DeclaredScope[]): DeclaredScope[] {
  const liveByValue = new Map(live.map((scope) => [scope.value, scope]));
  const kept = written.flatMap((scope) => {
    const now = liveByValue.get(scope.value);
    if (now === undefined) return [];
    const isSame = scope.description === undefined || scope.description === (now.description ?? '');
    return [isSame ? scope : shortScope(now)];
  });
  const known = new Set(written.map(({ value }) => value));
  return [...kept, ...live.filter(({ value }) => !known.has(value)).map(shortScope)];
}
