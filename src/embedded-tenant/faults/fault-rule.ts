/** Faults in the page of a listing. All others apply to any operation. */
const inListings = ['repeat_cursor', 'repeat_id', 'bad_item', 'drop_item'] as const;
const faultKinds = ['status', 'reset', 'cut', 'html', 'hang', ...inListings, 'delay'] as const;

export type FaultKind = (typeof faultKinds)[number];

export const listingFaults: ReadonlySet<FaultKind> = new Set(inListings);

/** A fault to inject, and when. */
export interface FaultRule {
  /** Id of an operation, `token` for the token endpoint, `*` for every operation of the API. */
  readonly operation: string;
  readonly kind: FaultKind;
  /** For `status`. */
  readonly status?: number;
  /** For `delay`. */
  readonly ms?: number;
  /** The first request with the fault, counted from 1 per operation. Without `every` and `times`, the only one. */
  readonly nth?: number;
  /** From there on, every n-th request. */
  readonly every?: number;
  /** Maximum number of requests with the fault. */
  readonly times?: number;
  /** Whether the request is performed before the fault. Default: `before`, so it is not performed. */
  readonly after?: 'before' | 'commit';
}

const withoutValue = faultKinds.filter((kind) => kind !== 'status' && kind !== 'delay');

const form = new RegExp(
  `^[^:]+:(?:status=[2-5]\\d\\d|delay=\\d{1,9}|${withoutValue.join('|')})` +
    '(?::(?:nth|every|times)=[1-9]\\d{0,8}|:after=(?:before|commit))*$',
);

/**
 * Returns what is expected if the text is not valid. Examples: `list_rate_limit_policies:status=503:nth=2`,
 * `delete_rate_limit_policy:reset:after=commit`, `*:status=429:times=3`.
 */
export function parseFault(text: string): FaultRule | string {
  if (!form.test(text))
    return `expected OPERATION:FAULT[:nth=N][:every=N][:times=N][:after=commit], with one of these faults: status=200 to status=599, delay=MILLISECONDS, ${withoutValue.join(', ')}`;
  const [operation, fault = '', ...options] = text.split(':');
  const [kind, value] = fault.split('=');
  const given = options.map((option) => {
    const [name, setting] = option.split('=');
    return [name, name === 'after' ? setting : Number(setting)];
  });
  return {
    ...{ operation, kind },
    ...(kind === 'status' && { status: Number(value) }),
    ...(kind === 'delay' && { ms: Number(value) }),
    ...Object.fromEntries(given),
  } as FaultRule; // the form allows nothing else
}
