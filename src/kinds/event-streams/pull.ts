import type { NewNames, Pulled, PullRules } from '../../model/pull.ts';
import type {
  DeclaredDestination,
  DeclaredWebhookAuthorization,
  LiveEventStream,
  LiveWebhookAuthorization,
} from '../../service/event-streams/types.generated.ts';
import { compareText } from '../../values/text-order.ts';
import type { DesiredStream } from './desired-stream.ts';
import { declaredSecret, secretFields } from './secret.ts';

export const pull: PullRules<DesiredStream, LiveEventStream> = {
  form: 'list',
  // A stream without a name is left alone.
  keyOf: ({ name }) => name || null,
  declare,
  adopt,
  secrets: ({ destination }) => {
    const secret = declaredSecret(destination);
    return secret === null ? [] : [secret.place.pointer];
  },
  protectAs: ({ name = '' }) => name,
};

type Subscriptions = DesiredStream['subscriptions'];

/** The status is a part of a new item: otherwise, a stream that is disabled later would be no difference. */
function declare(live: LiveEventStream, names: NewNames): Pulled<DesiredStream> {
  const destination = newDestination(live, names);
  if ('inexpressible' in destination) return destination;
  const status = knownStatus(live);
  const subscriptions = withTypes([], eventTypes(live));
  return {
    written: {
      name: live.name ?? '',
      ...(status !== null && { status }),
      subscriptions,
      destination: destination.written,
    },
  };
}

function adopt(written: DesiredStream, live: LiveEventStream, names: NewNames): Pulled<DesiredStream> {
  const destination = adoptedDestination(written, live, names);
  if ('inexpressible' in destination) return destination;
  const status = knownStatus(live);
  if (written.status !== undefined && status === null)
    return { inexpressible: `its status "${live.status ?? ''}" is not known to this version` };
  return {
    written: {
      ...written,
      ...(written.status !== undefined && status !== null && { status }),
      subscriptions: withTypes(written.subscriptions, eventTypes(live)),
      destination: destination.written,
    },
  };
}

function knownStatus({ status }: LiveEventStream): NonNullable<DesiredStream['status']> | null {
  return status === 'enabled' || status === 'disabled' ? status : null;
}

function eventTypes({ subscriptions = [] }: LiveEventStream): string[] {
  return [...new Set(subscriptions.map(({ event_type }) => event_type))].sort(compareText);
}

/** The written subscriptions that are live, and then the others. */
function withTypes(written: Subscriptions, live: readonly string[]): Subscriptions {
  const kept = written.filter(({ event_type }) => live.includes(event_type));
  const added = live.filter((type) => !kept.some(({ event_type }) => event_type === type));
  return [...kept, ...added.map((event_type) => ({ event_type }))];
}

function newDestination(live: LiveEventStream, names: NewNames): Pulled<DeclaredDestination> {
  const { type, configuration = {} } = live.destination ?? {};
  const { webhook_endpoint, webhook_authorization, aws_account_id, aws_region, action_id } = configuration;
  switch (type) {
    case 'webhook':
      return {
        written: {
          type,
          configuration: {
            webhook_endpoint: webhook_endpoint ?? '',
            ...(webhook_authorization !== undefined && {
              webhook_authorization: newAuthorization(webhook_authorization, secretOf(live, names)),
            }),
          },
        },
      };
    case 'eventbridge':
      return {
        written: { type, configuration: { aws_account_id: aws_account_id ?? '', aws_region: aws_region ?? '' } },
      };
    case 'action':
      return { written: { type, configuration: { action_id: action_id ?? '' } } };
    default:
      return { inexpressible: `this version does not know its destination${type === undefined ? '' : ` "${type}"`}` };
  }
}

type Secret = (field: string) => string;

function secretOf({ name = '' }: LiveEventStream, names: NewNames): Secret {
  return (field) => names.secret(name, field);
}

/** The schema refuses a method that this version does not know. */
function newAuthorization(live: LiveWebhookAuthorization, secret: Secret | null): DeclaredWebhookAuthorization {
  const { method, username, header_key } = live;
  const field = new Map<string | undefined, string>(Object.entries(secretFields)).get(method);
  return {
    method,
    ...(username !== undefined && { username }),
    ...(header_key !== undefined && { header_key }),
    ...(field !== undefined && secret !== null && { [field]: secret(field) }),
  } as DeclaredWebhookAuthorization;
}

function adoptedDestination(
  { destination: written }: DesiredStream,
  live: LiveEventStream,
  names: NewNames,
): Pulled<DeclaredDestination> {
  const { type, configuration = {} } = live.destination ?? {};
  if (written.type !== 'webhook' || type !== 'webhook') return newDestination(live, names);
  const { webhook_authorization: authorization, ...others } = written.configuration;
  const { webhook_endpoint = '', webhook_authorization: stored } = configuration;
  return {
    written: {
      ...written,
      configuration: {
        ...others,
        webhook_endpoint,
        ...(authorization !== undefined &&
          stored !== undefined && {
            webhook_authorization: adoptedAuthorization(
              authorization,
              stored,
              declaredSecret(written) === null ? null : secretOf(live, names),
            ),
          }),
      },
    },
  };
}

/** A new method has a new secret; without one in the files, it stays undeclared. */
function adoptedAuthorization(
  written: DeclaredWebhookAuthorization,
  live: LiveWebhookAuthorization,
  secret: Secret | null,
): DeclaredWebhookAuthorization {
  if (written.method !== live.method) return newAuthorization(live, secret);
  const { username, header_key } = live;
  return {
    ...written,
    ...(username !== undefined && { username }),
    ...(header_key !== undefined && { header_key: likeHeader(header_key, written) }),
  } as DeclaredWebhookAuthorization;
}

/** Names of HTTP headers are case-insensitive. */
function likeHeader(live: string, written: DeclaredWebhookAuthorization): string {
  const name = written.method === 'custom_header' ? written.header_key : '';
  return name.toLowerCase() === live.toLowerCase() ? name : live;
}
