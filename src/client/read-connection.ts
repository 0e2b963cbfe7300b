import type { ConnectOptions, ReadConnection } from '../model/client.ts';
import { openReadWire } from './open-read-wire.ts';
import { openSession } from './open-session.ts';
import { quotasSeen } from './quotas-seen.ts';
import { tenantReader } from './tenant-reader.ts';

/** A tenant that can be read; nothing below it can send a write. */
export function openReadConnection(options: ConnectOptions): ReadConnection {
  const session = openSession(options);
  const wire = openReadWire(session.wireTerms);
  const close = async () => {
    await Promise.all([session.end(), wire.destroy()]);
  };
  return {
    reader: tenantReader(session, wire),
    quotas: () => quotasSeen(session.gate),
    reached: session.reached,
    close,
  };
}
