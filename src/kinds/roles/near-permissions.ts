import { draftFinding } from '../../differ/draft.ts';
import type { DecideInput } from '../../model/kind.ts';
import type { Finding } from '../../model/plan.generated.ts';
import type { DeclaredRole, PermissionPair } from '../../resources/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
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
  const found = live.readable ? live.items.flatMap((role) => (role.state === 'found' ? [role] : [])) : [];
  const liveByRole = new Map(found.map(({ key, permissions }) => [key, permissions]));
  const absent = desired.items.filter(({ value }) => (value.absent_permissions ?? []).length > 0);
  if (absent.length === 0) return [];
  const declared = pairsByForm(desired.items.flatMap(({ value }) => value.permissions ?? []));
  return absent.flatMap((item) => {
    const { absent_permissions: pairs = [] } = item.value;
    const listed = new Set(pairs.map(pairKey));
    const nearLive = nearestPair(pairsByForm(liveByRole.get(item.key) ?? []), listed);
    const nearDeclared = nearestPair(declared, listed);
    return pairs.flatMap((pair, index) => {
      const ofRole = nearLive(pair);
      const near = ofRole ?? nearDeclared(pair);
      if (near === null) return [];
      const where = ofRole === null ? 'the files declare' : 'the role has';
      const message = `absent_permissions lists ${pairText(pair)}, but ${where} ${pairText(near)}; they differ only by case or slashes`;
      const source = item.at(`/absent_permissions/${index}`);
      return [draftFinding({ code: 'LIVE_NEAR_PERMISSION', kind: 'roles', key: item.key, message, source })];
    });
  });
}

interface SameForm {
  readonly keys: ReadonlySet<string>;
  /** In an order that does not depend on the tenant. */
  readonly pairs: readonly PermissionPair[];
}

function pairsByForm(pairs: readonly PermissionPair[]): ReadonlyMap<string, SameForm> {
  const groups = [...groupBy(pairs, looseForm)];
  return new Map(
    groups.map(([form, same]) => [form, { keys: new Set(same.map(pairKey)), pairs: same.toSorted(comparePairs) }]),
  );
}

/** Equal for pairs that differ only by case or slashes. */
function looseForm({ resource_server_identifier: api, permission_name: name }: PermissionPair): string {
  return JSON.stringify([api, name].map((text) => text.toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '')));
}

/**
 * The first pair of the same form, unless the pair itself is among them. Pairs that are listed as well do not count.
 * Each form is searched once, so many pairs of one form cost no more than others.
 */
function nearestPair(
  pairs: ReadonlyMap<string, SameForm>,
  listed: ReadonlySet<string>,
): (pair: PermissionPair) => PermissionPair | null {
  const firsts = new Map<string, PermissionPair | null>();
  return (pair) => {
    const form = looseForm(pair);
    const same = pairs.get(form);
    if (same === undefined || same.keys.has(pairKey(pair))) return null;
    const known = firsts.get(form);
    if (known !== undefined) return known;
    const first = same.pairs.find((other) => !listed.has(pairKey(other))) ?? null;
    firsts.set(form, first);
    return first;
  };
}
