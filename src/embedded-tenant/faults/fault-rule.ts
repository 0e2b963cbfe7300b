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

type Fields = Partial<Omit<FaultRule, 'operation' | 'kind'>>;

const counts = ['nth', 'every', 'times'] as const;

/**
 * Parses `operation:fault[=value][:nth=N][:every=N][:times=N][:after=commit]`; returns a message if the text is not
 * valid. Examples: `list_rate_limit_policies:status=503:nth=2`, `delete_rate_limit_policy:reset:after=commit`,
 * `*:status=429:times=3`.
 */
export function parseFault(text: string): FaultRule | string {
  const [operation = '', fault = '', ...rest] = text.split(':');
  if (operation === '' || fault === '') return `"${text}" does not have the form OPERATION:FAULT[:OPTION=VALUE…]`;
  const [kind = '', value] = split(fault);
  const known = faultKinds.find((each) => each === kind);
  if (known === undefined) return `unknown fault "${kind}", expected one of: ${faultKinds.join(', ')}`;
  const fields = parseValue(known, value);
  if (typeof fields === 'string') return fields;
  const options = rest.map(parseOption);
  const error = options.find((option) => typeof option === 'string');
  if (error !== undefined) return error;
  return Object.assign({ operation, kind }, fields, ...options) as FaultRule; // each field was validated above
}

function parseValue(kind: FaultKind, value: string | undefined): Fields | string {
  if (kind === 'status') {
    const status = integerOf(value);
    return status !== null && status >= 200 && status <= 599
      ? { status }
      : 'status needs a number from 200 to 599, as in status=503';
  }
  if (kind === 'delay') {
    const ms = integerOf(value);
    return ms !== null ? { ms } : 'delay needs a number of milliseconds, as in delay=500';
  }
  return value === undefined ? {} : `${kind} takes no value`;
}

function parseOption(text: string): Fields | string {
  const [name, value] = split(text);
  if (name === 'after')
    return value === 'commit' || value === 'before' ? { after: value } : 'after must be before or commit';
  const count = counts.find((candidate) => candidate === name);
  if (count === undefined) return `unknown fault option "${name}", expected one of: ${counts.join(', ')}, after`;
  const number = integerOf(value);
  return number !== null && number > 0
    ? { [count]: number }
    : `${count} needs an integer of at least 1, as in ${count}=2`;
}

function split(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function integerOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
