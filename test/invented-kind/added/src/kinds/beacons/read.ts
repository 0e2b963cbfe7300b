import type { Reading } from '../../model/kind.ts';
import { listBeacons } from '../../service/beacons/operations.ts';
import { listRoles } from '../../service/roles/operations.ts';
import type { TendedBeacon } from './decide.ts';
import type { DesiredBeacon } from './desired-beacon.ts';

/** Beacons, and the roles that tend them: the listing of roles belongs to another resource and is used by another kind too. */
export const reading: Reading<DesiredBeacon, TendedBeacon> = {
  operations: [listBeacons, listRoles],
  each: false,
  async read(reader) {
    const [beacons, roles] = await Promise.all([reader.list(listBeacons, {}), reader.list(listRoles, {})]);
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
