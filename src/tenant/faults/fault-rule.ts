export const faultKinds = [
  'status',
  'reset',
  'cut',
  'html',
  'hang',
  'repeat_cursor',
  'repeat_id',
  'bad_item',
  'drop_item',
  'delay',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Faults of a listing's answer; the others can befall any operation. */
export const listingFaults: ReadonlySet<FaultKind> = new Set(['repeat_cursor', 'repeat_id', 'bad_item', 'drop_item']);

/** What goes wrong, and when: for rehearsals. */
export interface FaultRule {
  /** Id of an operation, `token` for the token endpoint, `*` for every operation of the API. */
  readonly operation: string;
  readonly kind: FaultKind;
  /** For `status`. */
  readonly status?: number;
  /** For `delay`. */
  readonly ms?: number;
  /** The first request that is hit, counted from 1 among those of the operation. Alone, it is the only one. */
  readonly nth?: number;
  /** From there on, every so many requests. */
  readonly every?: number;
  /** At most so many hits. */
  readonly times?: number;
  /** Whether a write is performed before its answer goes wrong. Default: before, so nothing is performed. */
  readonly after?: 'before' | 'commit';
}
