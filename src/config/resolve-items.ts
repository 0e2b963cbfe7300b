import type { SourceText } from '../diagnostics/source-text.ts';
import type { DesiredItem } from '../model/kind.ts';
import { asWritten } from './as-written.ts';
import { type Declared, desiredItem, type Texts, withValueAt } from './desired-item.ts';
import type { Report } from './fault.ts';
import type { Resolve } from './files/file-reference.ts';
import type { JoinedSection } from './join-sections.ts';
import { locate, segmentsOf } from './locate.ts';
import { memberOf } from './member-of.ts';

/** An item as the kind sees it, and where the files declare it. */
export interface ResolvedItem {
  readonly item: DesiredItem;
  readonly declared: Declared;
}

/** The items of a section with the texts of other files in their places. An item of which a text is missing is left out. */
export async function resolveItems(
  joined: JoinedSection,
  resolve: Resolve,
  keep: (text: SourceText) => void,
  report: Report,
): Promise<readonly ResolvedItem[]> {
  const items: ResolvedItem[] = [];
  for (const declared of joined.declared) {
    const pointers = joined.kind.fileReferences?.(declared.value) ?? [];
    const texts = pointers.length === 0 ? null : await textsOf(declared, pointers, resolve, report);
    if (texts?.size !== undefined && texts.size < pointers.length) continue;
    for (const text of texts?.values() ?? []) keep(text);
    items.push({
      item: desiredItem(declared, texts === null ? declared.value : withTexts(declared.value, texts), texts),
      declared,
    });
  }
  return items;
}

async function textsOf(
  declared: Declared,
  pointers: readonly string[],
  resolve: Resolve,
  report: Report,
): Promise<Texts> {
  const texts = new Map<string, SourceText>();
  for (const pointer of pointers) {
    const path = segmentsOf(`${pointer}/file`).reduce(memberOf, declared.value);
    const written = asWritten(declared.file, `${declared.pointer}${pointer}/file`, path);
    const resolved = await resolve(declared.file.source.file, String(path), String(written));
    if (resolved === null) continue;
    if ('text' in resolved) texts.set(pointer, resolved.text);
    else report({ ...resolved.fault, at: locate(declared.file, `${declared.pointer}${pointer}/file`).value });
  }
  return texts;
}

function withTexts(value: unknown, texts: Texts): unknown {
  let result = value;
  for (const [pointer, text] of texts) result = withValueAt(result, segmentsOf(pointer), text.text);
  return result;
}
