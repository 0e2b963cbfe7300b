import { canonicalTenant } from '../contract/formats.ts';
import type { ApplyStateStore, HeldState, JournalFile } from '../journal/apply-state-store.ts';
import { newHolder, parseLock } from '../journal/lock-holder.ts';
import { lockKey } from './lock-key.ts';
import { type LockTimes, type SessionLock, takeSessionLock } from './session-lock.ts';
import { readText } from './texts.ts';

/**
 * A lock that ends with its session, and a journal that is written over this session. `url` is `postgres://…`. The lock
 * of a process that runs cannot be broken, and that of another ends by itself.
 */
export function databaseStore(url: string, baseUrl: string, times?: LockTimes): ApplyStateStore {
  const tenant = canonicalTenant(baseUrl);
  return {
    async acquire(run) {
      const taken = await takeSessionLock(url, lockKey('apply', tenant), JSON.stringify(newHolder(run)), times);
      if (!('session' in taken)) return { lock: { ...parseLock(taken.holder ?? '', 0), backend: taken.backend } };
      return heldState(taken, tenant);
    },
  };
}

function heldState(lock: SessionLock, tenant: string): HeldState {
  const name = `journal ${tenant}`;
  const last = () => readText(lock.session, name);
  const append = (text: string) =>
    lock.write(
      (held) => `insert into tenant_sync.texts (name, text) select $2, $3 where ${held} returning true`,
      [name, text],
    );
  /** One statement, so the old journal exists until the new one does. */
  const replace = (text: string) =>
    lock.write(
      (held) => `with old as (delete from tenant_sync.texts where name = $2 and ${held})
         insert into tenant_sync.texts (name, text) select $2, $3 where ${held} returning true`,
      [name, text],
    );
  // What was appended is committed.
  const file: JournalFile = { append, sync: async () => {}, close: async () => {} };
  return {
    ...lock,
    journal: `of ${tenant} in the database of TENANT_SYNC_STATE_URL`,
    last,
    append: async (keptBytes, text) => {
      const kept =
        keptBytes === 0
          ? ''
          : Buffer.from((await last()) ?? '')
              .subarray(0, keptBytes)
              .toString();
      await replace(kept + text);
      return file;
    },
  };
}
