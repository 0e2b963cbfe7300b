import type { ConnectOptions, WriteConnection } from '../model/client.ts';
import type { Operation } from '../model/operation.ts';
import { openReadWire } from './open-read-wire.ts';
import { openSession } from './open-session.ts';
import { openWriteWire } from './open-write-wire.ts';
import { pageReader } from './page-reader.ts';
import { performer } from './performer.ts';

/** A tenant that can be read and changed, by requests that fit one of the operations. Only the command that applies opens one. */
export function openWriteConnection(options: ConnectOptions, operations: readonly Operation[]): WriteConnection {
  const session = openSession(options);
  const reading = openReadWire(session.wireTerms);
  const writing = openWriteWire(session.wireTerms);
  const close = async () => {
    await Promise.all([session.end(), reading.destroy(), writing.close()]);
  };
  return { reader: pageReader(session, reading), perform: performer(session, writing, operations), reached: session.reached, close };
}
