import { canonicalTenant } from '../contract/formats.ts';
import { newHolder, parseLock } from '../journal/lock-holder.ts';
import type { ApplyStateStore, HeldState } from '../journal/open-apply-state.ts';
import type { JournalFile } from '../journal/write-journal.ts';
import { lockKey, type Session } from './connect.ts';
import { withSession } from './migrate.ts';
import { type SessionLock, takeSessionLock } from './session-lock.ts';

/**
 * A lock that ends with its session, and a journal that is written over this session. `url` is `postgres://…`. The lock
 * of a process that runs cannot be deleted, and that of another ends by itself.
 */
export function databaseStore(url: string): ApplyStateStore {
  return {
    async acquire(run) {
      const tenant = canonicalTenant(run.baseUrl);
      const taken = await takeSessionLock(url, lockKey('apply', tenant), JSON.stringify(newHolder(run)));
      if (!('session' in taken)) return { lock: { ...parseLock(taken.holder ?? '', 0), backend: taken.backend } };
      return heldState(taken, tenant);
    },
    lastOf: (baseUrl) => withSession(url, (session) => readText(session, journalOf(canonicalTenant(baseUrl)))),
    /** A run takes hours between two uses of it: each use has a connection of its own. */
    async finishedBy(run) {
      const name = `run ${run}`;
      return {
        read: () => withSession(url, (session) => readText(session, name)),
        append: (text) =>
          withSession(url, async ({ query }) => {
            await query('insert into tenant_sync.texts (name, text) values ($1, $2)', [name, text]);
          }),
      };
    },
  };
}

function heldState(lock: SessionLock, tenant: string): HeldState {
  const name = journalOf(tenant);
  const last = () => readText(lock.session, name);
  const append = (text: string) =>
    lock.write(
      (held) => `insert into tenant_sync.texts (name, text) select $2, $3 where ${held} returning true`,
      [name, text],
    );
  // What was appended is committed.
  const file: JournalFile = { append, sync: async () => {}, close: async () => {} };
  return {
    ...lock,
    journal: `of ${tenant} in the database of TENANT_SYNC_STATE_URL`,
    last,
    /** One statement, so the old journal exists until the new one does. */
    replace: async (text) => {
      await lock.write(
        (held) => `with old as (delete from tenant_sync.texts where name = $2 and ${held})
         insert into tenant_sync.texts (name, text) select $2, $3 where ${held} returning true`,
        [name, text],
      );
      return file;
    },
  };
}

function journalOf(tenant: string): string {
  return `journal ${tenant}`;
}

/** Texts that grow at the end, each under a name. Null if there is none. */
async function readText(session: Session, name: string): Promise<string | null> {
  const [row] = await session.query<{ text: string | null }>(
    `select string_agg(text, '' order by position) as text from tenant_sync.texts where name = $1`,
    [name],
  );
  return row?.text ?? null;
}
