import { commandMessage, commandProperty, joinLines, terminalText } from './escape.ts';
import { quantity } from './quantity.ts';
import type { Annotation, Item, Level, Report } from './report.ts';

/** A remark with its message; lines are data and not yet harmless. */
export interface AnnotationText extends Annotation {
  readonly lines: readonly string[];
}

/** GitHub shows no more for one job. */
const mostAnnotations = 50;
/** Of one message so many lines are shown; what a guard names fits. */
const longestMessage = 24;
const levels: readonly Level[] = ['error', 'warning', 'notice'];

/**
 * Workflow commands, the most severe first, and below them a summary that is none.
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
          property('file', inFolder(source.file, folder)),
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
    .map(({ level, count }) => quantity(count, level));
  return [
    `::${rest[0]?.level ?? 'notice'} ${property('title', 'tenant-sync')}::${commandMessage([`and ${counts.join(', ')} more; the whole result is in the text report`])}`,
  ];
}

function property(name: string, value: string): string {
  return `${name}=${commandProperty(value)}`;
}

function inFolder(file: string, folder: string): string {
  const prefix = folder.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  return prefix === '' || prefix === '.' ? file : `${prefix}/${file}`;
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= longestMessage) return lines;
  return [...lines.slice(0, longestMessage), `and ${quantity(lines.length - longestMessage, 'more line')}`];
}

/** A report as annotations on the lines of the files, and what has no line below them. */
export function reportAnnotations({ facts, verdict, sections, summary, closing }: Report, folder: string): string {
  const items = sections.flatMap(({ groups }) =>
    groups.flatMap((group) => group.items.flatMap((item) => annotationOf(item, group.title))),
  );
  const notes = sections.flatMap((section) => section.notes);
  return annotationLines(items, folder, [
    terminalText(facts.map(({ label, text }) => `${label}: ${text}`).join('  ')),
    ...(verdict === null ? [] : [terminalText(verdict)]),
    ...sections.map(({ title }) => title),
    ...notes.map(({ label, text }) => `${label}: ${terminalText(text)}`),
    summary,
    ...closing.map(({ label, text }) => terminalText(`${label} ${text}`)),
  ]);
}

/** The place is the annotation's own, so the message does not repeat it. */
function annotationOf({ head, details, annotation }: Item, kind: string): AnnotationText[] {
  if (annotation === null) return [];
  const lines = details
    .filter(({ label }) => label !== 'source')
    .map(({ label, text }) => (label === '' ? text : `${label}: ${text}`));
  return [{ ...annotation, lines: [`${kind}: ${head}`, ...lines] }];
}
