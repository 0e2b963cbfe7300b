import type { AnyKind } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { accessGained, accessLost, effectWhat } from './access.ts';
import type { ActionRow, Detail } from './action-rows.ts';
import { levelOf } from './findings.ts';
import { itemName } from './items.ts';
import { placeOf } from './places.ts';
import type { Row, Sign } from './plan-view.ts';
import { bareRow } from './sections.ts';

/** Consequences of a plan, by the section that lists them. */
export interface EffectRows {
  readonly lost: readonly Row[];
  readonly gained: readonly Row[];
  /** Warnings, in groups: the most severe first, and of these what reaches the most. The full form has notes as well. */
  readonly others: readonly (readonly Row[])[];
}

/** One row for each effect that no other row states. */
export function effectRows(items: readonly ActionRow[], kinds: readonly AnyKind[], detail: Detail): EffectRows {
  const rows = { lost: [] as Row[], gained: [] as Row[] };
  const others = severities.flatMap(() => reaches.map((): Row[] => []));
  for (const item of items)
    for (const action of item.actions)
      for (const effect of action.effects) {
        const section = sectionOf(effect);
        if (isStated(effect, action, item)) continue;
        const list = section === 'others' ? others[urgencyOf(effect)] : rows[section];
        list?.push(effectRow(effect, item, kinds, signs[section], detail));
      }
  return { ...rows, others };
}

const severities: readonly Effect['severity'][] = ['error', 'warning', 'note'];
const reaches: readonly Effect['reach'][] = ['all', 'group', undefined];

function urgencyOf({ severity, reach }: Effect): number {
  return severities.indexOf(severity) * reaches.length + reaches.indexOf(reach);
}

const signs: Readonly<Record<keyof EffectRows, Sign>> = { lost: '-', gained: '+', others: '!' };

function sectionOf({ code }: Effect): keyof EffectRows {
  return code === accessLost ? 'lost' : code === accessGained ? 'gained' : 'others';
}

/** True if the row of the item, or another effect, has it already. */
function isStated(effect: Effect, action: Action, item: ActionRow): boolean {
  const section = sectionOf(effect);
  if (section === 'others' && effect.severity === 'note') return true;
  if (effect.kind !== action.kind || effect.key !== action.key) return false;
  if (section !== 'others') return item.states.includes(section);
  return repeating.has(effect.code) || (effect.code === 'ROLE_DELETED' && action.effects.some(isLoss));
}

/** The rows of their actions have the same. */
const repeating: ReadonlySet<string> = new Set(['SCOPE_REMOVED', 'STREAM_DELETED']);

function isLoss({ code }: Effect): boolean {
  return code === accessLost;
}

function effectRow(effect: Effect, { row }: ActionRow, kinds: readonly AnyKind[], sign: Sign, detail: Detail): Row {
  const { kind, key, code, severity, source = row.source } = effect;
  const { noun, name } = itemName(kind, key, kinds);
  return bareRow({
    sign,
    kind,
    noun,
    name,
    ...effectWhat(effect),
    place: effect.source === undefined ? row.place : placeOf(effect.source),
    source,
    origin: row.origin,
    details: detail === 'full' ? [{ label: 'effect', text: code }] : [],
    annotation:
      severity === 'note'
        ? null
        : () => ({ level: levelOf[severity], title: code, sentence: effectSentence(effect, kinds), source }),
  });
}

/** `policy client_id:app falls back to default: …`: the item and what happens to it. */
export function effectSentence(effect: Effect, kinds: readonly AnyKind[]): string {
  const { noun, name } = itemName(effect.kind, effect.key, kinds);
  return `${noun} ${name} ${effectWhat(effect).what}`;
}
