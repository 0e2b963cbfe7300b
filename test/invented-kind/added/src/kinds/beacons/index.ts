import { listedKind } from '../../items/listed-kind.ts';
import type { ResourceKind } from '../../model/kind.ts';
import { fields } from '../../service/beacons/fields.generated.ts';
import { operations } from '../../service/beacons/operations.ts';
import { listRoles } from '../../service/roles/operations.ts';
import { setPatterns } from './pattern.ts';
import { type DesiredBeacon, reading, type TendedBeacon } from './read.ts';

// The pattern has a request of its own.
const { pattern: _pattern, ...ordinary } = fields;

const listed = listedKind<DesiredBeacon, TendedBeacon>({
  name: 'beacons',
  title: 'Beacons',
  undeclared: 'delete',
  fields: ordinary,
  operations,
});

export const beacons: ResourceKind<DesiredBeacon, TendedBeacon> = {
  ...listed,
  operations: [...listed.operations, listRoles],
  reading,
  decide: (input) => setPatterns(listed.decide(input), input),
};
