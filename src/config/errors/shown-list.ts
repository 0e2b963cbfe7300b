// The first problems of one file. "First" is the order of the file, not the order in which problems are found.
import { makeExcerpt, tokenEnd } from '../../diagnostics/make-excerpt.ts';
import { compareDiagnostics } from '../../diagnostics/sort-diagnostics.ts';
import { offsetOf, type Place, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { Diagnostic, Excerpt, Source } from '../../model/diagnostic.ts';

/** The most errors, and the most warnings, that are shown for one file. */
export const mostShown = 100;
/** Problems of a file that are kept before those that are not shown are dropped. */
const mostKept = 4 * mostShown;

export type Severity = Diagnostic['severity'];
export type Complete = (diagnostic: Diagnostic) => Diagnostic;
export type Texts = ReadonlyMap<string, SourceText>;

export interface Found {
  readonly diagnostic: Diagnostic;
  readonly at?: Place;
  readonly above?: readonly Place[];
  /** What is left to do for a diagnostic that is shown. */
  readonly complete?: Complete;
}

/** The first problems of one file and severity. Diagnostics without a place are all kept. */
export interface ShownList {
  put(found: Found): void;
  countOnly(at: () => Source): boolean;
  /** How many are shown if no others are found. */
  shown(): number;
  /** How many there are, and the first of them. */
  total(): { readonly count: number; readonly first: Source | undefined };
  finish(texts: Texts): Diagnostic[];
}

export function openShownList(severity: Severity): ShownList {
  let kept: Found[] = [];
  let dropped = 0;
  let firstDropped: Source | undefined;
  /** The last one that is shown, once there are too many. */
  let last: Source | undefined;

  const drop = (source: Source) => {
    dropped += 1;
    if (firstDropped === undefined || comparePlaces(source, firstDropped) < 0) firstDropped = source;
  };

  const shorten = () => {
    const sorted = kept.sort((left, right) => compareDiagnostics(left.diagnostic, right.diagnostic));
    const distinct = sorted.filter(({ diagnostic }, index) => {
      const previous = sorted[index - 1];
      return previous === undefined || compareDiagnostics(previous.diagnostic, diagnostic) !== 0;
    });
    kept = [];
    for (const found of distinct) {
      const { source } = found.diagnostic;
      if (kept.length < mostShown || source === undefined || found.diagnostic.count !== undefined) kept.push(found);
      else drop(source);
    }
    last = kept.length < mostShown ? undefined : kept.at(-1)?.diagnostic.source;
  };

  const countOnly = (at: () => Source) => {
    if (last === undefined) return false;
    const source = at();
    if (comparePlaces(source, last) <= 0) return false;
    drop(source);
    return true;
  };

  return {
    put(found) {
      const { source, count } = found.diagnostic;
      if (source !== undefined && count === undefined && countOnly(() => source)) return;
      kept.push(found);
      if (kept.length >= mostKept && source !== undefined) shorten();
    },
    countOnly,
    shown() {
      shorten();
      return kept.length;
    },
    total() {
      shorten();
      const count = kept.reduce((sum, { diagnostic }) => sum + (diagnostic.count ?? 1), dropped);
      return { count, first: kept[0]?.diagnostic.source ?? firstDropped };
    },
    finish(texts) {
      shorten();
      const shown = kept.map((found) => completed(found, texts));
      return firstDropped === undefined ? shown : [...shown, notShown(dropped, severity, firstDropped, texts)];
    },
  };
}

function comparePlaces(left: Source, right: Source): number {
  return left.line - right.line || left.column - right.column;
}

function completed({ diagnostic, at, above = [], complete }: Found, texts: Texts): Diagnostic {
  if (at === undefined) return withExcerpt(complete?.(diagnostic) ?? diagnostic, texts);
  const { source, start, end } = at;
  if (source.text === '') return diagnostic;
  return { ...diagnostic, excerpt: { ...makeExcerpt(source, start, end), ...linesAbove(above, at) } };
}

/** Each line once, in the order of the file. */
function linesAbove(places: readonly Place[], at: Place): Pick<Excerpt, 'above'> {
  const own = sourceOf(at).line;
  const lines = new Map<number, string>();
  for (const { source, start, end } of places) {
    const { line, text } = makeExcerpt(source, start, end);
    if (line < own) lines.set(line, text);
  }
  if (lines.size === 0) return {};
  return { above: [...lines].sort(([one], [other]) => one - other).map(([line, text]) => ({ line, text })) };
}

function withExcerpt(diagnostic: Diagnostic, texts: Texts): Diagnostic {
  const { source } = diagnostic;
  const text = source === undefined ? undefined : texts.get(source.file);
  if (source === undefined || text === undefined || diagnostic.excerpt !== undefined) return diagnostic;
  const start = offsetOf(text, source);
  return { ...diagnostic, excerpt: makeExcerpt(text, start, tokenEnd(text.text, start)) };
}

function notShown(count: number, severity: Severity, source: Source, texts: Texts): Diagnostic {
  const noun = count === 1 ? severity : `${severity}s`;
  const diagnostic: Diagnostic = {
    code: 'CONFIG_MORE_PROBLEMS',
    severity,
    message: `And ${count.toLocaleString('en-US')} more ${noun} from here on. The first ${mostShown} ${severity}s of a file are shown.`,
    hint: `fix the ${severity}s above and run the command again`,
    source,
    count,
  };
  return withExcerpt(diagnostic, texts);
}
