import type { Description } from '../../model/kind.ts';
import type { LiveEventStream } from '../../service/event-streams/types.generated.ts';
import { secretFields } from './corrections.ts';

/** `webhook old.example on user.created`, with `disabled` before it if nothing is delivered. */
export function streamSummary({
  subscriptions = [],
  destination,
  status,
}: LiveEventStream): Pick<Description, 'summary' | 'parts'> {
  const lead = `${status === 'disabled' ? 'disabled, ' : ''}${receiverText(destination)}`;
  const parts = subscriptions.map(({ event_type: name }) => ({ name }));
  return parts.length === 0 ? { summary: lead } : { parts: [{ lead: `${lead} on`, parts }] };
}

/** `webhook crm.example`, `eventbridge 123456789012 in us-east-1`, `action 6018…`. */
function receiverText(destination: LiveEventStream['destination']): string {
  const endpoint = destination?.configuration?.webhook_endpoint;
  if (destination?.type !== 'webhook' || endpoint === undefined)
    return destination === undefined ? 'no destination' : destinationText(destination);
  // The rest of an address may have credentials.
  return URL.canParse(endpoint) ? `webhook ${new URL(endpoint).host}` : 'webhook';
}

/** Subscriptions, destination, and the status if it is known. */
export function streamLines({ subscriptions = [], destination, status }: LiveEventStream): readonly string[] {
  const events = subscriptions.map(({ event_type }) => event_type);
  return [
    events.length === 0 ? 'on no events' : `on ${events.join(', ')}`,
    destination === undefined ? 'to no destination' : `to ${destinationText(destination)}`,
    ...(status === undefined ? [] : [`status ${status}`]),
  ];
}

type Destination = NonNullable<LiveEventStream['destination']>;
type Configuration = NonNullable<Destination['configuration']>;

/**
 * `webhook https://…, basic as crm, password ${env:TENANT_VAR_CRM_PASSWORD}`; `eventbridge 123456789012 in us-east-1`; `action
 * 6018…`.
 */
function destinationText({ type, configuration = {} }: Destination): string {
  switch (type) {
    case 'webhook':
      return `webhook ${[configuration.webhook_endpoint ?? 'without an endpoint', ...authorizationTexts(configuration)].join(', ')}`;
    case 'eventbridge':
      return `eventbridge ${configuration.aws_account_id} in ${configuration.aws_region}`;
    case 'action':
      return `action ${configuration.action_id}`;
    default:
      return type;
  }
}

function authorizationTexts({ webhook_authorization: authorization }: Configuration): readonly string[] {
  if (authorization?.method === undefined) return [];
  const { method, username, header_key: header } = authorization;
  const name = username ?? header;
  const secret = new Map(Object.entries(secretFields)).get(method);
  const reference = secret === undefined ? undefined : authorization[secret];
  return [
    name === undefined ? method : `${method} ${username === undefined ? 'in' : 'as'} ${name}`,
    ...(isReference(reference) ? [`${secret} ${reference}`] : []),
  ];
}

/** Masks secrets, in case a tenant returns them. */
function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^\$\{env:\w+\}$/.test(value);
}
