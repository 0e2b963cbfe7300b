import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { locationText } from '../../diagnostics/source-text.ts';
import { namedKinds } from '../../engine/kind-names.ts';
import { load, selectorProblems } from '../../engine/load.ts';
import { invalid } from '../../engine/results.ts';
import { kinds } from '../../kinds/index.ts';
import { joinLines, jsonText, terminalText } from '../../report/escape.ts';
import { originsOf } from '../../sync/explain-item.ts';
import { pointerPath } from '../../values/json-pointer.ts';
import { parseSelector } from '../../values/selector.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { reportEnd } from '../print-document.ts';
import { fileOptions } from '../run-options.ts';
import { few, targetOf } from '../targets.ts';

/** Prints the places of an item in the files, offline. Their values are not shown, so no secret is. */
export async function explainItem(context: CommandContext, asked: string): Promise<number> {
  const { arguments: options, io, output } = context;
  const target = await targetOf(io, options);
  const { options: files, problems } = fileOptions(io, options, target);
  const [selector = asked] = namedKinds([asked], kinds);
  const wrong = [...problems, ...selectorProblems('--item', selector, kinds)];
  const loaded = wrong.length > 0 ? invalid(wrong) : await load({ ...files, onSecret: output.hide });
  if (loaded.status === 'invalid') return reportEnd(context, loaded);
  const { kind, key } = parseSelector(selector);
  const items = loaded.written.items.filter((item) => item.kind.name === kind);
  const found = items.find(({ item }) => item.key === key);
  if (found === undefined) {
    const keys = items.map(({ item }) => item.key);
    const near = key === null ? undefined : nearestWord(key, keys);
    const hint = didYouMean(near && `${kind}/${near}`) ?? `declared are ${few(keys) || 'none'}; write KIND/KEY`;
    throw invalidOption(`--item ${asked} is not declared.`, hint);
  }
  const { state } = found.item;
  const fields = originsOf(found);
  const tenant = target.tenant?.name ?? null;
  const lines = fields.map(({ field, source, overrides }) => {
    const places = [source, ...overrides].map(locationText).join(', which overrides ');
    return `  ${pointerPath(field).join('.')}: ${places}`;
  });
  const head = [
    `${kind}/${key}`,
    ...(tenant === null ? [] : [`of ${tenant}`]),
    ...(state === 'present' ? [] : [`is ${state}`]),
  ];
  const text = () => joinLines([head.join(' '), ...lines].map(terminalText));
  output.result(options.format === 'json' ? jsonText({ tenant, kind, key, state, fields }) : text());
  return exitCode.done;
}
