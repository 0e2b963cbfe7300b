import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning } from '../files/is-running.ts';
import { parsedJson } from '../values/parsed-json.ts';
import { tried } from '../values/tried.ts';

/** The content of a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** See processSpace. */
  readonly process_space: string | null;
  /** ISO time at which the lock was taken. */
  readonly since: string;
  readonly tool_version: string;
  /** See startTicks. */
  readonly ticks: string | null;
  /** How often the holder writes to the lock, in milliseconds. */
  readonly heartbeat_ms: number;
  /** No two locks are alike. */
  readonly nonce: string;
}

/** A lock as it was found. */
export interface FoundLock {
  readonly text: string;
  /** `unknown`: another version wrote it. Null: a power failure took its content. */
  readonly holder: LockHolder | 'unknown' | null;
  /** Undefined in a database. */
  readonly path?: string;
  /** Milliseconds since the last heartbeat, by the clock of the file system. */
  readonly silentMs: number;
  /** The session of the database that has it, by its number in PostgreSQL. Undefined for a file. */
  readonly backend?: number | null;
}

/** A lock without this number of heartbeats is stale: a process that is alive misses one or two. */
export const missedHeartbeats = 6;

export interface ApplyRun {
  /** ISO time. */
  readonly started: string;
  readonly toolVersion: string;
}

const defaultHeartbeatMs = 10_000;

/** This process, as the holder of a new lock. */
export function newHolder({ started, toolVersion }: ApplyRun, heartbeatMs = defaultHeartbeatMs): LockHolder {
  const { pid } = process;
  return {
    ...{ pid, host: hostname(), process_space: processSpace(), ticks: startTicks(pid) },
    ...{ since: started, tool_version: toolVersion, heartbeat_ms: heartbeatMs },
    nonce: randomBytes(8).toString('hex'),
  };
}

/**
 * Whether the process that took a lock no longer exists. A process of this machine is looked up. One of another
 * machine, and one whose number may belong to another process by now, is known by its heartbeat only.
 */
export function isStale({ holder, silentMs }: FoundLock): boolean {
  if (holder === null) return true;
  if (holder === 'unknown') return false;
  const isSilent = silentMs > missedHeartbeats * holder.heartbeat_ms;
  const { pid, host, process_space, ticks } = holder;
  if (host !== hostname() || process_space !== processSpace()) return isSilent;
  if (!isRunning(pid)) return true;
  return ticks === null ? isSilent : startTicks(pid) !== ticks;
}

export function parseLock(text: string, silentMs: number): FoundLock {
  return { text, holder: parseHolder(text), silentMs };
}

function parseHolder(text: string): FoundLock['holder'] {
  const value = parsedJson(text);
  // The machine that it was taken on has been off since.
  if (value === undefined) return null;
  return isHolder(value) ? value : 'unknown';
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null) return false;
  const found = value as Partial<Record<keyof LockHolder, unknown>>;
  const isText = (text: unknown) => typeof text === 'string';
  return (
    [found.pid, found.heartbeat_ms].every((number) => Number.isSafeInteger(number) && Number(number) > 0) &&
    [found.host, found.since].every(isText) &&
    /^[0-9a-z]{1,32}$/.test(String(found.nonce)) &&
    (found.ticks === null || isText(found.ticks)) &&
    (found.process_space === null || isText(found.process_space))
  );
}

/**
 * The numbering that process ids belong to (Linux only; null elsewhere): containers may share a host name but not their
 * processes.
 */
export function processSpace(): string | null {
  return tried(() => readlinkSync('/proc/self/ns/pid')) ?? null;
}

/**
 * When a process started, in clock ticks since the machine started (Linux only; null elsewhere). It distinguishes
 * processes that had the same id one after the other.
 */
export function startTicks(pid: number): string | null {
  const stat = tried(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The second field is the program's name in brackets and may hold spaces and brackets; the 22nd is the beginning.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
