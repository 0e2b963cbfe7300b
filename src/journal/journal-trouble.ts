import type { SharedAccess } from '../files/safe-file-access.ts';
import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';

export type TroubleCode = Extract<
  DiagnosticCode,
  'ENV_INVALID' | `JOURNAL_${string}` | `STATE_${string}` | 'APPLY_LOCK_LOST' | 'DATABASE_UNREACHABLE'
>;

/** The journal or the lock cannot be used: nothing is sent without them. Carries the diagnostic that is printed. */
export class JournalTrouble extends Error {
  override readonly name = 'JournalTrouble';
  readonly diagnostic: Diagnostic;

  constructor(code: TroubleCode, message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.diagnostic = { code, severity: 'error', message, hint };
  }

  /** Whether the environment is to be corrected before anything is tried again: a command then exits with 3. */
  get isInvalid(): boolean {
    return /^(STATE|ENV)_/.test(this.diagnostic.code);
  }
}

/** Something else has the name of one of our files, or of their folder. */
const inTheWay: Readonly<Partial<Record<string, string>>> = {
  ELOOP: 'it is a symbolic link',
  EISDIR: 'it is a folder',
  EEXIST: 'part of the path is not a folder',
  ENOTDIR: 'part of the path is not a folder',
  NOT_REGULAR: 'it is not a regular file',
};

/** What the file system refused, in one sentence. A JournalTrouble explains itself. */
export function cannotUse(path: string, error: unknown): JournalTrouble {
  if (error instanceof JournalTrouble) return error;
  if (isShared(error)) return sharedState(path, error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const obstacle = inTheWay[code];
  const hint = obstacle === undefined ? 'choose a writable folder' : 'remove it or choose another folder';
  return new JournalTrouble(
    'JOURNAL_UNWRITABLE',
    `Cannot use ${path}: ${obstacle ?? code}. No request is sent without a journal.`,
    `${hint} with --state-dir or TENANT_SYNC_STATE_DIR`,
    error,
  );
}

/** The result of `use`. Rejects with a JournalTrouble, whatever `use` throws. */
export async function orCannotUse<Result>(path: string, use: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    throw cannotUse(path, error);
  }
}

function isShared(error: unknown): error is SharedAccess {
  return error instanceof Error && 'code' in error && error.code === 'SHARED';
}

/** Others could release the lock, or write a journal of requests that were never sent. */
function sharedState(path: string, { message, by }: SharedAccess): JournalTrouble {
  const fix = by === 'mode' ? `run chmod go-w ${path}` : 'use a folder of your own';
  return new JournalTrouble(
    'STATE_SHARED',
    `Cannot use ${path}: ${message}. The lock and the journal must be safe from other users.`,
    `${fix}, or choose a folder that does not exist yet with --state-dir or TENANT_SYNC_STATE_DIR: it is created for its owner alone`,
  );
}
