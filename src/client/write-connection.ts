import type { ConnectOptions, WriteConnection } from '../model/client.ts';
import type { Operation } from '../model/operation.ts';
import { tenantReader } from './read/tenant-reader.ts';
import { readingSide } from './read-connection.ts';
import { openSession } from './session.ts';
import { openReadTransport } from './transport/read-transport.ts';
import { openWriteTransport } from './transport/write-transport.ts';
import { actionPerformer } from './write/perform-action.ts';
import type { SecretOf } from './write/planned-request.ts';

/**
 * Opens a connection that can read and send the given operations. `secretOf` returns the secrets of the environment
 * that a plan only names. Only `apply` opens one.
 */
export function openWriteConnection(
  options: ConnectOptions,
  operations: readonly Operation[],
  secretOf: SecretOf,
): WriteConnection {
  const session = openSession(options);
  const reading = readingSide(session);
  const writing = openWriteTransport({ ...session.transportOptions, hangUp: options.hangUp });
  const { getComplete } = tenantReader(session, openReadTransport(session.transportOptions));
  return {
    ...reading,
    ...actionPerformer(session, writing, operations, secretOf, getComplete),
    grantedScopes: async () => {
      const claimed = await session.tokens.scopes();
      return claimed === null ? null : new Set([...claimed, ...session.allowedScopes]);
    },
  };
}
