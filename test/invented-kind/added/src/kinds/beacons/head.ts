import type { KindHead } from '../../model/kind.ts';

export const head = {
  name: 'beacons',
  title: 'Beacons',
  noun: { one: 'beacon', many: 'beacons' },
  undeclared: 'delete',
} satisfies KindHead;
