import { decideListed, type ListedKind } from '../../differ/decide-listed.ts';
import type { DecideInput, Decision } from '../../model/kind.ts';
import { createEventStream, deleteEventStream, updateEventStream } from '../../service/event-streams/operations.ts';
import type { DeclaredDestination, LiveEventStream } from '../../service/event-streams/types.generated.ts';
import { createStream, deleteStream, resendSecret, updateStream } from './corrections.ts';
import type { DesiredStream } from './desired-stream.ts';
import { effectsOn, handoverLinks } from './effects.ts';
import { comparableAuthorization, declaredSecret } from './secret.ts';

/** Streams are matched by name, which the service keeps unique, and some have none (public facts 4.3, 4.4). */
const streams: ListedKind<DesiredStream, LiveEventStream> = {
  kind: 'event_streams',
  identity: ['name'],
  keyOf: ({ id, name }) => name || id,
  idOf: (live) => live.id,
  undeclarable: ({ name }) => (name ? null : 'it has no name'),
  protectedAs: ({ name = '' }) => name,
  desiredForm: ({ subscriptions, status, destination }) => ({
    subscriptions: eventTypes(subscriptions),
    ...(status !== undefined && { status }),
    destination: comparableDestination(destination),
  }),
  liveForm: ({ subscriptions, status, destination }) => ({
    subscriptions: eventTypes(subscriptions ?? []),
    status,
    destination: withHeaderKeyFolded(destination),
  }),
  corrections: {
    missing: { operation: createEventStream, correct: createStream },
    different: { operation: updateEventStream, correct: updateStream },
    undeclared: { operation: deleteEventStream, correct: deleteStream },
  },
  secrets: {
    operation: updateEventStream,
    secretOf: ({ destination }) => declaredSecret(destination),
    resend: resendSecret,
  },
};

/** A stream subscribes to a set: neither order nor repetition changes what is delivered. */
function eventTypes(subscriptions: readonly { readonly event_type: string }[]): string[] {
  return [...new Set(subscriptions.map((subscription) => subscription.event_type))].sort();
}

/** The tenant never shows a secret, so a declared one is no difference. */
function comparableDestination(destination: DeclaredDestination): object {
  if (destination.type !== 'webhook') return destination;
  const { type, configuration } = destination;
  const authorization = configuration.webhook_authorization;
  if (authorization === undefined) return destination;
  return withHeaderKeyFolded({
    type,
    configuration: { ...configuration, webhook_authorization: comparableAuthorization(authorization) },
  });
}

/** Names of HTTP headers are case-insensitive. */
function withHeaderKeyFolded<Destination extends { readonly configuration?: object } | undefined>(
  destination: Destination,
): Destination {
  const configuration = destination?.configuration as
    | { readonly webhook_authorization?: { readonly header_key?: unknown } }
    | undefined;
  const authorization = configuration?.webhook_authorization;
  if (typeof authorization?.header_key !== 'string') return destination;
  const folded = { ...authorization, header_key: authorization.header_key.toLowerCase() };
  return { ...destination, configuration: { ...configuration, webhook_authorization: folded } } as Destination;
}

export function decide(input: DecideInput<DesiredStream, LiveEventStream>): Decision {
  const decision = decideListed(streams, input);
  if (decision.actions.length === 0) return decision;
  return { ...decision, ...handoverLinks(decision.actions), effectsOf: effectsOn(input.live) };
}
