import type { ConnectOptions, WriteConnection } from '../model/client.ts';
import type { Operation } from '../model/operation.ts';
import type { SecretOf } from './fill-secrets.ts';
import { openReadWire } from './open-read-wire.ts';
import { openSession } from './open-session.ts';
import { openWriteWire } from './open-write-wire.ts';
import { performer } from './performer.ts';
import { quotasSeen } from './quotas-seen.ts';
import { tenantReader } from './tenant-reader.ts';

/**
 * A tenant that can be read and changed, by requests that fit one of the operations. `secretOf` answers with the secrets of the
 * environment that a plan only names. Only the command that applies opens one.
 */
export function openWriteConnection(
  options: ConnectOptions,
  operations: readonly Operation[],
  secretOf: SecretOf,
): WriteConnection {
  const session = openSession(options);
  const reading = openReadWire(session.wireTerms);
  const writing = openWriteWire({ ...session.wireTerms, hangUp: options.hangUp });
  const close = async () => {
    await Promise.all([session.end(), reading.destroy(), writing.close()]);
  };
  return {
    reader: tenantReader(session, reading),
    ...performer(session, writing, operations, secretOf),
    grantedScopes: session.tokens.scopes,
    tokenEnds: session.tokens.ends,
    quotas: () => quotasSeen(session.gate),
    reached: session.reached,
    close,
  };
}
