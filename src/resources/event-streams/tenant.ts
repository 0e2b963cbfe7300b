/**
 * `from` is the id from which to start the selection (service specification 4.5), so `next` is the id of the first stream of the
 * next page. Streams are ordered by id: the place stays valid when that stream is deleted before the next page is asked for.
 *
 * Secrets are taken and forgotten: nobody can ask for them, and nothing is delivered from here.
 */
import type { TenantAnswer, TenantPart, TenantRoute, TenantTools } from '../../model/tenant-resource.ts';
import {
  createEventStream,
  deleteEventStream,
  getEventStream,
  listEventStreams,
  updateEventStream,
} from './operations.ts';
import type {
  CreateEventStreamBody,
  EventStreamParams,
  ListEventStreamsQuery,
  LiveDestination,
  LiveEventStream,
  PatchEventStreamBody,
} from './types.generated.ts';

export const eventStreamsTenant: TenantPart<readonly LiveEventStream[]> = {
  section: 'event_streams',
  open(section = [], tools) {
    const streams = tools.order(section.map(withoutSecrets));
    const isTaken = (name: string) => streams.all.some((stream) => stream.name === name);

    const list: TenantRoute<unknown, ListEventStreamsQuery, never> = {
      operation: listEventStreams,
      answer({ query }) {
        const start = query.from === undefined ? null : { at: query.from };
        const page = streams.page(start, query.take ?? listEventStreams.paging.defaultTake, () => true);
        const next = page.following === null ? {} : { next: page.following.id };
        return { status: 200, body: { eventStreams: page.items, ...next } };
      },
    };

    const create: TenantRoute<never, never, CreateEventStreamBody> = {
      operation: createEventStream,
      answer({ body }) {
        if (isTaken(body.name)) return nameInUse;
        const stream = newStream(body, tools);
        streams.put(stream);
        return { status: 201, body: stream };
      },
    };

    const get: TenantRoute<EventStreamParams> = {
      operation: getEventStream,
      answer({ params }) {
        const stream = streams.find(params.id);
        return stream === undefined ? missing : { status: 200, body: stream };
      },
    };

    const update: TenantRoute<EventStreamParams, never, PatchEventStreamBody> = {
      operation: updateEventStream,
      answer({ params, body }) {
        const stream = streams.find(params.id);
        if (stream === undefined) return missing;
        if (body.name !== undefined && body.name !== stream.name && isTaken(body.name)) return nameInUse;
        if (body.destination !== undefined && !acceptsDestination(stream, body.destination)) return destinationFixed;
        const changed = changedStream(stream, body, tools.now());
        streams.put(changed);
        return { status: 200, body: changed };
      },
    };

    const remove: TenantRoute<EventStreamParams> = {
      operation: deleteEventStream,
      answer({ params }) {
        // A stream that is gone already is no fault here (public facts 4.4).
        streams.remove(params.id);
        return { status: 204 };
      },
    };

    return { routes: [list, create, get, update, remove], snapshot: () => streams.all };
  },
};

function newStream(
  { name, status = 'enabled', subscriptions, destination }: CreateEventStreamBody,
  tools: TenantTools,
): LiveEventStream {
  const id = tools.newId('est', 4);
  const now = tools.now().toISOString();
  return withoutSecrets({
    id,
    status,
    name,
    subscriptions,
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
  return withoutSecrets({ ...stream, ...body, ...replaced, updated_at: now.toISOString() });
}

function storedDestination({ type, configuration }: CreateEventStreamBody['destination'], id: string): LiveDestination {
  switch (type) {
    case 'webhook':
      return {
        type,
        configuration: { ...configuration, webhook_authorization: { ...configuration.webhook_authorization } },
      };
    case 'eventbridge':
      // The service's own name for a partner event source (public facts 4.3); the tenant in it is made up.
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

/** The type is fixed. That an action is fixed too is assumed: public sources contradict each other (public facts 4.4). */
function acceptsDestination(
  { destination: stored }: LiveEventStream,
  sent: NonNullable<PatchEventStreamBody['destination']>,
): boolean {
  if (stored?.type !== sent.type) return false;
  return sent.type === 'webhook' || stored.configuration?.action_id === sent.configuration.action_id;
}

/** The stream as anybody may see it, whatever a request or a seed holds. */
function withoutSecrets(stream: LiveEventStream): LiveEventStream {
  const { destination } = stream;
  if (destination?.configuration?.webhook_authorization === undefined) return stream;
  const {
    password: _password,
    token: _token,
    header_value: _value,
    ...shown
  } = destination.configuration.webhook_authorization;
  return {
    ...stream,
    destination: { ...destination, configuration: { ...destination.configuration, webhook_authorization: shown } },
  };
}

const missing: TenantAnswer = { status: 404, message: 'The requested stream does not exist.' };

/** The words are assumed; that a name is unique is a public fact (4.4). */
const nameInUse: TenantAnswer = {
  status: 409,
  message: 'An event stream with this name already exists.',
  errorCode: 'event_stream_conflict',
};

/** The words are assumed; that the type of a destination cannot change is a public fact (4.4). */
const destinationFixed: TenantAnswer = {
  status: 400,
  message: "Payload validation error: 'The destination of this stream cannot be changed' on property destination.",
  errorCode: 'invalid_body',
};
