import { didYouMean, openNames } from '../../diagnostics/near-names.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredItem } from '../../model/kind.ts';
import { fields } from '../../service/event-streams/fields.generated.ts';
import type { DeclaredEventStream } from '../../service/event-streams/types.generated.ts';
import { jsonPointer } from '../../values/json-pointer.ts';

const known = fields['subscriptions']?.items?.fields?.['event_type']?.suggestions ?? [];
const names = openNames(known);

/**
 * Warns of an event type that is nearly a known one. Any text is accepted: types are added over time (public facts 4.3),
 * and a new one may differ from another by a short word.
 */
export function check(
  { value, at }: DesiredItem<Pick<DeclaredEventStream, 'subscriptions'>>,
  report: (diagnostic: Diagnostic) => void,
): void {
  for (const [index, { event_type: type }] of (value.subscriptions ?? []).entries()) {
    const hint = known.includes(type) ? undefined : didYouMean(names.nearest(type, 2));
    if (hint === undefined) continue;
    report({
      code: 'CONFIG_UNKNOWN_EVENT_TYPE',
      severity: 'warning',
      message: `"${type}" is not a known event type. The tenant may reject it, or never deliver it.`,
      hint,
      source: at(jsonPointer('subscriptions', index, 'event_type')),
    });
  }
}
