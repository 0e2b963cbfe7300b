import { decideListed, type ListedKind } from '../../differ/decide-listed.ts';
import type { DecideInput, Decision } from '../../model/kind.ts';
import type { DeclaredEventStream, LiveEventStream } from './types.generated.ts';

/** Streams are matched by name. No available operation writes one, so every difference is a finding. */
const streams: ListedKind<DeclaredEventStream, LiveEventStream> = {
  kind: 'event_streams',
  keyOf: (live) => live.name,
  idOf: (live) => live.id,
  protectedAs: (live) => live.name,
  desiredForm: ({ subscriptions, destination }) => ({ subscriptions: eventTypes(subscriptions), destination }),
  liveForm: ({ subscriptions, destination }) => ({ subscriptions: eventTypes(subscriptions ?? []), destination }),
  corrections: {},
};

/** A stream subscribes to a set: neither order nor repetition changes what is delivered. */
function eventTypes(subscriptions: readonly { readonly event_type: string }[]): string[] {
  return [...new Set(subscriptions.map((subscription) => subscription.event_type))].sort();
}

export function decide(input: DecideInput<DeclaredEventStream, LiveEventStream>): Decision {
  return decideListed(streams, input);
}
