/**
 * `from` is the id at which a page starts (service specification 4.5), so `next` is the id of the first stream of the
 * next page. Streams are ordered by id: the position stays valid if that stream is deleted before the next page is
 * requested.
 *
 * Secrets are accepted and not stored: no operation returns them, and nothing is delivered from here.
 */
import { shape } from '../../contract/shape.ts';
import type {
  RouteContext,
  RouteResponse,
  TenantResource,
  TenantRoute,
  TenantStore,
} from '../../model/tenant-resource.ts';
import { namesCredential } from '../../secrets/credential-names.ts';
import { type OrderedItems, orderItems } from '../../values/ordered-items.ts';
import {
  createEventStream,
  deleteEventStream,
  getEventStream,
  listEventStreams,
  updateEventStream,
} from './operations.ts';
import { validateSeed } from './seed-validators.generated.ts';
import type {
  CreateEventStreamBody,
  EventStreamParams,
  ListEventStreamsQuery,
  LiveDestination,
  LiveEventStream,
  PatchEventStreamBody,
  SeededEventStreams,
} from './types.generated.ts';

interface EventStreamStore extends OrderedItems<LiveEventStream>, TenantStore {}

const list: TenantRoute<EventStreamStore, unknown, ListEventStreamsQuery, never> = {
  operation: listEventStreams,
  respond({ query }, { store }) {
    const start = query.from === undefined ? null : { at: query.from };
    const page = store.page(start, query.take ?? listEventStreams.paging.defaultTake, () => true);
    const next = page.following === null ? {} : { next: page.following.id };
    return { status: 200, body: { eventStreams: page.items, ...next } };
  },
};

const create: TenantRoute<EventStreamStore, never, never, CreateEventStreamBody> = {
  operation: createEventStream,
  respond({ body }, context) {
    if (isTaken(context.store, body.name)) return nameInUse;
    const stream = newStream(body, context);
    context.store.put(stream);
    return { status: 201, body: stream };
  },
};

const get: TenantRoute<EventStreamStore, EventStreamParams> = {
  operation: getEventStream,
  respond({ params }, { store }) {
    const stream = store.find(params.id);
    return stream === undefined ? missing : { status: 200, body: stream };
  },
};

const update: TenantRoute<EventStreamStore, EventStreamParams, never, PatchEventStreamBody> = {
  operation: updateEventStream,
  respond({ params, body }, { store, now }) {
    const stream = store.find(params.id);
    if (stream === undefined) return missing;
    if (body.name !== stream.name && isTaken(store, body.name)) return nameInUse;
    if (body.destination !== undefined && !acceptsDestination(stream, body.destination)) return destinationFixed;
    const changed = changedStream(stream, body, now());
    store.put(changed);
    return { status: 200, body: changed };
  },
};

const remove: TenantRoute<EventStreamStore, EventStreamParams> = {
  operation: deleteEventStream,
  respond({ params }, { store }) {
    // Deleting a stream that is already gone succeeds (public facts 4.4).
    store.remove(params.id);
    return { status: 204 };
  },
};

export const eventStreamsTenant: TenantResource<SeededEventStreams, EventStreamStore> = {
  section: 'event_streams',
  seed: { ...shape<SeededEventStreams>('event-streams.schema.json#/$defs/seed', validateSeed), identity: 'id' },
  openStore(section = []) {
    const streams = orderItems(section.map(shownStream));
    return { ...streams, snapshot: () => streams.all };
  },
  routes: [list, create, get, update, remove],
};

function isTaken(store: EventStreamStore, name: string | undefined): boolean {
  return name !== undefined && store.all.some((stream) => stream.name === name);
}

function newStream(
  { status = 'enabled', destination, ...body }: CreateEventStreamBody,
  context: Pick<RouteContext, 'newId' | 'now'>,
): LiveEventStream {
  const id = context.newId('est', 4);
  const now = context.now().toISOString();
  return shownStream({
    id,
    status,
    ...body,
    created_at: now,
    updated_at: now,
    destination: storedDestination(destination, id),
  });
}

function changedStream(
  stream: LiveEventStream,
  { destination, ...body }: PatchEventStreamBody,
  now: Date,
): LiveEventStream {
  const replaced = destination === undefined ? {} : { destination: storedDestination(destination, stream.id) };
  return shownStream({ ...stream, ...body, ...replaced, updated_at: now.toISOString() });
}

function storedDestination({ type, configuration }: CreateEventStreamBody['destination'], id: string): LiveDestination {
  switch (type) {
    case 'webhook':
      return {
        type,
        configuration: { ...configuration, webhook_authorization: { ...configuration.webhook_authorization } },
      };
    case 'eventbridge':
      // The service's own name for a partner event source (public facts 4.3); the tenant's name is invented.
      return {
        type,
        configuration: {
          ...configuration,
          aws_partner_event_source: `aws.partner/auth0.com/embedded-tenant-${id}/auth0.events`,
        },
      };
    case 'action':
      return { type, configuration: { ...configuration } };
  }
}

/**
 * The type cannot change. That an action id cannot change either is assumed: public sources disagree (public facts
 * 4.4).
 */
function acceptsDestination(
  { destination: stored }: LiveEventStream,
  sent: NonNullable<PatchEventStreamBody['destination']>,
): boolean {
  if (stored?.type !== sent.type) return false;
  return sent.type === 'webhook' || stored.configuration?.action_id === sent.configuration.action_id;
}

/** The fields of a configuration that the service returns (service specification 2.3, public facts 4.3). */
const shownFields: Readonly<Record<string, readonly string[]>> = {
  webhook: ['webhook_endpoint', 'webhook_authorization'],
  eventbridge: ['aws_account_id', 'aws_region', 'aws_partner_event_source'],
  action: ['action_id'],
};
const shownAuthorization = ['method', 'username', 'header_key'];

/**
 * The stream as the service returns it, whatever a request or a seed contains. The fields of an unknown type of
 * destination are unknown too, so only those that are named like a credential are left out.
 */
function shownStream(stream: LiveEventStream): LiveEventStream {
  const { destination, ...fields } = stream;
  const shown = withoutCredentials(fields);
  return destination === undefined ? shown : { ...shown, destination: shownDestination(destination) };
}

function shownDestination(destination: LiveDestination): LiveDestination {
  const { type, configuration } = destination;
  const fields = Object.hasOwn(shownFields, type) ? shownFields[type] : undefined;
  if (fields === undefined) return withoutCredentials(destination);
  if (configuration === undefined) return { type };
  const { webhook_authorization: authorization, ...rest } = only(configuration, fields);
  const authorized = authorization && { webhook_authorization: only(authorization, shownAuthorization) };
  return { type, configuration: { ...rest, ...authorized } };
}

function only<Fields extends object>(object: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name))) as Fields;
}

function withoutCredentials<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutCredentials) as Value;
  const kept = Object.entries(value).filter(([name]) => !namesCredential(name));
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutCredentials(child)])) as Value;
}

const missing: RouteResponse = { status: 404, message: 'The requested stream does not exist.' };

/** The message is assumed; that a name is unique is a public fact (4.4). */
const nameInUse: RouteResponse = {
  status: 409,
  message: 'An event stream with this name already exists.',
  errorCode: 'event_stream_conflict',
};

/** The message is assumed; that the type of a destination cannot change is a public fact (4.4). */
const destinationFixed: RouteResponse = {
  status: 400,
  message: "Payload validation error: 'The destination of this stream cannot be changed' on property destination.",
  errorCode: 'invalid_body',
};
