import { connect, lockKey, type Session, unusable } from './connect.ts';

/** Each is run once, in this order. A released one is never changed. */
const migrations: readonly string[] = [
  `create schema tenant_sync;
   create table tenant_sync.migrations (
     version int primary key,
     applied timestamptz not null default now()
   );
   -- Texts that are only appended to, such as the journal of a tenant: the rows of one name, by position.
   create table tenant_sync.texts (
     name text not null,
     position bigint generated always as identity,
     text text not null,
     primary key (name, position)
   );
   -- Who took an advisory lock last. It is held if pg_locks has it for this backend.
   create table tenant_sync.holders (
     key bigint primary key,
     backend int not null,
     holder text not null
   );`,
  `-- What the last check of each tenant found.
   create table tenant_sync.checks (
     tenant text primary key,
     command text not null check (command in ('drift', 'plan')),
     checked timestamptz not null,
     exit_code int not null,
     differs_since timestamptz,
     document text not null
   );`,
];

/** Creates the tables or brings them up to date; by one process at a time. Rejects with a JournalTrouble. */
export async function migrate(session: Session): Promise<void> {
  if ((await versionOf(session)) === migrations.length) return;
  await session.transaction(async () => {
    await session.query('select pg_advisory_xact_lock($1)', [lockKey('migrate', '')]);
    const version = await versionOf(session);
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      await session.query(migration);
      await session.query('insert into tenant_sync.migrations (version) values ($1)', [index + 1]);
    }
  });
}

/** A session of its own on a database that is up to date, as long as `use` takes. Rejects with a JournalTrouble. */
export async function withSession<Result>(url: string, use: (session: Session) => Promise<Result>): Promise<Result> {
  const session = await connect(url);
  try {
    await migrate(session);
    return await use(session);
  } finally {
    await session.end();
  }
}

/** How many migrations the database has. Rejects if it has others than this version knows. */
async function versionOf(session: Session): Promise<number> {
  // Read from the catalog: after a wait for the lock, a look-up by name may not know of a new schema yet.
  const [table] = await session.query<{ found: boolean }>(
    `select exists (
       select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname = 'tenant_sync' and relname = 'migrations'
     ) as found`,
  );
  if (table?.found !== true) return 0;
  const [row] = await session.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from tenant_sync.migrations',
  );
  const version = row?.version ?? 0;
  if (version <= migrations.length) return version;
  const why = `its tables have version ${version}, and this version of tenant-sync knows ${migrations.length}`;
  throw unusable('STATE_NEWER', why, 'use the version of tenant-sync that the other machines use');
}
