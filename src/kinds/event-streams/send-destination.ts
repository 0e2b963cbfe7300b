import type { Uncorrectable } from '../../differ/decide-listed.ts';
import type { SecretPlace } from '../../model/plan.generated.ts';
import type {
  DeclaredEventStream,
  DeclaredWebhookAuthorization,
  DeclaredWebhookDestination,
  LiveEventStream,
  LiveWebhookAuthorization,
} from '../../resources/event-streams/types.generated.ts';
import { declaredSecret, secretFields } from './secret.ts';

/** A destination as a change sends it. */
export interface SentDestination {
  readonly destination: object;
  readonly secrets: readonly SecretPlace[];
  readonly notes: readonly string[];
}

const cannotChangeDestination =
  'its destination cannot be changed in place: rename the stream in the files, and the new one is created before the old one is deleted';

const authorizationField = 'destination.configuration.webhook_authorization';

/**
 * The declared destination, to be sent to a live stream. A webhook is sent whole, because the service asks for the type and the
 * configuration in a change; the other types cannot be changed (public facts 4.4).
 */
export function sendDestination(
  { destination }: DeclaredEventStream,
  live: LiveEventStream,
): SentDestination | Uncorrectable {
  if (destination.type !== 'webhook' || live.destination?.type !== 'webhook')
    return { impossible: cannotChangeDestination };
  const secret = declaredSecret(destination);
  if (secret !== null) {
    return {
      destination,
      secrets: [secret.place],
      notes: [`sends the secret from ${secret.place.env}; secrets cannot be compared`],
    };
  }
  return sendWithoutSecret(destination, live.destination.configuration?.webhook_authorization);
}

/** That a change without the secret keeps the stored one is assumed (public facts 4.4). */
function sendWithoutSecret(
  { type, configuration }: DeclaredWebhookDestination,
  stored: LiveWebhookAuthorization | undefined,
): SentDestination | Uncorrectable {
  const webhook_authorization = authorizationWithoutSecret(configuration.webhook_authorization, stored);
  if ('impossible' in webhook_authorization) return webhook_authorization;
  return {
    destination: { type, configuration: { ...configuration, webhook_authorization } },
    secrets: [],
    notes: ['sends no secret; the tenant is expected to keep the stored one'],
  };
}

/** What is not declared stays as it is, so it is sent as it is. A new method has no stored secret that could be kept. */
function authorizationWithoutSecret(
  declared: DeclaredWebhookAuthorization | undefined,
  stored: LiveWebhookAuthorization | undefined,
): DeclaredWebhookAuthorization | KnownAuthorization | Uncorrectable {
  if (declared !== undefined && declared.method === stored?.method) return declared;
  if (declared !== undefined) {
    const field = `${authorizationField}.${secretFields[declared.method]}`;
    return {
      impossible: `changing its method to ${declared.method} requires ${field}: set it to \${env:NAME}`,
    };
  }
  return stored?.method === undefined
    ? { impossible: `changing it requires ${authorizationField}: declare it` }
    : knownFields(stored);
}

type KnownAuthorization = Readonly<Partial<Record<'method' | 'username' | 'header_key', string>>>;

/** Fields that a change may hold; a service that adds others to its answers may refuse them in a request. */
function knownFields({ method, username, header_key }: LiveWebhookAuthorization): KnownAuthorization {
  return {
    ...(method !== undefined && { method }),
    ...(username !== undefined && { username }),
    ...(header_key !== undefined && { header_key }),
  };
}
