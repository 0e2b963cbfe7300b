import { problem } from '../diagnostics/problem.ts';
import { JournalTrouble } from '../journal/journal-trouble.ts';
import { stateUrl } from './environment.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import type { Io } from './io.ts';

/** The database of a command that needs one. Throws a CommandError without it. */
export function databaseUrl(io: Pick<Io, 'env'>): string {
  const url = stateUrl(io);
  if (url !== undefined) return url;
  const hint = 'set it to postgres://USER:PASSWORD@HOST:5432/DATABASE';
  const message = 'TENANT_SYNC_STATE_URL is not set; it names the database of the workers.';
  throw new CommandError(exitCode.invalid, [problem('ENV_MISSING', message, hint)]);
}

/** What the database refuses becomes the result of the command. */
export async function orCommandError<Result>(use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof JournalTrouble)) throw error;
    const isUnreachable = error.diagnostic.code === 'DATABASE_UNREACHABLE';
    throw new CommandError(isUnreachable ? exitCode.failed : exitCode.invalid, [error.diagnostic]);
  }
}
