import type { Diagnostic, Source } from '../model/diagnostic.ts';
import { commandMessage, commandProperty } from './escape.ts';
import { notInFiles, originText } from './view/items.ts';
import { type Annotation, checkFirst, type Level, type PlanView, type Row } from './view/plan-view.ts';
import { cutHint, cutSentence, quantity, shortList } from './wording.ts';

/** One thing that a run found. Texts are not escaped. */
interface Notice extends Pick<Annotation, 'level' | 'code'> {
  readonly source: Source | null;
  readonly lines: readonly string[];
}

/** GitHub shows no more for one job. */
const mostAnnotations = 50;
/** The most lines of a message; the items of a refusal fit. */
const longestMessage = 24;
const levels: readonly Level[] = ['critical', 'error', 'warning', 'notice'];

/** GitHub knows three. */
const commandNames = { critical: 'error', error: 'error', warning: 'warning', notice: 'notice' } as const;

/** Workflow commands, most severe first. Those beyond the limit are counted in the first line. */
export function annotationLines(notices: readonly Notice[]): string {
  const sorted = levels.flatMap((level) => notices.filter((notice) => notice.level === level));
  // The line that counts the others is one of them.
  const shown = sorted.length > mostAnnotations ? mostAnnotations - 1 : sorted.length;
  const [first, ...others] = sorted.slice(shown);
  const line = `${quantity(others.length + 1, 'more annotation')}; see the text report for the complete result`;
  const count = first && { ...first, code: 'tenant-sync', source: null, lines: [line] };
  return [...(count ? [count] : []), ...sorted.slice(0, shown)].map(commandOf).join('');
}

function commandOf({ level, code, source, lines }: Notice): string {
  const places = source === null ? {} : { file: source.file, line: `${source.line}`, col: `${source.column}` };
  const title = level === 'critical' ? `${checkFirst}: ${code}` : code;
  const properties = Object.entries({ ...places, title }).map(([name, value]) => `${name}=${commandProperty(value)}`);
  const shown = shortList(lines, longestMessage, (rest) => `and ${quantity(rest, 'more line')}`);
  return `::${commandNames[level]} ${properties.join(',')}::${commandMessage(shown)}\n`;
}

/** Rows with what they say at their place. */
export function viewNotices({ sections }: PlanView): Notice[] {
  return sections.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const { annotation, source } = row;
      if (annotation === null) return [];
      const { level, code, lines = [] } = annotation;
      return [{ level, code, source, lines: [sentenceOf(row, annotation), ...lines] }];
    }),
  );
}

/** The most names of a sentence. */
const mostNames = 20;

/**
 * The item of a row, what it says of it, and why.
 *
 *   policy client_id:app will be deleted: block above 100/s; not in the files
 */
function sentenceOf(row: Row, { code, says }: Annotation): string {
  const { noun, name, names, verb, what, sentence, place, origin } = row;
  const item = name === '' ? shortList(names, mostNames).join(', ') : name;
  const stated = cutHint(what);
  const start = [noun, item, says === 'what' ? stated : (says ?? '')];
  const reasons = [says === 'what' ? '' : stated, sentence ?? ''];
  if (verb !== null && place === notInFiles) reasons.push(notInFiles);
  const changedBy = originText(origin) && ` (${originText(origin)})`;
  // The title has the code.
  const texts = reasons.map((text) => (text.startsWith(`${code}: `) ? text.slice(code.length + 2) : text));
  return filled([filled(start).join(' '), filled(texts).join('; ')]).join(': ') + changedBy;
}

function filled(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '');
}

export function diagnosticNotice({ severity, code, source, message, hint }: Diagnostic): Notice {
  const hints = hint === undefined ? [] : [`hint: ${cutHint(hint)}`];
  return { level: severity, code, source: source ?? null, lines: [cutSentence(message), ...hints] };
}
