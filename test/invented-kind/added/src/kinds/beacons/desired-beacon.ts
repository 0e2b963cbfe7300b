import type { Present } from '../../model/kind.ts';
import type { DeclaredBeacon } from '../../service/beacons/types.generated.ts';

/** A beacon that the files declare to exist. */
export type DesiredBeacon = Present<DeclaredBeacon, 'colour' | 'keeper'>;
