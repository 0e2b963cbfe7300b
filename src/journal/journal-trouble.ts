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

/** What the file system refused, in one sentence. */
export function cannotUse(path: string, error: unknown): JournalTrouble {
  const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new JournalTrouble(
    'JOURNAL_UNWRITABLE',
    `${path} cannot be used: ${why}; nothing is sent without a record of it.`,
    'name a folder that can be written with --state-dir or TENANT_SYNC_STATE_DIR',
    error,
  );
}
