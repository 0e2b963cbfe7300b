import type { PlannedRequest } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { Comparison } from './diff-items.ts';

export interface Corrected {
  readonly request: PlannedRequest;
  /** What people should know before it is sent. */
  readonly notes?: readonly string[];
}

/** Why the operation cannot correct this one difference, and what people can do. */
export interface Uncorrectable {
  readonly impossible: string;
}

/** What an update or a delete relies on: the id and the fields that are compared. */
export function itemState<Live>({ idOf, keyOf, liveForm }: Comparison<never, Live>, live: Live): string {
  return fingerprint({ id: idOf(live), key: keyOf(live), fields: liveForm(live) });
}
