import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalTenant } from '../contract/formats.ts';
import { refuseShared } from '../files/safe-file-access.ts';
import type { RecordedApply } from '../model/outcome.ts';
import { chainLine, emptyChain } from './chain.ts';
import { continueJournalFile, readJournalFile, replaceJournalFile } from './journal-file.ts';
import { cannotUse, JournalTrouble } from './journal-trouble.ts';
import { takeLock } from './lock.ts';
import type { FoundLock } from './lock-holder.ts';
import { type ParsedJournal, parseJournal } from './parse-journal.ts';
import { type JournalOptions, type JournalWriter, writeJournal } from './write-journal.ts';

export interface ApplyStateOptions {
  readonly folder: string;
  readonly baseUrl: string;
  readonly toolVersion: string;
  /** ISO time. */
  readonly started: string;
  /** Name of a lock that is replaced although its holder may be alive. */
  readonly breakLock?: string;
  /** Removes secrets from what is recorded. */
  readonly mask?: (text: string) => string;
}

/** The local state of an apply while it has the lock. */
export interface ApplyState {
  /** The last apply of this tenant; null when none is known. */
  readonly last: RecordedApply | null;
  /** Starts a journal for a plan, or resumes the last one. Rejects with a JournalTrouble. */
  begin(planDigest: string, how: 'anew' | 'resume'): Promise<JournalWriter>;
  release(): void;
}

export interface Locked {
  readonly lock: FoundLock;
}

/** Takes the lock and reads what the last apply left. Throws a JournalTrouble when that cannot be done. */
export async function openApplyState(options: ApplyStateOptions): Promise<ApplyState | Locked> {
  const files = stateFiles(options.folder, options.baseUrl);
  const taken = take(files, options);
  if (!taken.ok) return { lock: taken.found };
  try {
    const parsed = await read(files.journal, options.folder);
    const begin: ApplyState['begin'] = async (planDigest, how) => {
      await taken.verify();
      return begun(files.journal, { ...options, lock: taken }, planDigest, how === 'resume' ? parsed : null);
    };
    return { last: parsed.apply, begin, release: taken.release };
  } catch (error) {
    taken.release();
    throw error;
  }
}

function take({ lock }: StateFiles, { folder, started, toolVersion, breakLock }: ApplyStateOptions) {
  try {
    prepareStateFolder(folder);
  } catch (error) {
    throw cannotUse(folder, error);
  }
  try {
    return takeLock(lock, { since: started, toolVersion, ...(breakLock !== undefined && { breaks: breakLock }) });
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

/** Spellings of one tenant have one name. */
function isNameOf(path: string, baseUrl: string, folder: string): boolean {
  return URL.canParse(baseUrl) && stateFiles(folder, baseUrl).journal === path;
}

function broken(path: string, why: string): JournalTrouble {
  const hint = 'compare its last lines with the tenant, move it away, and rerun apply';
  return new JournalTrouble('JOURNAL_BROKEN', `The journal ${path} cannot be used: ${why}.`, hint);
}

async function begun(
  path: string,
  options: ApplyStateOptions & Pick<JournalOptions, 'lock'>,
  plan: string,
  goingOn: ParsedJournal | null,
): Promise<JournalWriter> {
  const { baseUrl, toolVersion, started, lock, mask } = options;
  const entry = {
    record: 'start',
    format_version: '2.0',
    base_url: baseUrl,
    plan,
    tool_version: toolVersion,
    started,
  } as const;
  const { line, end: chain } = chainLine(goingOn?.end ?? emptyChain, entry);
  try {
    const file =
      goingOn === null ? await replaceJournalFile(path, line) : await continueJournalFile(path, goingOn.bytes, line);
    return writeJournal(file, { path, chain, lock, ...(mask !== undefined && { mask }) });
  } catch (error) {
    throw cannotUse(path, error);
  }
}

/** The two files of one tenant. */
export interface StateFiles {
  readonly lock: string;
  readonly journal: string;
}

/**
 * Named after the host, for people, and after the complete base URL, so that two tenants never share:
 * `login.acme.example-1f0c2a9b`. Spellings of one tenant give one name.
 */
export function stateFiles(folder: string, baseUrl: string): StateFiles {
  const tenant = canonicalTenant(baseUrl);
  const { host } = new URL(tenant);
  const digest = createHash('sha256').update(tenant).digest('hex');
  const name = join(folder, `${host.replaceAll(/[^A-Za-z0-9.-]/g, '_').slice(0, 100)}-${digest.slice(0, 8)}`);
  return { lock: `${name}.lock`, journal: `${name}.journal` };
}

/**
 * Makes the folder when it is not there, for its owner only. Throws what the file system throws; a link in its place is
 * refused, and so is a folder that others may write: they could replace its files.
 */
function prepareStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw Object.assign(new Error('a link'), { code: 'ELOOP' });
  refuseShared(stats);
}
