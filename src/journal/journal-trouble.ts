import type { Diagnostic } from '../model/diagnostic.ts';

/** The journal or the lock cannot be used: nothing is sent without them. Carries the diagnostic that is printed. */
export class JournalTrouble extends Error {
  override readonly name = 'JournalTrouble';
  readonly diagnostic: Diagnostic;

  constructor(code: 'JOURNAL_UNWRITABLE' | 'JOURNAL_BROKEN', message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.diagnostic = { code, severity: 'error', message, hint };
  }
}

/** Something else has the name of one of our files, or of their folder. */
const inTheWay: Readonly<Partial<Record<string, string>>> = {
  ELOOP: 'there is a link',
  EISDIR: 'there is a folder',
  EEXIST: 'there is something that is no folder',
  ENOTDIR: 'there is something that is no folder',
  NOT_REGULAR: 'there is something that is no plain file',
};

/** What the file system refused, in one sentence. */
export function cannotUse(path: string, error: unknown): JournalTrouble {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const obstacle = inTheWay[code];
  const hint = obstacle === undefined ? 'name a folder that can be written' : 'remove it, or name another folder';
  return new JournalTrouble(
    'JOURNAL_UNWRITABLE',
    `${path} cannot be used: ${obstacle ?? code}; nothing is sent without a record of it.`,
    `${hint} with --state-dir or TENANT_SYNC_STATE_DIR`,
    error,
  );
}
