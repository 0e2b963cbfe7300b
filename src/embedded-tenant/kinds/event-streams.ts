/** Nothing is delivered from here. */

import { shape } from '../../contract/shape.ts';
import { storedItems } from '../../contract/stored-items.ts';
import { fields } from '../../service/event-streams/fields.generated.ts';
import { operations } from '../../service/event-streams/operations.ts';
import { validateSeed } from '../../service/event-streams/seed-validators.generated.ts';
import type * as types from '../../service/event-streams/types.generated.ts';
import { badBody, refused } from '../refused.ts';

export const eventStreamsTenant = storedItems<types.LiveEventStream>({
  section: 'event_streams',
  seed: shape<types.SeededEventStreams>('event-streams.schema.json#/$defs/seed', validateSeed),
  fields,
  operations,
  id: { prefix: 'est', version: 4 },
  missing: { status: 404, message: 'The requested stream does not exist.' },
  // The message is assumed; that a name is unique is a public fact (4.4).
  conflict: refused(409, 'event_stream_conflict', 'An event stream with this name already exists.'),
  timeText: (now) => now.toISOString(),
  set(body, stream, { newId }) {
    if (stream === null) return { fields: newFields(body as types.CreateEventStreamBody, newId('tenant', 4)) };
    const { destination } = body as types.PatchEventStreamBody;
    const isAccepted = destination === undefined || acceptsDestination(stream, destination);
    return isAccepted ? { fields: body } : { refusal: destinationFixed };
  },
});

/** The service's own name for a partner event source (public facts 4.3); the tenant's name is invented. */
function newFields({ status = 'enabled', destination, ...body }: types.CreateEventStreamBody, tenant: string): object {
  const { type, configuration } = destination;
  if (type !== 'eventbridge') return { status, ...body, destination };
  const aws_partner_event_source = `aws.partner/auth0.com/embedded-${tenant}/auth0.events`;
  return { status, ...body, destination: { type, configuration: { ...configuration, aws_partner_event_source } } };
}

/**
 * The type cannot change. That an action id cannot change either is assumed: public sources disagree (public facts
 * 4.4).
 */
function acceptsDestination(
  { destination: stored }: types.LiveEventStream,
  sent: NonNullable<types.PatchEventStreamBody['destination']>,
): boolean {
  if (stored?.type !== sent.type) return false;
  return sent.type === 'webhook' || stored.configuration?.action_id === sent.configuration.action_id;
}

/** The message is assumed; that the type of a destination cannot change is a public fact (4.4). */
const destinationFixed = badBody("'The destination of this stream cannot be changed' on property destination");
