import type { ConnectOptions, ReadConnection } from '../model/client.ts';
import type { Glance } from '../model/reader.ts';
import { tenantReader } from './read/tenant-reader.ts';
import { openSession, type Session } from './session.ts';
import { ownerOf } from './token/token-source.ts';
import { openReadTransport } from './transport/read-transport.ts';

/** Opens a connection that can only read: nothing below it can send a write. */
export function openReadConnection(options: ConnectOptions): ReadConnection & { readonly glance: Glance } {
  return readingSide(openSession(options));
}

/** What every connection can do with a session. */
export function readingSide(session: Session): ReturnType<typeof openReadConnection> {
  const reader = tenantReader(session, openReadTransport(session.transportOptions));
  return {
    reader,
    glance: reader.glance,
    reached: session.reached,
    tokenOwner: () => ownerOf(session.tokens),
    close: session.end,
  };
}
