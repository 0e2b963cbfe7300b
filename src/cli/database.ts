import { problem } from '../diagnostics/problem.ts';
import { JournalTrouble } from '../journal/journal-trouble.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import type { Io } from './io.ts';

const variable = 'TENANT_SYNC_STATE_URL';

/** The database of a command that needs one. Throws a CommandError without it. */
export function databaseUrl({ env }: Pick<Io, 'env'>): string {
  const url = env[variable];
  if (url) return url;
  const hint = `set ${variable} to postgres://USER:PASSWORD@HOST:5432/DATABASE`;
  throw new CommandError(exitCode.invalid, [problem('ENV_MISSING', `${variable} is not set; it names the database.`, hint)]);
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
