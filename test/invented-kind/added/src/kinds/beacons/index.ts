import { describedKind } from '../../items/described-kind.ts';
import type { ResourceKind } from '../../model/kind.ts';
import { fields } from '../../service/beacons/fields.generated.ts';
import { operations } from '../../service/beacons/operations.ts';
import { listRoles } from '../../service/roles/operations.ts';
import { setPatterns } from './pattern.ts';
import { type DesiredBeacon, reading, type TendedBeacon } from './read.ts';

// The pattern has a request of its own.
const { pattern: _pattern, ...ordinary } = fields;

const listed = describedKind<DesiredBeacon, TendedBeacon>({
  at: 'list',
  name: 'beacons',
  title: 'Beacons',
  noun: { one: 'beacon', many: 'beacons' },
  undeclared: 'delete',
  key: ['name'],
  id: 'id',
  fields: ordinary,
  operations,
  resources: {},
});

export const beacons: ResourceKind<DesiredBeacon, TendedBeacon> = {
  ...listed,
  operations: [...listed.operations, listRoles],
  reading,
  decide: (input) => setPatterns(listed.decide(input), input),
};
