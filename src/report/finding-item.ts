import type { Finding } from '../model/plan.generated.ts';
import { changeText, sourceDetails } from './action-item.ts';
import { cutName, cutSentence } from './cut-text.ts';
import type { Item, Level, Sign } from './report.ts';

/** What a finding says: that something differs, was kept on purpose, or could not be checked. */
export type FindingClass = 'difference' | 'kept' | 'unchecked';

const classes: Readonly<Record<string, FindingClass>> = {
  LIVE_PROTECTED: 'kept',
  LIVE_UNDECLARED: 'kept',
  LIVE_UNREADABLE: 'unchecked',
  LIVE_SCOPE_MISSING: 'unchecked',
  LIVE_FORBIDDEN: 'unchecked',
  LIVE_LISTING_INCOMPLETE: 'unchecked',
  LIVE_NOT_CHECKED: 'unchecked',
  LIVE_SECRET_NOT_COMPARED: 'unchecked',
};
/** What nobody can change today, or wanted so; the other findings ask for somebody. */
const calm: ReadonlySet<string> = new Set([
  'LIVE_PROTECTED',
  'LIVE_UNREADABLE',
  'LIVE_NOT_CHECKED',
  'LIVE_SECRET_NOT_COMPARED',
]);
const signs: Readonly<Record<FindingClass, Sign>> = { difference: '!', kept: '=', unchecked: '?' };

export function classOf({ code }: Finding): FindingClass {
  return Object.hasOwn(classes, code) ? (classes[code] ?? 'difference') : 'difference';
}

export function findingItem(finding: Finding, sign: Sign = signs[classOf(finding)]): Item {
  const level: Level = calm.has(finding.code) ? 'notice' : 'warning';
  return {
    sign,
    head: `${finding.code} ${finding.key === '*' ? 'the whole kind' : cutName(finding.key)}`,
    details: [
      { label: 'why', text: cutSentence(finding.message) },
      ...(finding.changes ?? []).map((change) => ({ label: 'differs', text: changeText(change) })),
      ...sourceDetails(finding.source),
    ],
    annotation: { level, title: finding.code, source: finding.source },
  };
}
