import { kinds } from '../kinds/index.ts';
import type { ReadConnection } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Forecast } from '../model/forecast.ts';
import type { Plan } from '../model/plan.generated.ts';
import { type Quota, tenantQuota } from '../model/quota.ts';
import { forecast } from '../plan/forecast.ts';
import { exitCode } from './exit-codes.ts';
import { fault, problem } from './fault.ts';
import type { Arguments } from './parse-arguments.ts';
import { parseDuration } from './parse-duration.ts';
import { parseRate } from './parse-rate.ts';
import type { Progress } from './progress.ts';

/** Partials have a limit of their own on the plans that are published: 5 reads and 5 writes a minute (public facts 6.2). */
const publishedPartials: readonly Quota[] = ['partials-read', 'partials-write'].map((group) => ({
  group,
  perSecond: 5 / 60,
  burst: 5,
}));

/** At the quota that the options name, or at the one that the service has shown. */
export function forecastPlan(
  plan: Plan,
  { quota }: Arguments,
  connection: Pick<ReadConnection, 'quotas'>,
  progress: Progress,
): Forecast {
  const operations = kinds.flatMap((kind) => kind.operations);
  const given = quota === undefined ? null : parseRate(quota);
  const quotas = given === null ? connection.quotas() : [{ group: tenantQuota, ...given }, ...publishedPartials];
  const reads = new Map<string, number>();
  for (const [operation, count] of progress.reads()) {
    const group = operations.find(({ id }) => id === operation)?.quota ?? tenantQuota;
    reads.set(group, (reads.get(group) ?? 0) + count);
  }
  return forecast({ actions: plan.actions, operations, reads, quotas });
}

/** Options of the forecast that cannot be understood; checked before anything is sent. */
export function checkForecastOptions({ quota, maxDuration }: Arguments): void {
  if (quota !== undefined && parseRate(quota) === null)
    throw fault(
      exitCode.invalid,
      'OPTION_INVALID',
      `--quota ${quota} is not a quota.`,
      'write requests per second and burst, as in 2/s,10 or 150/min,10',
    );
  if (maxDuration !== undefined && parseDuration(maxDuration) === null)
    throw fault(
      exitCode.invalid,
      'OPTION_INVALID',
      `--max-duration ${maxDuration} is not a duration.`,
      'write seconds, minutes or hours, as in 90s, 10m or 1h',
    );
}

/** Why a plan takes longer than is wanted; empty when it does not, when it has nothing to do, or when no quota is known that could tell. */
export function tooLong({ maxDuration }: Arguments, { seconds, writes }: Forecast): Diagnostic[] {
  const most = maxDuration === undefined ? null : parseDuration(maxDuration);
  if (most === null || seconds === null || seconds <= most || writes === 0) return [];
  const message = `The quota makes this plan take about ${Math.ceil(seconds)} s, and --max-duration allows ${most} s.`;
  return [problem('DURATION_EXCEEDED', message, 'allow more time, or do less at once with --only')];
}

/** A limit that could not be checked is not passed over in silence. */
export function durationUnknown({ maxDuration }: Arguments, { seconds, writes }: Forecast): Diagnostic[] {
  if (maxDuration === undefined || seconds !== null || writes === 0) return [];
  const message = 'The tenant has shown no quota, so --max-duration cannot be checked and refuses nothing.';
  return [{ ...problem('DURATION_UNKNOWN', message, 'give --quota, as in --quota 10/s,10'), severity: 'warning' }];
}
