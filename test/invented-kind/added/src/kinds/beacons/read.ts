import type { Present, Reading } from '../../model/kind.ts';
import { listBeacons } from '../../service/beacons/operations.ts';
import type { DeclaredBeacon, LiveBeacon } from '../../service/beacons/types.generated.ts';
import { operations as roleOperations } from '../../service/roles/description.generated.ts';

/** A beacon that the files declare to exist. */
export type DesiredBeacon = Present<DeclaredBeacon, 'light' | 'keeper'>;

/** A beacon with the name of its keeper, which files use; the tenant returns only the id. */
export interface TendedBeacon extends LiveBeacon {
  readonly keeper: string;
}

/** Beacons, and the roles that tend them: the listing of roles belongs to another resource and is used by another kind too. */
export const reading: Reading<DesiredBeacon, TendedBeacon> = {
  operations: [listBeacons, roleOperations.list],
  each: false,
  async read(reader) {
    const [beacons, roles] = await Promise.all([reader.list(listBeacons, {}), reader.list(roleOperations.list, {})]);
    if (!beacons.ok) return beacons.why;
    if (!roles.ok) return roles.why;
    const names = new Map(roles.items.map(({ id, name }) => [id, name]));
    const items = beacons.items.map((beacon) => ({
      ...beacon,
      keeper: names.get(beacon.keeper_id) ?? beacon.keeper_id,
    }));
    return { readable: true, filtered: false, items };
  },
};
