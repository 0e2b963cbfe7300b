import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { locationText } from '../../diagnostics/source-text.ts';
import { load } from '../../engine/load.ts';
import { namedKinds, selectorProblems } from '../../engine/selectors.ts';
import { kinds } from '../../kinds/index.ts';
import type { WrittenItem } from '../../model/desired.ts';
import { joinLines, jsonText, terminalText } from '../../report/escape.ts';
import { isRecord } from '../../values/is-record.ts';
import { jsonPointer, pointerPath, valueAt } from '../../values/json-pointer.ts';
import { parseSelector } from '../../values/selector.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { fileOptions } from '../run-options.ts';
import { few, targetOf } from '../targets.ts';

/** Prints where the files declare an item, offline. No value is shown, so no secret is. */
export async function explainItem(context: CommandContext, asked: string): Promise<number> {
  const { arguments: options, io, output } = context;
  const target = await targetOf(io, options);
  const { options: files, problems } = fileOptions(io, options, target);
  const [selector = asked] = namedKinds([asked], kinds);
  const wrong = [...problems, ...selectorProblems('--item', selector, kinds)];
  if (wrong.length > 0) throw new CommandError(exitCode.invalid, wrong);
  const loaded = await load({ ...files, onSecret: output.hide });
  if (loaded.status === 'invalid') throw new CommandError(exitCode.invalid, loaded.diagnostics, loaded.files);
  const { kind, key } = parseSelector(selector);
  const items = loaded.written.items.filter((item) => item.kind.name === kind);
  const found = items.find(({ item }) => item.key === key);
  if (found === undefined) {
    const keys = items.map(({ item }) => `${kind}/${item.key}`);
    const hint = didYouMean(nearestWord(selector, keys)) ?? `declared: ${few(keys) || 'none of this kind'}`;
    throw invalidOption(`--item ${asked}: the files declare no such item.`, hint);
  }
  const { state } = found.item;
  const [fields, tenant] = [originsOf(found), target.tenant?.name ?? null];
  const lines = fields.map(({ field, source, overrides }) => {
    const places = [source, ...overrides].map(locationText).join(', which overrides ');
    return `  ${pointerPath(field).join('.')}: ${places}`;
  });
  const title = `${selector}${tenant === null ? '' : ` of ${tenant}`}${state === 'present' ? '' : ` is ${state}`}`;
  const shown = { tenant, kind, key, state, fields };
  output.result(options.format === 'json' ? jsonText(shown) : joinLines([title, ...lines].map(terminalText)));
  return exitCode.done;
}

/** Fields, or texts of a prompt, by pointer. Of an item that is not present, only what identifies it counts. */
function originsOf({ kind, item: { state }, places }: WrittenItem) {
  const fields = new Set(places.flatMap(({ value }) => fieldsOf(value, kind.layerDepth ?? 1)));
  const counts = (field: string) =>
    state === 'present' || [state, ...kind.identity].includes(pointerPath(field)[0] ?? '');
  return [...fields].filter(counts).flatMap((field) => {
    const declaring = places.filter(({ value }) => valueAt(value, field) !== undefined);
    const [source, ...overrides] = declaring.map((place) => place.at(field)).reverse();
    return source === undefined ? [] : [{ field, source, overrides }];
  });
}

function fieldsOf(value: unknown, depth: number, pointer = ''): readonly string[] {
  if (depth === 0 || !isRecord(value)) return [pointer];
  return Object.entries(value).flatMap(([name, member]) => fieldsOf(member, depth - 1, pointer + jsonPointer(name)));
}
