import type { Diagnostic } from '../model/diagnostic.ts';
import type { Operation } from '../model/operation.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import { listingFaults } from './faults/fault-rule.ts';
import { TenantSetupError } from './setup-error.ts';
import type { TenantOptions } from './tenant-options.ts';

/** Refuses options that could not work, before anything is answered. */
export function checkOptions(options: TenantOptions, operations: readonly Operation[]): void {
  const faults = (options.faults ?? []).map((rule) => faultTrouble(rule, operations));
  const messages = [rateTrouble(options), latencyTrouble(options), ...faults].filter((message) => message !== null);
  if (messages.length > 0) throw new TenantSetupError(messages.map(optionInvalid));
}

function rateTrouble({ rate }: TenantOptions): string | null {
  if (
    rate === undefined ||
    (rate.perSecond > 0 && Number.isFinite(rate.perSecond) && Number.isInteger(rate.burst) && rate.burst >= 1)
  )
    return null;
  return 'the rate limit needs more than 0 requests per second and a burst of at least 1.';
}

function latencyTrouble({ latencyMs = 0 }: TenantOptions): string | null {
  return latencyMs >= 0 && Number.isFinite(latencyMs) ? null : 'the latency must be 0 milliseconds or more.';
}

function faultTrouble(rule: FaultRule, operations: readonly Operation[]): string | null {
  if (rule.operation === '*') return null;
  const operation = operations.find((candidate) => candidate.id === rule.operation);
  if (operation === undefined && rule.operation !== 'token') {
    return `no operation "${rule.operation}" for a fault; expected one of: *, token, ${operations.map((candidate) => candidate.id).join(', ')}.`;
  }
  if (listingFaults.has(rule.kind) && operation?.paging === undefined)
    return `the fault ${rule.kind} needs a listing, and ${rule.operation} is none.`;
  const byNumber = rule.kind === 'repeat_cursor' && operation?.paging?.style === 'page';
  return byNumber ? `the fault ${rule.kind} needs a listing by cursor, and ${rule.operation} is one by number.` : null;
}

function optionInvalid(message: string): Diagnostic {
  return { code: 'OPTION_INVALID', severity: 'error', message };
}
