import { describedKind } from '../../items/described-kind.ts';
import type { ResourceKind } from '../../model/kind.ts';
import { fields } from '../../service/beacons/fields.generated.ts';
import { operations } from '../../service/beacons/operations.ts';
import { shapes } from '../../service/beacons/shapes.generated.ts';
import { operations as roleOperations } from '../../service/roles/description.generated.ts';
import { head } from './head.ts';
import { setPatterns } from './pattern.ts';
import { type DesiredBeacon, reading, type TendedBeacon } from './read.ts';

// The pattern has a request of its own.
const { pattern: _pattern, ...ordinary } = fields;

const listed = describedKind<DesiredBeacon, TendedBeacon>({
  at: 'list',
  ...head,
  key: ['name'],
  id: 'id',
  fields: ordinary,
  operations,
  section: shapes.section,
  resources: {},
});

export const beacons: ResourceKind<DesiredBeacon, TendedBeacon> = {
  ...listed,
  operations: [...listed.operations, roleOperations.list],
  reading,
  decide: (input) => setPatterns(listed.decide(input), input),
};
