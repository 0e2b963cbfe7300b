import { didYouMean, openNames } from '../../diagnostics/near-names.ts';
import { nearName } from '../../differ/renames.ts';
import { changesOf } from '../../items/compare.ts';
import { describedKind } from '../../items/described-kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DecideInput, Description, DesiredItem, DesiredSection, Present, ResourceKind } from '../../model/kind.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import { description, fields } from '../../service/event-streams/description.generated.ts';
import type { DeclaredStream, LiveStream } from '../../service/event-streams/types.generated.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { deletionNotes, prepare } from './corrections.ts';
import { delivers, effectsOn, eventsOf, handoverLinks, receiverOf, takingStatuses } from './effects.ts';

/** A stream that the files declare to exist. */
export type DesiredStream = Present<DeclaredStream, 'subscriptions' | 'destination'>;

/** Streams are matched by name, which the service keeps unique, and some have none (public facts 4.3, 4.4). */
const streams = describedKind<DesiredStream, LiveStream>(description, {
  undeclarable: ({ name }) => (name ? null : 'it has no name'),
  isSame,
  prepare,
  deletionNotes,
  summaryOf,
});

/** `old.example on user.created`, with `disabled` before it if nothing is delivered. */
function summaryOf(stream: LiveStream): Description {
  const receiver = receiverOf(stream) ?? 'no destination';
  const lead = (delivers(stream) ? '' : 'disabled, ') + receiver.replace(/^(?:the|a) /, '');
  const parts = eventsOf(stream).map((name) => ({ name }));
  return parts.length === 0 ? { summary: lead } : { parts: [{ lead: `${lead} on`, parts }] };
}

function isLike(declared: DesiredStream, live: object | null): boolean {
  return live !== null && changesOf(fields, declared, live, { isSame }).length === 0;
}

/** Names of HTTP headers are case-insensitive. */
function isSame(field: string, live: unknown, declared: unknown): boolean {
  if (!field.endsWith('.header_key')) return false;
  return typeof live === 'string' && typeof declared === 'string' && live.toLowerCase() === declared.toLowerCase();
}

/** A stream that takes over events has the status with which it does. */
function asTaking({ desired, watched = [] }: DecideInput<DesiredStream, LiveStream>) {
  const statuses = takingStatuses(watched);
  const items = desired.items.map((item) => {
    const status = item.value.status ?? statuses.get(item.key);
    return status === undefined ? item : { ...item, value: { ...item.value, status } };
  });
  return { ...desired, items };
}

/** A warning for each stream that is created while one that is deleted has everything but its name. */
function nearStreams({ items }: DesiredSection<DesiredStream>, actions: readonly Action[]): Finding[] {
  const keys = new Set(actions.filter(({ action }) => action === 'create').map(({ key }) => key));
  const deleted = actions.filter(({ reason }) => reason === 'undeclared');
  // Each is compared with each.
  const created = keys.size * deleted.length > 10_000 ? [] : items.filter(({ key }) => keys.has(key));
  return created.flatMap((item) => {
    const [like, ...others] = deleted.filter(({ before }) => isLike(item.value, before));
    if (like === undefined || others.length > 0) return [];
    return [nearName('event_streams', 'stream', item, like.key, 'with everything else as declared')];
  });
}

const known = fields['subscriptions']?.items?.fields?.['event_type']?.suggestions ?? [];
const names = openNames(known);

/**
 * Warns of an event type that is nearly a known one. Any text is accepted: types are added over time (public facts 4.3),
 * and a new one may differ from another by a short word.
 */
function check(
  { value, at }: DesiredItem<Pick<DeclaredStream, 'subscriptions'>>,
  report: (diagnostic: Diagnostic) => void,
): void {
  for (const [index, { event_type: type }] of (value.subscriptions ?? []).entries()) {
    const hint = known.includes(type) ? undefined : didYouMean(names.nearest(type, 2));
    if (hint === undefined) continue;
    report({
      code: 'CONFIG_UNKNOWN_EVENT_TYPE',
      severity: 'warning',
      message: `This is not a known event type. The tenant may reject it, or never deliver it.`,
      hint,
      source: at(jsonPointer('subscriptions', index, 'event_type')),
    });
  }
}

export const eventStreams: ResourceKind<DesiredStream, LiveStream> = {
  ...streams,
  check,
  pull: { ...streams.pull, isLike: ({ value }, live) => isLike(value as DesiredStream, live) },
  decide(given) {
    const input = { ...given, desired: asTaking(given) };
    const decision = streams.decide(input);
    if (decision.actions.length === 0) return decision;
    const findings = [...decision.findings, ...nearStreams(input.desired, decision.actions)];
    const handover = handoverLinks(decision.actions, input.watched);
    return { ...decision, findings, ...handover, effectsOf: effectsOn(input.live) };
  },
  // A conflict has two causes, and its message is not documented (public facts 4.4).
  fix({ action }, message) {
    const isConflict = action === 'create' && /\b409\b|conflict|already|in use|exist|limit|maximum/i.test(message);
    return isConflict
      ? 'the name is in use or the tenant has reached its limit of event streams: choose another name or delete a stream first'
      : null;
  },
};
