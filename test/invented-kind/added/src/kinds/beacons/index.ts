import type { ResourceKind } from '../../model/kind.ts';
import { operations } from '../../service/beacons/operations.ts';
import type { BeaconsSection } from '../../service/beacons/types.generated.ts';
import { listRoles } from '../../service/roles/operations.ts';
import { decide, type TendedBeacon } from './decide.ts';
import type { DesiredBeacon } from './desired-beacon.ts';
import { reading } from './read.ts';

export const beacons: ResourceKind<DesiredBeacon, TendedBeacon> = {
  name: 'beacons',
  title: 'Beacons',
  undeclared: 'delete',
  operations: [...operations, listRoles],
  identity: ['name'],
  entries: (section) =>
    (section as BeaconsSection).map(({ name }, index) => ({
      key: name,
      pointer: `/${index}`,
      keyPointer: `/${index}/name`,
    })),
  reading,
  decide,
  describe: ({ key, request }) => ({ title: key, lines: [JSON.stringify(request.body ?? {})] }),
};
