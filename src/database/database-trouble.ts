import { JournalTrouble, type TroubleCode } from '../journal/journal-trouble.ts';

/** SQLSTATEs that the connection is refused with, and missing rights. */
const denied = ['28000', '28P01', '3D000', '42501'];

/** What the server or the network refused. No message contains the URL. */
export function databaseTrouble(error: unknown): JournalTrouble {
  if (error instanceof JournalTrouble) return error;
  const { code, message } = detailsOf(error);
  if (denied.includes(code)) {
    const hint =
      'correct the user, the password and the database; a first use needs CREATE on the database, later ones the rights on the schema tenant_sync, and on tenant_sync_queue for workers';
    return unusable('STATE_DENIED', message, hint, error);
  }
  // The driver gives this no code.
  const hint = message.includes('does not support SSL')
    ? 'enable TLS on the server, or add ?sslmode=disable to the URL if the network is trusted'
    : 'check the host and the server, and rerun';
  return unusable('DATABASE_UNREACHABLE', message, hint, error);
}

export function unusable(code: TroubleCode, why: string, hint: string, cause?: unknown): JournalTrouble {
  const message = `The database of TENANT_SYNC_STATE_URL cannot be used: ${why}.`;
  return new JournalTrouble(code, message, hint, cause);
}

/** Several addresses of a host give an error without a message of its own. */
function detailsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof AggregateError) return detailsOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}
