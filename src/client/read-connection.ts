import type { ConnectOptions, ReadConnection } from '../model/client.ts';
import { tenantReader } from './read/tenant-reader.ts';
import { openSession } from './session.ts';
import { clientOf } from './token/token-source.ts';
import { openReadTransport } from './transport/read-transport.ts';

/** Opens a connection that can only read: nothing below it can send a write. */
export function openReadConnection(options: ConnectOptions): ReadConnection {
  const session = openSession(options);
  const transport = openReadTransport(session.transportOptions);
  const close = async () => {
    await Promise.all([session.end(), transport.destroy()]);
  };
  return {
    reader: tenantReader(session, transport),
    reached: session.reached,
    clientOfToken: () => clientOf(session.tokens),
    close,
  };
}
