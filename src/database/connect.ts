import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { isLoopback } from '../contract/formats.ts';
import { JournalTrouble, type TroubleCode } from '../journal/journal-trouble.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import { tried } from '../values/tried.ts';

/** One session of the server. What its methods reject with is a JournalTrouble. */
export interface Session {
  /** The rows of one statement. Without values, of several: all of them or none take effect. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Commits if `use` resolves. Nothing else may use the session in the meantime. */
  transaction<Result>(use: () => Promise<Result>): Promise<Result>;
  /** Aborts when the session has ended, whoever ended it. The reason is a JournalTrouble. */
  readonly ended: AbortSignal;
  /** Never rejects. */
  end(): Promise<void>;
}

/** For the connection, and for each statement, in milliseconds: a later response counts as none. */
const longestWaitMs = 10_000;
/** How long the end of a session may take. */
export const longestFarewellMs = 1_000;

/** Opens a session of the database that a `postgres://` URL names. Rejects with a JournalTrouble. */
export async function connect(url: string, waitMs = longestWaitMs): Promise<Session> {
  const socket = new Socket();
  const client = await newClient(url, socket, waitMs);
  const ended = new AbortController();
  const end = async () => {
    if (!ended.signal.aborted) await atMost(longestFarewellMs, client.end());
    socket.destroy();
  };
  /** The server need not close the connection, and an open one keeps the process alive. */
  const lose = (error: unknown) => {
    ended.abort(databaseTrouble(error));
    socket.destroy();
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection ended')));
  const orTrouble = async <Result>(promise: Promise<Result>, isLost: (error: unknown) => boolean): Promise<Result> => {
    try {
      return await promise;
    } catch (error) {
      if (isLost(error)) lose(error);
      throw databaseTrouble(error);
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  const query: Session['query'] = <Row extends object>(text: string, values?: readonly unknown[]) => {
    const run = async () => {
      ended.signal.throwIfAborted();
      // The server plans a statement with values once.
      const statement = values === undefined ? { text } : { text, values: [...values], name: nameOf(text) };
      return (await orTrouble(client.query<Row>(statement), endsSession)).rows;
    };
    const rows = last.then(run);
    last = rows.catch(() => {});
    return rows;
  };
  const transaction: Session['transaction'] = async (use) => {
    await query('begin');
    try {
      const result = await use();
      await query('commit');
      return result;
    } catch (error) {
      await query('rollback').catch(() => {});
      throw error;
    }
  };
  await orTrouble(client.connect(), () => true);
  return { query, transaction, ended: ended.signal, end };
}

/**
 * Waits for what may never end, or fail. Nothing else may keep the process alive meanwhile, so the timer does, and no longer
 * than it has to.
 */
export async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const late = sleep(ms, null, { signal: ended.signal });
  await Promise.race([promise, late]).catch(() => {});
  late.catch(() => {});
  ended.abort();
}

function nameOf(statement: string): string {
  return createHash('sha256').update(statement).digest('hex').slice(0, 32);
}

async function newClient(url: string, socket: Socket, waitMs: number): Promise<Client> {
  const settings = settingsOf(url, waitMs);
  const { Client } = await optional('pg@8', import('pg'));
  try {
    return new Client({ ...settings, stream: () => socket });
  } catch (error) {
    // Such as a file of certificates that cannot be read.
    const why = error instanceof Error && 'code' in error ? `a file that it names: ${error.code}` : 'its options';
    throw unusable('ENV_INVALID', why, 'correct the options behind the ? of the URL', error);
  }
}

/** Connections for a library with statements of its own. `destroy` ends them, even if the server does not respond. */
export async function openPool(url: string, max: number): Promise<{ readonly pool: Pool; destroy(): void }> {
  const settings = settingsOf(url, longestWaitMs);
  const { Pool } = await optional('pg@8', import('pg'));
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const pool = new Pool({ ...settings, stream, max });
  // What uses a connection sees its errors as well.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const destroy = () => {
    pool.end().catch(() => {});
    for (const socket of sockets) socket.destroy();
  };
  return { pool, destroy };
}

function settingsOf(url: string, waitMs: number) {
  return {
    connectionString: withTls(url),
    application_name: 'tenant-sync',
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    keepAlive: true,
  };
}

/** A package that is installed beside tenant-sync; the name has its version. Rejects with a JournalTrouble. */
export async function optional<Package>(name: string, loaded: Promise<Package>): Promise<Package> {
  return loaded.catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND'))) throw error;
    const hint = `npm install ${name}, where tenant-sync is installed`;
    throw unusable('STATE_DRIVER_MISSING', `the package ${name.split('@')[0]} is not installed`, hint, error);
  });
}

/** Certificates are checked, unless the URL has an `sslmode` or the server is on this machine. Throws a JournalTrouble. */
export function withTls(text: string): string {
  const hint = 'set it to postgres://USER:PASSWORD@HOST:5432/DATABASE';
  const url = parsedUrl(text);
  if (url === null || !/^postgres(ql)?:\/\//.test(text))
    throw unusable('ENV_INVALID', 'it is not a postgres:// URL', hint);
  const host = url.searchParams.get('host') ?? tried(() => decodeURIComponent(url.hostname)) ?? url.hostname;
  if (host === '') throw unusable('ENV_INVALID', 'it names no host', hint);
  if (!url.searchParams.has('sslmode')) {
    if (host.startsWith('/') || isLoopback(host)) return text;
    url.searchParams.set('sslmode', 'verify-full');
  }
  // The modes then mean what they mean to PostgreSQL's own programs.
  url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}

/**
 * Whether a session cannot be used after an error. The response to a statement that timed out would be taken for that to the
 * next one, and after a fatal error there is none. The server may write the severity in its own language.
 */
function endsSession(error: unknown): boolean {
  if (!(error instanceof Error && 'severity' in error)) return true;
  return ['FATAL', 'PANIC'].includes(String(error.severity)) || /^(?:08|57P)/.test(detailsOf(error).code);
}

/** The number of an advisory lock: 64 bits, signed, as a text that PostgreSQL reads. */
export function lockKey(purpose: 'migrate' | 'probe' | 'apply' | 'worker', name: string): string {
  return createHash('sha256').update(`tenant-sync ${purpose} ${name}`).digest().readBigInt64BE().toString();
}

/** SQLSTATEs that the connection is refused with, and missing rights. */
const denied = ['25006', '28000', '28P01', '3D000', '42501'];

/** What the server or the network refused. No message contains the URL. */
export function databaseTrouble(error: unknown): JournalTrouble {
  if (error instanceof JournalTrouble) return error;
  const { code, message } = detailsOf(error);
  if (denied.includes(code)) {
    const hint =
      'correct the user, the password and the database; a first use needs CREATE on the database, later ones the rights on the schema tenant_sync, and on tenant_sync_queue for workers';
    return unusable('STATE_DENIED', message, hint, error);
  }
  // The driver gives this no code.
  const hint = message.includes('does not support SSL')
    ? 'enable TLS on the server, or add ?sslmode=disable to the URL if the network is trusted'
    : 'check the host and the server, and rerun';
  return unusable('DATABASE_UNREACHABLE', message, hint, error);
}

export function unusable(code: TroubleCode, why: string, hint: string, cause?: unknown): JournalTrouble {
  const message = `The database of TENANT_SYNC_STATE_URL cannot be used: ${why}.`;
  return new JournalTrouble(code, message, hint, cause);
}

/** Several addresses of a host give an error without a message of its own. */
function detailsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof AggregateError) return detailsOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}
