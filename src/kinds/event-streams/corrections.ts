import { plannedRequest } from '../../contract/planned-request.ts';
import type { Change } from '../../differ/decide-listed.ts';
import type { Corrected, Uncorrectable } from '../../differ/draft.ts';
import type { PlannedRequest, SecretPlace } from '../../model/plan.generated.ts';
import { createEventStream, deleteEventStream, updateEventStream } from '../../service/event-streams/operations.ts';
import type {
  DeclaredDestination,
  DeclaredWebhookAuthorization,
  DeclaredWebhookDestination,
  LiveEventStream,
  LiveWebhookAuthorization,
} from '../../service/event-streams/types.generated.ts';
import type { DesiredStream } from './desired-stream.ts';
import { declaredSecret, secretFields } from './secret.ts';

/** The requests that correct a difference of a stream, or the reason why none can (public facts 4.3, 4.4). */

/** The status is sent although it may be left out: some tenants then make a stream that delivers nothing. */
export function createStream(desired: DesiredStream): Corrected | Uncorrectable {
  const body = { status: 'enabled', ...desired };
  const lacking = lackingForCreate(desired.destination);
  if (lacking !== null) return { impossible: `creating it requires destination.configuration.${lacking}` };
  const secret = declaredSecret(desired.destination);
  if (secret === null) return { request: plannedRequest(createEventStream, { body }) };
  return {
    request: plannedRequest(createEventStream, { body, secrets: [secret.place] }),
    notes: [`sends the secret from ${secret.place.env}`],
  };
}

/** A required field of a new stream that the files lack, with the fix; null if there is none. */
function lackingForCreate(destination: DeclaredDestination): string | null {
  if (destination.type !== 'webhook' || declaredSecret(destination) !== null) return null;
  const authorization = destination.configuration.webhook_authorization;
  if (authorization === undefined) return 'webhook_authorization: declare its method and its secret as ${env:NAME}';
  return `webhook_authorization.${secretFields[authorization.method]}: set it to \${env:NAME}`;
}

/** Sends only the fields that differ; the service keeps the others (public facts 4.4). */
export function updateStream({
  desired,
  live,
  changes,
}: Change<DesiredStream, LiveEventStream>): Corrected | Uncorrectable {
  const changed = new Set(changes.map(({ field }) => field.split('.', 1)[0]));
  const sent = changed.has('destination') ? sendDestination(desired, live) : nothingSent;
  if ('impossible' in sent) return sent;
  const body = {
    ...(changed.has('subscriptions') && { subscriptions: desired.subscriptions }),
    ...(changed.has('status') && { status: desired.status }),
    ...(changed.has('destination') && { destination: sent.destination }),
  };
  return {
    request: plannedRequest(updateEventStream, { params: { id: live.id }, body, secrets: sent.secrets }),
    notes: sent.notes,
  };
}

const nothingSent: SentDestination = { destination: {}, secrets: [], notes: [] };

export function deleteStream({ id, destination }: LiveEventStream): Corrected {
  const request = plannedRequest(deleteEventStream, { params: { id } });
  if (destination?.type !== 'action') return { request };
  // Seen once in recorded traffic and documented nowhere (public facts 4.4).
  const action = destination.configuration?.action_id ?? 'unknown';
  return {
    request,
    notes: [`the tenant may also delete its action (action id ${action}): check that nothing else uses it`],
  };
}

/** The declared destination with its secret, in addition to what an update of the stream sends. */
export function resendSecret(
  desired: DesiredStream,
  live: LiveEventStream,
  update: PlannedRequest | null,
): Corrected | Uncorrectable {
  const sent = sendDestination(desired, live);
  if ('impossible' in sent) return sent;
  const { destination, secrets, notes } = sent;
  const body = { ...update?.body, destination };
  return { request: plannedRequest(updateEventStream, { params: { id: live.id }, body, secrets }), notes };
}

/** The destination in the body of a change. */
export interface SentDestination {
  readonly destination: object;
  readonly secrets: readonly SecretPlace[];
  readonly notes: readonly string[];
}

const cannotChangeDestination =
  'its destination cannot be changed in place: rename the stream in the files, and the new one is created before the old one is deleted';

const authorizationField = 'destination.configuration.webhook_authorization';

/**
 * The declared destination, to be sent to a live stream. A webhook is sent completely, because a change requires the
 * type and the configuration; the other types cannot be changed (public facts 4.4).
 */
function sendDestination({ destination }: DesiredStream, live: LiveEventStream): SentDestination | Uncorrectable {
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

/** Sends undeclared fields with their live values. A new method has no stored secret that could be kept. */
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

/** Fields that a change may have. The service may refuse other fields that its responses have. */
function knownFields({ method, username, header_key }: LiveWebhookAuthorization): KnownAuthorization {
  return {
    ...(method !== undefined && { method }),
    ...(username !== undefined && { username }),
    ...(header_key !== undefined && { header_key }),
  };
}
