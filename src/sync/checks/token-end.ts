import { warning } from '../../diagnostics/problem.ts';
import type { ApplyContext, Check } from './check.ts';

/** Warns when a token that cannot be renewed ends before the quota lets the last request through. */
export const tokenEnd: Check<Pick<ApplyContext, 'clock' | 'connection' | 'forecast'>> = async (
  { actions },
  { clock, connection, forecast },
) => {
  const end = actions.length === 0 ? null : await connection.tokenEnds();
  if (end === null || end > clock.now() + (forecast.seconds ?? 0) * 1000) return [];
  const message = `The token expires at ${new Date(end).toISOString()}, probably before this apply ends.`;
  const hint = 'use TENANT_SYNC_CLIENT_ID and TENANT_SYNC_CLIENT_SECRET, which can get another one';
  return [warning('TOKEN_ENDS', message, hint)];
};
