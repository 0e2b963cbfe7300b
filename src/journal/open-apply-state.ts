import { canonicalTenant } from '../contract/formats.ts';
import { type Item, itemId } from '../model/action-identity.ts';
import type { ApprovedRecord } from '../model/journal.generated.ts';
import type { RecordedApply } from '../model/outcome.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import { JournalTrouble, orCannotUse } from './journal-trouble.ts';
import type { LockKeeper } from './lock.ts';
import type { ApplyRun, FoundLock } from './lock-holder.ts';
import { chainLine, emptyChain, parseJournal } from './parse-journal.ts';
import { type JournalFile, type JournalWriter, withoutSecret, writeJournal } from './write-journal.ts';

/** Keeps the state of applies: who applies to a tenant now, the journal of the last one, and what runs have finished. */
export interface ApplyStateStore {
  /** Makes a run the only one that applies. Rejects with a JournalTrouble if the state cannot be used. */
  acquire(run: ApplyRun & { readonly baseUrl: string }): Promise<HeldState | { readonly lock: FoundLock }>;
  /** The journal of the last apply of a tenant, without its lock: see HeldState. */
  lastOf(baseUrl: string): Promise<string | null>;
  /** The text of a run with several tenants. Rejects with a JournalTrouble, as its methods do. */
  finishedBy(run: string): Promise<KeptText>;
}

export interface KeptText {
  /** Null if nothing was ever appended. */
  read(): Promise<string | null>;
  append(text: string): Promise<void>;
}

/** The state while one run has it. What it rejects with is what the store threw, such as an error of the file system. */
export interface HeldState extends LockKeeper {
  /** Names the journal in messages. */
  readonly journal: string;
  /** The journal of the last apply, which may end within a line; null if there is none. */
  last(): Promise<string | null>;
  /** Starts a journal with this text in place of the last one. */
  replace(text: string): Promise<JournalFile>;
  /** Never rejects. */
  release(): void | Promise<void>;
}

export interface ApplyStateOptions extends ApplyRun {
  readonly store: ApplyStateStore;
  readonly baseUrl: string;
  /** Removes secrets from what is recorded. */
  readonly mask?: (text: string) => string;
}

/** The state of the applies of a tenant, while one apply has it. */
export interface ApplyState {
  /** The last apply of this tenant; null when none is known. */
  readonly last: RecordedApply | null;
  /** Starts a journal for a plan; `rotations` and `approved` as in RecordedApply. Rejects with a JournalTrouble. */
  begin(planDigest: string, rotations?: readonly Item[], approved?: ApprovedRecord): Promise<JournalWriter>;
  release(): void | Promise<void>;
}

/** Takes the lock and reads what the last apply left. Throws a JournalTrouble when that cannot be done. */
export async function openApplyState(options: ApplyStateOptions): Promise<ApplyState | { readonly lock: FoundLock }> {
  const { baseUrl, toolVersion, started, mask = (text) => text } = options;
  const held = await options.store.acquire(options);
  if ('lock' in held) return held;
  const begin: ApplyState['begin'] = async (plan, rotations = [], approved) => {
    await held.verify();
    const byId = new Map(rotations.map((item) => [itemId(item), item]));
    const owed = [...byId.values()].map(({ kind, key }) => ({ kind, key: withoutSecret(key, mask) }));
    const { line, end: chain } = chainLine(emptyChain, {
      record: 'start',
      format_version: '2.0',
      base_url: baseUrl,
      plan,
      tool_version: toolVersion,
      started,
      ...(owed.length > 0 && { rotations: owed }),
      ...(approved && approved.parts.length > 0 && { approved }),
    });
    const file = await orCannotUse(held.journal, () => held.replace(line));
    return writeJournal(file, { path: held.journal, chain, lock: held, mask });
  };
  try {
    return { last: await read(held, baseUrl), begin, release: held.release };
  } catch (error) {
    await held.release();
    throw error;
  }
}

async function read({ journal, last }: HeldState, baseUrl: string): Promise<RecordedApply | null> {
  const parsed = parseJournal((await orCannotUse(journal, last)) ?? '');
  if ('broken' in parsed) throw broken(journal, `line ${parsed.broken.line}: ${parsed.broken.why}`);
  const about = parsed.apply?.baseUrl;
  if (about !== undefined && !isSameTenant(about, baseUrl)) throw broken(journal, `it belongs to ${about}`);
  return parsed.apply;
}

/** One tenant may be spelt in several ways. */
function isSameTenant(recorded: string, baseUrl: string): boolean {
  return parsedUrl(recorded) !== null && canonicalTenant(recorded) === canonicalTenant(baseUrl);
}

function broken(path: string, why: string): JournalTrouble {
  const hint = 'compare its last lines with the tenant, move it away, and rerun apply';
  return new JournalTrouble('JOURNAL_BROKEN', `The journal ${path} cannot be used: ${why}.`, hint);
}
