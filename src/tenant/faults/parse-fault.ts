import type { FaultKind, FaultRule } from './fault-rule.ts';
import { faultKinds } from './fault-rule.ts';

type Cells = Partial<Omit<FaultRule, 'operation' | 'kind'>>;

const counts = ['nth', 'every', 'times'] as const;

/**
 * `operation:fault[=value][:nth=N][:every=N][:times=N][:after=commit]` as a rule, or what is wrong with it.
 * Examples: `list_rate_limit_policies:status=503:nth=2`, `delete_rate_limit_policy:reset:after=commit`, `*:status=429:times=3`.
 */
export function parseFault(text: string): FaultRule | string {
  const [operation = '', fault = '', ...rest] = text.split(':');
  if (operation === '' || fault === '') return `"${text}" is not of the form operation:fault[:option=value…]`;
  const [kind = '', value] = split(fault);
  if (!isFaultKind(kind)) return `"${kind}" is not a fault; expected one of: ${faultKinds.join(', ')}`;
  const own = kindCells(kind, value);
  if (typeof own === 'string') return own;
  const options = rest.map(parseOption);
  const wrong = options.find((option) => typeof option === 'string');
  if (wrong !== undefined) return wrong;
  return Object.assign({ operation, kind }, own, ...options) as FaultRule; // every cell was checked above
}

function kindCells(kind: FaultKind, value: string | undefined): Cells | string {
  if (kind === 'status') {
    const status = wholeNumber(value);
    return status !== null && status >= 200 && status <= 599
      ? { status }
      : 'status needs a number from 200 to 599, as in status=503';
  }
  if (kind === 'delay') {
    const ms = wholeNumber(value);
    return ms !== null ? { ms } : 'delay needs milliseconds, as in delay=500';
  }
  return value === undefined ? {} : `${kind} takes no value`;
}

function parseOption(text: string): Cells | string {
  const [name, value] = split(text);
  if (name === 'after')
    return value === 'commit' || value === 'before' ? { after: value } : 'after is before or commit';
  const count = counts.find((candidate) => candidate === name);
  if (count === undefined) return `"${name}" is not an option of a fault; expected one of: ${counts.join(', ')}, after`;
  const number = wholeNumber(value);
  return number !== null && number > 0 ? { [count]: number } : `${count} needs a whole number from 1 on`;
}

function split(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function isFaultKind(text: string): text is FaultKind {
  return faultKinds.some((kind) => kind === text);
}
