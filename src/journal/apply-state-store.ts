import type { LockKeeper } from './keep-lock.ts';
import type { ApplyRun, FoundLock } from './lock-holder.ts';

/** Keeps the state of the applies of one tenant: who applies now, and the journal of the last one. */
export interface ApplyStateStore {
  /** Makes a run the only one that applies. Rejects with a JournalTrouble if the state cannot be used. */
  acquire(run: ApplyRun): Promise<HeldState | { readonly lock: FoundLock }>;
}

/** The state while one run has it. What it rejects with is what the store threw, such as an error of the file system. */
export interface HeldState extends LockKeeper {
  /** Names the journal in messages. */
  readonly journal: string;
  /** The journal of the last apply, which may end within a line; null if there is none. */
  last(): Promise<string | null>;
  /** Keeps the first bytes of the last journal, or nothing of it, and writes this text and more after them. */
  append(keptBytes: number, text: string): Promise<JournalFile>;
  /** Never rejects. */
  release(): void | Promise<void>;
}

/** A journal to append to. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** Resolves when everything that was appended survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
