/** Nothing is delivered from here. */
import { shape } from '../../contract/shape.ts';
import { description } from '../../service/event-streams/description.generated.ts';
import { validateSeed } from '../../service/event-streams/seed-validators.generated.ts';
import type { Item } from '../items/item-store.ts';
import { hasSame, objectAt, omitBelow } from '../items/item-values.ts';
import { servedList } from '../items/serve-list.ts';
import { badBody, refused } from '../refused.ts';

/** The message is assumed; that a name is unique is a public fact (4.4). */
const conflict = refused(409, 'event_stream_conflict', 'An event stream with this name already exists.');

/** The message is assumed; that the type of a destination cannot change is a public fact (4.4). */
const destinationFixed = badBody("'The destination of this stream cannot be changed' on property destination");

export const eventStreamsTenant = servedList(
  description,
  {
    newId: ({ newId }) => newId('est', 4),
    missing: { status: 404, message: 'The requested stream does not exist.' },
    refuse({ item, body, store }) {
      if (item !== null && 'destination' in body && !acceptsDestination(item, body)) return destinationFixed;
      const isRenamed = item === null || body['name'] !== item['name'];
      return isRenamed && store.all.some(hasSame(body, ['name'])) ? conflict : null;
    },
    create({ body, now, newId }) {
      const time = now().toISOString();
      const stream = withEventSource(body, newId('tenant', 4));
      return withoutSecrets({ status: 'enabled', ...stream, created_at: time, updated_at: time });
    },
    update: (item, { body, now }) => withoutSecrets({ ...item, ...body, updated_at: now().toISOString() }),
    seed: withoutSecrets,
  },
  shape<readonly Item[]>('event-streams.schema.json#/$defs/seed', validateSeed),
);

/** They are accepted and never returned (public facts 4.3). */
function withoutSecrets(stream: Item): Item {
  return omitBelow(stream, ['password', 'token', 'header_value']);
}

/** The service's own name for a partner event source (public facts 4.3); the tenant's name is invented. */
function withEventSource(stream: Item, tenant: string): Item {
  const destination = objectAt(stream, 'destination');
  if (destination['type'] !== 'eventbridge') return stream;
  const aws_partner_event_source = `aws.partner/auth0.com/embedded-${tenant}/auth0.events`;
  const configuration = { ...objectAt(destination, 'configuration'), aws_partner_event_source };
  return { ...stream, destination: { ...destination, configuration } };
}

/**
 * The type cannot change. That an action id cannot change either is assumed: public sources disagree (public facts
 * 4.4).
 */
function acceptsDestination(stream: Item, body: Item): boolean {
  const [stored, sent] = [objectAt(stream, 'destination'), objectAt(body, 'destination')];
  if (stored['type'] !== sent['type']) return false;
  return (
    sent['type'] === 'webhook' ||
    hasSame(objectAt(sent, 'configuration'), ['action_id'])(objectAt(stored, 'configuration'))
  );
}
