import type { AnyKind } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { shortUrl } from '../../values/short-url.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutSentence } from '../wording.ts';
import { type ActionRow, accessGained, accessLost, holdersOf, withHolders } from './action-rows.ts';
import { groupRow, ofEach, withoutNow } from './group-rows.ts';
import { itemName, placeOf } from './items.ts';
import { bareRow, type Detail, type Row } from './plan-view.ts';
import { sortedRows } from './sections.ts';
import { statedText, statement } from './statements.ts';

const signs = { critical: '!', lost: '-', gained: '+', others: '!' } as const;
const reaches: readonly Effect['reach'][] = ['all', 'group', undefined];

type EffectSection = keyof typeof signs;

/**
 * Rows for the effects that no other row states, for one section: one for all items with the same effect. What reaches the
 * most comes first.
 */
export function effectRows(
  items: readonly ActionRow[],
  kinds: readonly AnyKind[],
  detail: Detail,
): (section: EffectSection) => Row[] {
  const found = items.flatMap((item) =>
    item.actions.flatMap((action) =>
      action.effects.flatMap((effect) =>
        isStated(effect, action, item) ? [] : [{ effect, row: effectRow(effect, item, kinds, detail) }],
      ),
    ),
  );
  return (section) => {
    const own = found.filter(({ effect }) => sectionOf(effect) === section);
    return reaches.flatMap((reach) =>
      sortedRows(sharedRows(own.filter(({ effect }) => effect.reach === reach)), kinds),
    );
  };
}

function sectionOf({ code, severity }: Effect): EffectSection {
  if (severity === 'critical') return 'critical';
  return code === accessLost ? 'lost' : code === accessGained ? 'gained' : 'others';
}

interface EffectRow {
  readonly effect: Effect;
  readonly row: Row;
}

function sharedRows(rows: readonly EffectRow[]): Row[] {
  const same = groupBy(rows, ({ effect: { code }, row: { kind, origin, what, parts } }) =>
    JSON.stringify([code, kind, origin, withoutNow(what), parts]),
  );
  return [...same.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length === 1) return all.map(({ row }) => row);
    const { details, source, annotation } = first.row;
    const sorted = inNaturalOrder(all, ({ row }) => row.name).map(({ row }) => row);
    return [{ ...ofEach(groupRow(sorted)), details, source, annotation }];
  });
}

/** True if the row of the item, or another effect, has it already. */
function isStated(effect: Effect, action: Action, item: ActionRow): boolean {
  const section = sectionOf(effect);
  if (section === 'critical') return false;
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

function effectRow(effect: Effect, { row }: ActionRow, kinds: readonly AnyKind[], detail: Detail): Row {
  const { kind, key, code, severity, source = row.source } = effect;
  return bareRow({
    sign: signs[sectionOf(effect)],
    kind,
    ...itemName(kind, key, kinds),
    ...effectWhat(effect),
    place: effect.source === undefined ? row.place : placeOf(effect.source),
    source,
    origin: row.origin,
    details: detail === 'full' ? [{ label: 'effect', text: code }] : [],
    annotation: severity === 'note' ? null : { level: severity, code, says: 'what' },
  });
}

/** `loses refund:orders of orders.example; assigned to 3 users`: in lists, from the data of the effect. */
function effectWhat(effect: Effect): Pick<Row, 'what' | 'parts'> {
  const { code, message, api, permissions } = effect;
  const verb = code === accessLost ? 'loses' : code === accessGained ? 'gains' : null;
  if (verb === null || api === undefined || permissions === undefined)
    return { what: withHolders(cutSentence(message), effect), parts: [] };
  const parts = permissions.map((name) => ({ name, of: shortUrl(api) }));
  return statedText([statement(verb, parts)], holdersOf(effect));
}
