/** What a reader of Markdown takes for text and markup: the document without its fences and code spans. Fails on a fence that stays open. */
export function markdownOutsideCode(markdown: string): string {
  return withoutSpans(withoutFences(markdown.split('\n')).join('\n'));
}

function withoutFences(lines: readonly string[]): string[] {
  const outside: string[] = [];
  let fence: string | null = null;
  for (const line of lines) {
    const mark: string = /^ {0,3}(`{3,})/.exec(line)?.[1] ?? '';
    if (fence === null && mark !== '' && !line.slice(mark.length).includes('`')) fence = mark;
    else if (fence !== null && mark.length >= fence.length && line.trim() === mark) fence = null;
    else if (fence === null) outside.push(line);
  }
  if (fence !== null) throw new Error('a fence stays open');
  return outside;
}

/** A run of backticks closes with the next run of the same length, within a paragraph; one that never closes is text. */
function withoutSpans(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => {
      const runs = [...paragraph.matchAll(/`+/g)].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
      }));
      let outside = '';
      let from = 0;
      for (const run of runs) {
        if (run.start < from) continue;
        const close = runs.find((other) => other.start > run.start && other.end - other.start === run.end - run.start);
        if (close === undefined) continue;
        outside += `${paragraph.slice(from, run.start)}CODE`;
        from = close.end;
      }
      return outside + paragraph.slice(from);
    })
    .join('\n\n');
}
