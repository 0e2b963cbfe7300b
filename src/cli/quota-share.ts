import { exitCode } from './exit-codes.ts';
import { fault } from './fault.ts';
import type { Arguments } from './parse-arguments.ts';

/** A scheduled look must not take from the tenant's own traffic what it needs. */
const ofDrift = 0.5;

/** The part of every limit of the tenant that a run may use, 0.05 to 1; undefined for what is usual. Throws a Fault for anything else. */
export function quotaShareOf({ command, quotaShare }: Pick<Arguments, 'command' | 'quotaShare'>): number | undefined {
  if (quotaShare === undefined) return command === 'drift' ? ofDrift : undefined;
  const share = /^\d(?:\.\d{1,3})?$/.test(quotaShare) ? Number(quotaShare) : Number.NaN;
  if (share >= 0.05 && share <= 1) return share;
  throw fault(
    exitCode.invalid,
    'OPTION_INVALID',
    `--quota-share ${quotaShare} is not a part of a quota.`,
    'write a number from 0.05 to 1, as in 0.5',
  );
}
