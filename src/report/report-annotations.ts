import { type AnnotationText, annotationLines } from './annotation-lines.ts';
import { terminalText } from './harmless.ts';
import type { Item, Report } from './report.ts';

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
