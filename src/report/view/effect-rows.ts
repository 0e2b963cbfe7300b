import type { AnyKind } from '../../model/kind.ts';
import type { Effect } from '../../model/plan.generated.ts';
import { shortUrl } from '../../values/short-url.ts';
import { cutSentence } from '../cut-text.ts';
import type { ActionRow } from './action-rows.ts';
import { itemName } from './items.ts';
import { placeOf } from './places.ts';
import type { Level, Row } from './plan-view.ts';

/** Consequences of a plan, by the section that lists them. */
export interface EffectRows {
  readonly lost: readonly Row[];
  readonly gained: readonly Row[];
  readonly others: readonly Row[];
}

/** Effects about access have sections of their own. */
const access: Readonly<Record<string, 'lost' | 'gained'>> = {
  ACCESS_LOST: 'lost',
  ACCESS_GAINED: 'gained',
};
const levels: Readonly<Record<Effect['severity'], Level>> = { note: 'notice', warning: 'warning', error: 'error' };

/**
 * One row for each effect. What an item loses or gains by its own actions is left out where the row of the item states
 * it.
 */
export function effectRows(items: readonly ActionRow[], kinds: readonly AnyKind[]): EffectRows {
  const rows = { lost: [] as Row[], gained: [] as Row[], others: [] as Row[] };
  for (const item of items)
    for (const action of item.actions)
      for (const effect of action.effects) {
        const section = Object.hasOwn(access, effect.code) ? (access[effect.code] ?? 'others') : 'others';
        const isOwn = effect.kind === action.kind && effect.key === action.key;
        if (section !== 'others' && isOwn && item.access !== null) continue;
        rows[section].push(effectRow(effect, item, kinds, section !== 'others'));
      }
  const severe = (row: Row) => (row.sign === '!' ? 0 : 1);
  return { ...rows, others: rows.others.toSorted((one, other) => severe(one) - severe(other)) };
}

function effectRow(effect: Effect, { row }: ActionRow, kinds: readonly AnyKind[], isAccess: boolean): Row {
  const { kind, key, code, message, severity } = effect;
  const { noun, name } = itemName(kind, key, kinds);
  const sentence = cutSentence(message);
  const source = effect.source ?? row.source;
  return {
    sign: isAccess ? (access[code] === 'lost' ? '-' : '+') : severity === 'note' ? '=' : '!',
    verb: null,
    kind,
    noun,
    name,
    names: [],
    count: 1,
    what: isAccess ? accessText(effect) : sentence,
    sentence: null,
    place: effect.source === undefined ? row.place : placeOf(source),
    source,
    origin: row.origin,
    texts: [],
    details: [{ label: 'effect', text: code }],
    isLoss: false,
    annotation: severity === 'note' ? null : { level: levels[severity], title: code, sentence, source },
  };
}

/** The section states whether it is lost or gained. */
function accessText({ message, api, permissions }: Effect): string {
  return cutSentence(
    api === undefined || permissions === undefined ? message : `${permissions.join(', ')} of ${shortUrl(api)}`,
  );
}
