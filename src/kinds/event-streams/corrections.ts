import type { Uncorrectable } from '../../differ/draft.ts';
import type { Prepared } from '../../items/requests.ts';
import type { Body } from '../../items/updated.ts';
import type * as service from '../../service/event-streams/types.generated.ts';

/** The secret field of each method (public facts 4.3). */
const secretFields = { basic: 'password', bearer: 'token', custom_header: 'header_value' } as const;

/** What the service requires of a destination that is sent to it (public facts 4.3, 4.4). */
export function prepare(body: Body, live: service.LiveStream | null): Prepared | Uncorrectable {
  const destination = body['destination'] as service.Destination | undefined;
  if (destination === undefined) return { body };
  if (live === null) return prepareCreate(body, destination);
  if (destination.type !== 'webhook' || live.destination?.type !== 'webhook') return { impossible: cannotChange };
  const { webhook_authorization: authorization } = destination.configuration;
  return hasSecret(authorization)
    ? { body }
    : withoutSecret(body, authorization, live.destination.configuration?.webhook_authorization);
}

const cannotChange =
  'its destination cannot be changed in place: give the stream another name without renamed_from, and the new one is created before the old one is deleted';

const authorizationField = 'destination.configuration.webhook_authorization';

/** The status is sent although it may be left out: some tenants then make a stream that delivers nothing. */
function prepareCreate(given: Body, destination: service.Destination): Prepared | Uncorrectable {
  const body = { status: 'enabled', ...given };
  const authorization = destination.type === 'webhook' ? destination.configuration.webhook_authorization : undefined;
  if (destination.type !== 'webhook' || hasSecret(authorization)) return { body };
  const lacking =
    authorization === undefined
      ? ': declare its method and its secret as ${env:NAME}'
      : `.${secretFields[authorization.method]}: set it to \${env:NAME}`;
  return { impossible: `creating it requires ${authorizationField}${lacking}` };
}

function hasSecret(authorization: service.WebhookAuthorization | undefined): boolean {
  return authorization !== undefined && secretFields[authorization.method] in authorization;
}

/**
 * The body has what is stored where the files leave it out. That a change without the secret keeps the stored one is
 * assumed (public facts 4.4); a new method has none.
 */
function withoutSecret(
  body: Body,
  authorization: service.WebhookAuthorization | undefined,
  stored: service.LiveWebhookAuthorization | undefined,
): Prepared | Uncorrectable {
  if (authorization?.method === undefined)
    return { impossible: `changing it requires ${authorizationField}: declare it` };
  const { method } = authorization;
  if (method === stored?.method)
    return { body, notes: ['sends no secret; the tenant is expected to keep the stored one'] };
  const field = `${authorizationField}.${secretFields[method]}`;
  return { impossible: `changing its method to ${method} requires ${field}: set it to \${env:NAME}` };
}

export function deletionNotes({ destination }: service.LiveStream): readonly string[] {
  if (destination?.type !== 'action') return [];
  // Seen once in recorded traffic and documented nowhere (public facts 4.4).
  const action = destination.configuration?.action_id ?? 'unknown';
  return [`the tenant may also delete its action (action id ${action}): check that nothing else uses it`];
}
