// A PostgreSQL server for tests: the embedded one, or that of TEST_DATABASE_URL.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';

const script = join(import.meta.dirname, 'postgres-process.mjs');

export interface TestServer {
  /** postgres://…, of a database that tests leave alone. */
  readonly url: string;
}

export interface OwnServer extends TestServer {
  /** Stops the server at once, and starts it again with what it has. */
  down(): Promise<void>;
  up(): Promise<void>;
  end(): Promise<void>;
}

let shared: Promise<TestServer> | undefined;

/** The URL of a new database, which is dropped after the tests of the file. */
export async function newDatabase(): Promise<string> {
  const given = process.env['TEST_DATABASE_URL'];
  shared ??= given === undefined ? startPostgres() : Promise.resolve({ url: given });
  const server = await shared;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(server.url, `create database ${name}`);
  afterAll(() => asAdmin(server.url, `drop database if exists ${name} with (force)`));
  return databaseOf(server.url, name);
}

/** A server of its own, for tests that stop it. It ends with this process in any case. */
export async function startPostgres(): Promise<OwnServer> {
  // Its standard input closes when this process ends, however it ends.
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`the PostgreSQL server did not start: exit code ${code}`))),
  ]);
  const command = (name: string) => async () => {
    child.stdin.write(`${name}\n`);
    await once(child.stdout, 'data');
  };
  // The event loop of a finished test file is not kept alive.
  for (const handle of [child, child.stdin, child.stdout]) (handle as { unref?: () => void }).unref?.();
  const end = async () => {
    child.stdin.end();
    await exited;
  };
  return { url: String(line).trim(), down: command('down'), up: command('up'), end };
}

export function databaseOf(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** The rows of one statement, on a connection of its own. */
export async function asAdmin(url: string, statement: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
