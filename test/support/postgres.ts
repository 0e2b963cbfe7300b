// A PostgreSQL server for tests: the embedded one, or that of TEST_DATABASE_URL.
import { afterAll } from 'vitest';
import { asAdmin } from './ask-database.ts';
import { databaseIn, startPostgres, type TestServer } from './start-postgres.ts';

export { asAdmin } from './ask-database.ts';
export { databaseOf, startPostgres } from './start-postgres.ts';

let shared: Promise<TestServer> | undefined;

/** The URL of a new database, which is dropped after the tests of the file. */
export async function newDatabase(): Promise<string> {
  const given = process.env['TEST_DATABASE_URL'];
  shared ??= given === undefined ? startPostgres() : Promise.resolve({ url: given });
  const server = await shared;
  const database = await databaseIn(server.url);
  afterAll(() => asAdmin(server.url, `drop database if exists ${new URL(database).pathname.slice(1)} with (force)`));
  return database;
}
