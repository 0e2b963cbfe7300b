import type { Uncorrectable } from '../../differ/draft.ts';
import type { Body, Prepared } from '../../marks/requests.ts';
import type {
  DeclaredDestination,
  DeclaredWebhookAuthorization,
  LiveEventStream,
  LiveWebhookAuthorization,
} from '../../service/event-streams/types.generated.ts';

/** The secret field of each method (public facts 4.3). */
export const secretFields = { basic: 'password', bearer: 'token', custom_header: 'header_value' } as const;

type Webhook = Extract<DeclaredDestination, { readonly type: 'webhook' }>;

/** What the service requires of a destination that is sent to it (public facts 4.3, 4.4). */
export function prepare(body: Body, live: LiveEventStream | null): Prepared | Uncorrectable {
  const destination = body['destination'] as DeclaredDestination | undefined;
  if (destination === undefined) return { body };
  if (live === null) return prepareCreate(body, destination);
  if (destination.type !== 'webhook' || live.destination?.type !== 'webhook') return { impossible: cannotChange };
  return hasSecret(destination.configuration.webhook_authorization)
    ? { body }
    : withoutSecret(body, destination, live.destination.configuration?.webhook_authorization);
}

const cannotChange =
  'its destination cannot be changed in place: rename the stream in the files, and the new one is created before the old one is deleted';

const authorizationField = 'destination.configuration.webhook_authorization';

/** The status is sent although it may be left out: some tenants then make a stream that delivers nothing. */
function prepareCreate(given: Body, destination: DeclaredDestination): Prepared | Uncorrectable {
  const body = { status: 'enabled', ...given };
  const authorization = destination.type === 'webhook' ? destination.configuration.webhook_authorization : undefined;
  if (destination.type !== 'webhook' || hasSecret(authorization)) return { body };
  const lacking =
    authorization === undefined
      ? ': declare its method and its secret as ${env:NAME}'
      : `.${secretFields[authorization.method]}: set it to \${env:NAME}`;
  return { impossible: `creating it requires ${authorizationField}${lacking}` };
}

function hasSecret(authorization: DeclaredWebhookAuthorization | undefined): boolean {
  return authorization !== undefined && secretFields[authorization.method] in authorization;
}

/** That a change without the secret keeps the stored one is assumed (public facts 4.4). */
function withoutSecret(
  body: Body,
  { type, configuration }: Webhook,
  stored: LiveWebhookAuthorization | undefined,
): Prepared | Uncorrectable {
  const webhook_authorization = authorizationWithoutSecret(configuration.webhook_authorization, stored);
  if ('impossible' in webhook_authorization) return webhook_authorization;
  return {
    body: { ...body, destination: { type, configuration: { ...configuration, webhook_authorization } } },
    notes: ['sends no secret; the tenant is expected to keep the stored one'],
  };
}

/** Sends undeclared fields with their live values. A new method has no stored secret that could be kept. */
function authorizationWithoutSecret(
  declared: DeclaredWebhookAuthorization | undefined,
  stored: LiveWebhookAuthorization | undefined,
): object | Uncorrectable {
  if (declared !== undefined && declared.method === stored?.method) return declared;
  if (declared !== undefined) {
    const field = `${authorizationField}.${secretFields[declared.method]}`;
    return { impossible: `changing its method to ${declared.method} requires ${field}: set it to \${env:NAME}` };
  }
  return stored?.method === undefined
    ? { impossible: `changing it requires ${authorizationField}: declare it` }
    : knownFields(stored);
}

/** Fields that a change may have. The service may refuse other fields that its responses have. */
function knownFields({ method, username, header_key }: LiveWebhookAuthorization): object {
  return {
    method,
    ...(username !== undefined && { username }),
    ...(header_key !== undefined && { header_key }),
  };
}

export function deletionNotes({ destination }: LiveEventStream): readonly string[] {
  if (destination?.type !== 'action') return [];
  // Seen once in recorded traffic and documented nowhere (public facts 4.4).
  const action = destination.configuration?.action_id ?? 'unknown';
  return [`the tenant may also delete its action (action id ${action}): check that nothing else uses it`];
}
