import type { Documents, ReportDocument } from './document.ts';

/** What is before, between and after documents. */
type Frame = readonly [start: string, between: string, end: string];

export function* framed(
  [start, between, end]: Frame,
  documents: Documents,
  textOf: (document: ReportDocument) => string,
) {
  let separator = start;
  for (const document of documents) {
    yield separator;
    yield textOf(document);
    separator = between;
  }
  yield end;
}

/** The pieces as one text. */
export async function joined(pieces: Iterable<string> | AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
