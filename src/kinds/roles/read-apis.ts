import type { DesiredSection, Reading } from '../../model/kind.ts';
import type { LiveState, Reader, Unreadable } from '../../model/reader.ts';
import { listResourceServers } from '../../service/resource-servers/operations.ts';
import type { DeclaredRole } from '../../service/roles/types.generated.ts';
import type { LiveRole } from './match-roles.ts';
import { missingPairs } from './permission-pair.ts';

/** The permissions that the APIs of the tenant define, by identifier; or why they are not known. */
export type DefinedPermissions =
  | { readonly readable: true; readonly values: ReadonlyMap<string, ReadonlySet<string>>; readonly pages: number }
  | Unreadable;

/**
 * Also reads what the APIs define, with one listing, if a declared permission would be added: what a role has exists.
 * Roles can be decided without it.
 */
export function withDefinedPermissions(reading: Reading<DeclaredRole, LiveRole>): Reading<DeclaredRole, LiveRole> {
  const { read, readAgain } = reading;
  return {
    ...reading,
    optional: [...(reading.optional ?? []), listResourceServers],
    read: async (reader, ask) => withApis(reader, ask.desired, await read(reader, ask)),
    readAgain: (reader, ask) => readAgain?.(reader, ask)?.then((live) => withApis(reader, ask.desired, live)) ?? null,
  };
}

async function withApis(
  reader: Reader,
  desired: DesiredSection<DeclaredRole>,
  live: LiveState<LiveRole>,
): Promise<LiveState<LiveRole>> {
  if (!live.readable) return live;
  const byKey = new Map(live.items.map((role) => [role.key, role]));
  if (desired.items.every((item) => missingPairs(item, byKey.get(item.key)).length === 0)) return live;
  const defined = await readDefined(reader);
  return { ...live, items: live.items.map((role) => ({ ...role, defined })) };
}

async function readDefined(reader: Reader): Promise<DefinedPermissions> {
  const listing = await reader.list(listResourceServers, {});
  if (!listing.ok) return listing.why;
  const values = listing.items.map(
    ({ identifier, scopes }) => [identifier, new Set((scopes ?? []).map(({ value }) => value))] as const,
  );
  return { readable: true, values: new Map(values), pages: listing.pages ?? 1 };
}
