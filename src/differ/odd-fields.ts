import type { DecideInput, DesiredItem } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { OddField, Readable } from '../model/reader.ts';
import { listOf } from '../values/list-of.ts';
import type { ListedKind } from './decide-difference.ts';
import { draftFinding } from './draft.ts';

/**
 * Fields of a live item that are not as their schema describes them (docs/internals/adr/0020-tolerant-reading.md):
 * one finding per item, and a note on every action that loses them. Only names are shown, never values.
 */
export function oddFinding(
  kind: string,
  key: string,
  odd: readonly OddField[],
  item: DesiredItem | undefined,
  sentBack: readonly string[] = [],
): Finding {
  const named = (what: OddField['what']) => odd.filter((field) => field.what === what).map(({ field }) => field);
  const [unknown, form] = [named('unknown'), named('form')];
  const staysThere = ({ field, pointer = '' }: OddField) =>
    rootOf(field) === field || (sentBack.includes(pointer) && !field.includes('['));
  const replaced = odd.filter((one) => !staysThere(one)).map(({ field }) => rootOf(field));
  const message = [
    ...(unknown.length > 0 ? [`this version does not know ${namesOf(unknown)}, and does not compare it`] : []),
    ...(form.length > 0 ? [`not of the expected form: ${namesOf(form)}`] : []),
    ...(replaced.length > 0 ? [`an update that sends ${namesOf([...new Set(replaced)])} replaces this`] : []),
  ].join('; ');
  return draftFinding({ code: 'LIVE_UNEXPECTED_FIELD', kind, key, message, source: item?.at('') ?? null });
}

/** The action with a note about the fields that its request replaces or deletes without sending them. */
export function withLossNote(action: Action, odd: readonly OddField[]): Action {
  const { request, notes = [] } = action;
  const replaced = request.body === undefined ? null : Object.keys(request.body);
  const lost = odd.filter(
    ({ field, pointer = '' }) =>
      replaced === null || (replaced.includes(rootOf(field)) && request.live?.includes(pointer) !== true),
  );
  if (lost.length === 0) return action;
  const verb = replaced === null ? 'deletes' : 'replaces';
  const note = `${verb} what is not as this version expects it: ${namesOf(lost.map(({ field }) => field))}`;
  return { ...action, notes: [...notes, note] };
}

/** `destination` of `destination.queue[0]`. */
function rootOf(field: string): string {
  return field.split(/[.[]/, 1)[0] ?? '';
}

const longestName = 100;

function namesOf(fields: readonly string[]): string {
  return listOf(fields.map((name) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name)));
}

/** One finding for each live item with such fields. */
export function oddFindings<Desired extends object, Live extends object>(
  { kind, keyOf, sentBackOf }: ListedKind<Desired, Live>,
  { desired, live }: DecideInput<Desired, Live>,
): Finding[] {
  const odd = live.readable ? [...(live.odd ?? [])] : [];
  if (odd.length === 0) return [];
  const declared = new Map(desired.items.map((item) => [item.key, item]));
  return odd.map(([item, fields]) =>
    oddFinding(kind, keyOf(item), fields, declared.get(keyOf(item)), sentBackOf?.(item)),
  );
}

/** An update or a delete names the id of the item at the end of its path. */
export function noteLosses<Live>(
  actions: readonly Action[],
  { odd = new Map() }: Readable<Live>,
  { idOf }: Pick<ListedKind<never, Live>, 'idOf'>,
): readonly Action[] {
  if (odd.size === 0) return actions;
  const byPathEnd = new Map([...odd].map(([item, fields]) => [`/${encodeURIComponent(idOf(item))}`, fields]));
  return actions.map((action) => {
    const { path } = action.request;
    return withLossNote(action, byPathEnd.get(path.slice(path.lastIndexOf('/'))) ?? []);
  });
}
