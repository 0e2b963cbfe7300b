import type { AnyKind } from '../../model/kind.ts';
import type { Finding, Plan } from '../../model/plan.generated.ts';
import { cutSentence } from '../cut-text.ts';
import { changeStatements, fullChangeText } from './change-text.ts';
import { type ItemName, itemName, kindItem } from './items.ts';
import { statedText } from './part-lists.ts';
import { notInFiles, placeOf } from './places.ts';
import type { Level, Row, Sign } from './plan-view.ts';

/**
 * A finding is an error of the files, a difference, an item that is kept, a secret that cannot be compared, one that the
 * change takes from another variable and apply does not send, something else that could not be checked, or a rule of the
 * files that may not be meant as it is written.
 */
export type FindingClass = 'error' | 'difference' | 'kept' | 'secret' | 'unsent' | 'unchecked' | 'rule';

const classes: Readonly<Record<string, FindingClass>> = {
  LIVE_PROTECTED: 'kept',
  LIVE_UNDECLARED: 'kept',
  LIVE_UNMANAGED: 'kept',
  LIVE_UNREADABLE: 'unchecked',
  LIVE_SCOPE_MISSING: 'unchecked',
  LIVE_FORBIDDEN: 'unchecked',
  LIVE_LISTING_INCOMPLETE: 'unchecked',
  LIVE_NOT_CHECKED: 'unchecked',
  LIVE_UNEXPECTED_FIELD: 'unchecked',
  LIVE_SECRET_NOT_COMPARED: 'secret',
  LIVE_NEAR_PERMISSION: 'rule',
  LIVE_NEAR_NAME: 'rule',
};
/** How an annotation shows a severity. */
export const levelOf: Readonly<Record<Finding['severity'], Level>> = {
  note: 'notice',
  warning: 'warning',
  error: 'error',
};
const signs: Readonly<Record<FindingClass, Sign>> = {
  error: 'x',
  difference: '!',
  kept: '=',
  secret: '?',
  unsent: '!',
  unchecked: '?',
  rule: '!',
};
/** The item is on the tenant alone. */
const undeclared: ReadonlySet<string> = new Set(['LIVE_UNDECLARED', 'LIVE_UNDELETABLE', 'LIVE_PROTECTED']);

export function findingsOf({ findings }: Pick<Plan, 'findings'>, wanted: FindingClass): Finding[] {
  return findings.filter((finding) => classOf(finding) === wanted);
}

export function classOf({ code, severity, changes }: Finding): FindingClass {
  if (severity === 'error') return 'error';
  if (code.startsWith('RULE_')) return 'rule';
  const found = Object.hasOwn(classes, code) ? (classes[code] ?? 'difference') : 'difference';
  return found === 'secret' && changes !== undefined ? 'unsent' : found;
}

/** What a finding is about: an item, or an entire kind. */
export function findingItem({ kind, key }: Pick<Finding, 'kind' | 'key'>, kinds: readonly AnyKind[]): ItemName {
  return key === '*' ? kindItem(kind, kinds) : itemName(kind, key, kinds);
}

export function findingRow(finding: Finding, kinds: readonly AnyKind[], sign: Sign = signs[classOf(finding)]): Row {
  const { kind, key, code, message, changes = [], origin, source, severity } = finding;
  const { noun, name } = findingItem({ kind, key }, kinds);
  const why = cutSentence(message);
  const isUndeclared = source === null && undeclared.has(code);
  return {
    sign,
    verb: null,
    kind,
    noun,
    name,
    names: [],
    count: 1,
    ...statedText(changeStatements(changes), []),
    sentence: `${code}: ${why}`,
    place: isUndeclared ? notInFiles : placeOf(source),
    source,
    // Nothing is done about what is kept.
    origin: classOf(finding) === 'kept' ? null : origin,
    texts: [],
    details: changes.map((change) => ({ label: 'differs', text: fullChangeText(change) })),
    isLoss: false,
    annotation: () => ({ level: levelOf[severity], title: code, sentence: `${noun} ${name}: ${why}`, source }),
  };
}
