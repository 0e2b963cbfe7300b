import { draftFinding } from '../../differ/draft.ts';
import type { DecideInput } from '../../model/kind.ts';
import type { Finding } from '../../model/plan.generated.ts';
import type { DeclaredRole, PermissionPair } from '../../service/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { memoized } from '../../values/memoized.ts';
import type { LiveRole } from './match-roles.ts';
import { comparePairs, pairKey, pairText } from './permission-pair.ts';

/**
 * Warnings for pairs under `absent_permissions` that remove nothing, while a pair that differs only by case or slashes
 * is live on the role or declared in the files.
 *
 *   absent   delete:orders of https://orders.example
 *   live     delete:orders of https://orders.example/   ->  a warning with both
 */
export function nearPermissions({
  desired,
  live,
}: Pick<DecideInput<DeclaredRole, LiveRole>, 'desired' | 'live'>): Finding[] {
  const absent = desired.items.filter(({ value }) => (value.absent_permissions ?? []).length > 0);
  if (absent.length === 0) return [];
  const roles = new Map(live.readable ? live.items.map((role) => [role.key, role]) : []);
  const declared = searchable(desired.items.flatMap(({ value }) => value.permissions ?? []));
  return absent.flatMap((item) => {
    const { absent_permissions: pairs = [] } = item.value;
    const listed = new Set(pairs.map(pairKey));
    const role = roles.get(item.key);
    const nearLive = openNear(searchable((role?.state === 'found' && role.permissions) || []), listed);
    const nearDeclared = openNear(declared, listed);
    return pairs.flatMap((pair, index) => {
      const ofRole = nearLive(pair);
      const near = ofRole ?? nearDeclared(pair);
      if (near === undefined) return [];
      const where = ofRole === undefined ? 'the files declare' : 'the role has';
      const message = `absent_permissions lists ${pairText(pair)}, but ${where} ${pairText(near)}; they differ only by case or slashes`;
      const source = item.at(`/absent_permissions/${index}`);
      return [draftFinding({ code: 'LIVE_NEAR_PERMISSION', kind: 'roles', key: item.key, message, source })];
    });
  });
}

/** The pairs, and those of each form in an order that does not depend on the tenant. */
function searchable(pairs: readonly PermissionPair[]) {
  return { keys: new Set(pairs.map(pairKey)), byForm: groupBy(pairs.toSorted(comparePairs), looseForm) };
}

/** Equal for pairs that differ only by case or slashes. */
function looseForm({ resource_server_identifier: api, permission_name: name }: PermissionPair): string {
  return JSON.stringify([api, name].map((text) => text.toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '')));
}

/** The first pair of the same form, unless the pair itself is known. Pairs that are listed as well do not count. */
function openNear({ keys, byForm }: ReturnType<typeof searchable>, listed: ReadonlySet<string>) {
  const first = memoized((form: string) => byForm.get(form)?.find((other) => !listed.has(pairKey(other))));
  return (pair: PermissionPair) => (keys.has(pairKey(pair)) ? undefined : first(looseForm(pair)));
}
