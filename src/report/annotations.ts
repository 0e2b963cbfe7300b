import { commandMessage, commandProperty, joinLines, terminalText } from './escape.ts';
import type { Annotation, Item, Level, Report } from './report.ts';
import { repositoryPath } from './repository-path.ts';
import { quantity } from './wording.ts';

/** An annotation with its message; lines are not yet escaped. */
export interface AnnotationText extends Annotation {
  readonly lines: readonly string[];
}

/** GitHub shows no more for one job. */
const mostAnnotations = 50;
/** The most lines of a message; the items of a refusal fit. */
const longestMessage = 24;
const levels: readonly Level[] = ['error', 'warning', 'notice'];

/**
 * Workflow commands, most severe first, followed by a plain summary.
 * `folder` is the folder of the files, relative to the repository; '' when it is the repository itself.
 */
export function annotationLines(
  annotations: readonly AnnotationText[],
  folder: string,
  summary: readonly string[],
): string {
  const sorted = levels.flatMap((level) => annotations.filter((annotation) => annotation.level === level));
  const commands = sorted.slice(0, mostAnnotations).map((annotation) => commandOf(annotation, folder));
  return (
    [...commands, ...restCommand(sorted.slice(mostAnnotations))].map((command) => `${command}\n`).join('') +
    joinLines(summary)
  );
}

function commandOf({ level, title, source, lines }: AnnotationText, folder: string): string {
  const place =
    source === null
      ? []
      : [
          property('file', repositoryPath(source.file, folder)),
          property('line', `${source.line}`),
          property('col', `${source.column}`),
        ];
  return `::${level} ${[...place, property('title', title)].join(',')}::${commandMessage(shortened(lines))}`;
}

function restCommand(rest: readonly AnnotationText[]): string[] {
  if (rest.length === 0) return [];
  const counts = levels
    .map((level) => ({ level, count: rest.filter((annotation) => annotation.level === level).length }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => quantity(count, `more ${level}`));
  return [
    `::${rest[0]?.level ?? 'notice'} ${property('title', 'tenant-sync')}::${commandMessage([`${counts.join(', ')}; see the text report for the complete result`])}`,
  ];
}

function property(name: string, value: string): string {
  return `${name}=${commandProperty(value)}`;
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= longestMessage) return lines;
  return [...lines.slice(0, longestMessage), `and ${quantity(lines.length - longestMessage, 'more line')}`];
}

/** A report as annotations on lines of the files, followed by everything without a line. */
export function reportAnnotations({ facts, conclusion, sections, summary, closing }: Report, folder: string): string {
  const items = sections.flatMap(({ groups }) =>
    groups.flatMap((group) => group.items.flatMap((item) => annotationOf(item, group.title))),
  );
  const notes = sections.flatMap((section) => section.notes);
  return annotationLines(items, folder, [
    terminalText(facts.map(({ label, text }) => `${label}: ${text}`).join('  ')),
    ...(conclusion === null ? [] : [terminalText(conclusion)]),
    ...sections.map(({ title }) => title),
    ...notes.map(({ label, text }) => `${label}: ${terminalText(text)}`),
    summary,
    ...closing.map(({ label, text }) => terminalText(`${label} ${text}`)),
  ]);
}

/** The annotation has the place, so the message does not repeat it. */
function annotationOf({ head, details, annotation }: Item, kind: string): AnnotationText[] {
  if (annotation === null) return [];
  const lines = details
    .filter(({ label }) => label !== 'source')
    .map(({ label, text }) => (label === '' ? text : `${label}: ${text}`));
  return [{ ...annotation, lines: [`${kind}: ${head}`, ...lines] }];
}
