/** The requests that correct a difference of a stream, and the reasons why some cannot be (public facts 4.3, 4.4). */
import { plannedRequest } from '../../contract/planned-request.ts';
import type { Change, Corrected, Uncorrectable } from '../../differ/decide-listed.ts';
import { createEventStream, deleteEventStream, updateEventStream } from '../../resources/event-streams/operations.ts';
import type {
  DeclaredDestination,
  DeclaredEventStream,
  LiveEventStream,
} from '../../resources/event-streams/types.generated.ts';
import { declaredSecret, secretFields } from './secret.ts';
import { type SentDestination, sendDestination } from './send-destination.ts';

export function createStream(body: DeclaredEventStream): Corrected | Uncorrectable {
  const lacking = lackingForCreate(body.destination);
  if (lacking !== null) return { impossible: `creating it requires destination.configuration.${lacking}` };
  const secret = declaredSecret(body.destination);
  if (secret === null) return { request: plannedRequest(createEventStream, { body }) };
  return {
    request: plannedRequest(createEventStream, { body, secrets: [secret.place] }),
    notes: [`sends the secret from ${secret.place.env}`],
  };
}

/** A field that a new stream needs and the files do not have, with what to do; null when there is none. */
function lackingForCreate(destination: DeclaredDestination): string | null {
  if (destination.type !== 'webhook' || declaredSecret(destination) !== null) return null;
  const authorization = destination.configuration.webhook_authorization;
  if (authorization === undefined) return 'webhook_authorization: declare its method and its secret as ${env:NAME}';
  return `webhook_authorization.${secretFields[authorization.method]}: set it to \${env:NAME}`;
}

/** Only the fields that differ are sent: what a change leaves out is kept (public facts 4.4). */
export function updateStream({
  desired,
  live,
  changes,
}: Change<DeclaredEventStream, LiveEventStream>): Corrected | Uncorrectable {
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
