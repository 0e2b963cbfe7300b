import { type FindingTraits, findingTraits } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Finding, Plan } from '../../model/plan.generated.ts';
import { cutSentence } from '../cut-text.ts';
import { changeStatements, fullChangeText } from './change-text.ts';
import { type ItemName, itemName, kindItem } from './items.ts';
import { statedText } from './part-lists.ts';
import { notInFiles, placeOf } from './places.ts';
import type { Level, Row, Sign } from './plan-view.ts';

/** `unsent` is a secret that the change takes from another variable, and that apply does not send. */
export type FindingClass = FindingTraits['about'] | 'unsent';

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

export function findingsOf({ findings }: Pick<Plan, 'findings'>, wanted: FindingClass): Finding[] {
  return findings.filter((finding) => classOf(finding) === wanted);
}

export function classOf(finding: Finding): FindingClass {
  if (finding.severity === 'error') return 'error';
  const { about } = findingTraits(finding);
  return about === 'secret' && finding.changes !== undefined ? 'unsent' : about;
}

/** What a finding is about: an item, or an entire kind. */
export function findingItem({ kind, key }: Pick<Finding, 'kind' | 'key'>, kinds: readonly AnyKind[]): ItemName {
  return key === '*' ? kindItem(kind, kinds) : itemName(kind, key, kinds);
}

export function findingRow(finding: Finding, kinds: readonly AnyKind[], sign: Sign = signs[classOf(finding)]): Row {
  const { kind, key, code, message, changes = [], origin, source, severity } = finding;
  const { noun, name } = findingItem({ kind, key }, kinds);
  const why = cutSentence(message);
  const isUndeclared = source === null && findingTraits(finding).live === 'undeclared';
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
