// The embedded PostgreSQL server, in a process of its own.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { asAdmin } from './ask-database.ts';

const script = join(process.cwd(), 'test/support/postgres-process.mjs');

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
    child.ref();
    child.stdin.end();
    await exited;
  };
  return { url: String(line).trim(), down: command('down'), up: command('up'), end };
}

/** A new database of the server. */
export async function databaseIn(url: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(url, `create database ${name}`);
  return databaseOf(url, name);
}

export function databaseOf(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
