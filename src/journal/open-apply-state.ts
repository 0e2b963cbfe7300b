import type { RecordedApply } from '../model/recorded-apply.ts';
import { chainLine, emptyChain } from './chain.ts';
import { continueJournalFile, readJournalFile, replaceJournalFile } from './journal-file.ts';
import { cannotUse, JournalTrouble } from './journal-trouble.ts';
import { type LockHolder, takeLock } from './lock.ts';
import { type ParsedJournal, parseJournal } from './parse-journal.ts';
import { prepareStateFolder, type StateFiles, stateFiles } from './state-files.ts';
import { type JournalTerms, type JournalWriter, writeJournal } from './write-journal.ts';

export interface ApplyStateTerms {
  readonly folder: string;
  readonly baseUrl: string;
  readonly toolVersion: string;
  /** ISO time. */
  readonly started: string;
  readonly digestOf: JournalTerms['digestOf'];
}

/** What an apply keeps beside the tenant, while it holds the lock. */
export interface ApplyState {
  /** The last apply of this tenant; null when none is known. */
  readonly last: RecordedApply | null;
  /** Begins a journal for a plan, or goes on with the last one. Rejects with a JournalTrouble. */
  begin(planDigest: string, how: 'anew' | 'go_on'): Promise<JournalWriter>;
  release(): void;
}

export interface Locked {
  readonly lock: string;
  /** Null when the lock does not say. */
  readonly lockedBy: LockHolder | null;
}

/** Takes the lock and reads what the last apply left. Throws a JournalTrouble when that cannot be done. */
export async function openApplyState(terms: ApplyStateTerms): Promise<ApplyState | Locked> {
  const files = stateFiles(terms.folder, terms.baseUrl);
  const taken = take(files, terms);
  if (!taken.ok) return { lock: files.lock, lockedBy: taken.holder };
  try {
    const parsed = await read(files.journal, terms.folder);
    const begin: ApplyState['begin'] = async (planDigest, how) =>
      begun(files.journal, terms, planDigest, how === 'go_on' ? parsed : null);
    return { last: parsed.apply, begin, release: taken.release };
  } catch (error) {
    taken.release();
    throw error;
  }
}

function take({ lock }: StateFiles, { folder, started, toolVersion }: ApplyStateTerms) {
  try {
    prepareStateFolder(folder);
  } catch (error) {
    throw cannotUse(folder, error);
  }
  try {
    return takeLock(lock, { since: started, toolVersion });
  } catch (error) {
    throw cannotUse(lock, error);
  }
}

async function read(path: string, folder: string): Promise<ParsedJournal> {
  let text: string | null;
  try {
    text = await readJournalFile(path);
  } catch (error) {
    throw cannotUse(path, error);
  }
  const parsed = parseJournal(text ?? '');
  if ('broken' in parsed) throw broken(path, `line ${parsed.broken.line}: ${parsed.broken.why}`);
  const about = parsed.apply?.baseUrl;
  if (about !== undefined && !isNameOf(path, about, folder)) throw broken(path, `it belongs to ${about}`);
  return parsed;
}

/** Spellings of one URL have one name. */
function isNameOf(path: string, baseUrl: string, folder: string): boolean {
  return URL.canParse(baseUrl) && stateFiles(folder, baseUrl).journal === path;
}

function broken(path: string, why: string): JournalTrouble {
  const hint = 'compare its last lines with the tenant, move it away, and rerun apply';
  return new JournalTrouble('JOURNAL_BROKEN', `Cannot use the journal ${path}: ${why}.`, hint);
}

async function begun(
  path: string,
  terms: ApplyStateTerms,
  plan: string,
  goingOn: ParsedJournal | null,
): Promise<JournalWriter> {
  const { baseUrl, toolVersion, started, digestOf } = terms;
  const entry = {
    record: 'start',
    format_version: '1.0',
    base_url: baseUrl,
    plan,
    tool_version: toolVersion,
    started,
  } as const;
  const { line, end: chain } = chainLine(goingOn?.end ?? emptyChain, entry);
  try {
    const file =
      goingOn === null ? await replaceJournalFile(path, line) : await continueJournalFile(path, goingOn.bytes);
    if (goingOn !== null) await file.append(line);
    return writeJournal(file, { path, chain, digestOf });
  } catch (error) {
    throw cannotUse(path, error);
  }
}
