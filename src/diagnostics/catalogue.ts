import type { Explanation } from '../model/explanation.generated.ts';

/**
 * The entries of docs/diagnostics.md, which is written for people and is the only source: `### CODE` below a heading of
 * its group, then `- Cause:` and `- Fix:`. A code in the list of another entry is an entry of its own, with the fix and
 * the exit code of the one that lists it.
 */
export function parseCatalogue(document: string): readonly Explanation[] {
  const entries: Explanation[] = [];
  let group = '';
  for (const part of document.split(/^(?=##)/m)) {
    const [, marks = '', title = '', body = ''] = /^(##+) (.+)\n([\s\S]*)$/.exec(part) ?? [];
    if (marks === '##') group = title;
    if (marks === '###') entries.push(...entriesOf(title, group, body));
  }
  return entries;
}

function entriesOf(code: string, group: string, body: string): Explanation[] {
  const bullets = body
    .trim()
    .split(/^- /m)
    .slice(1)
    .map((bullet) => bullet.trimEnd().replaceAll(/\n {2}/g, '\n'));
  const after = (label: string) =>
    bullets
      .find((bullet) => bullet.startsWith(label))
      ?.slice(label.length)
      .trim() ?? '';
  const notes = bullets.filter((bullet) => !/^(Cause|Fix):/.test(bullet));
  const [cause, fix] = [after('Cause:'), after('Fix:')];
  const exit = exitSentences(cause, fix);
  const entry = {
    code,
    group,
    cause: capital(cause),
    fix: capital([withoutExit(fix), ...notes].join('\n\n')),
    exit_code: exit,
  };
  const listed = [...cause.matchAll(/^- `([A-Z_]+)`: ([\s\S]*?)(?=\n- |$(?![\s\S]))/gm)];
  return [entry, ...listed.map(([, inner = '', text = '']) => ({ ...entry, code: inner, cause: capital(text) }))];
}

/** What an entry states about exit codes, or what follows from its severity. */
function exitSentences(cause: string, fix: string): string {
  const stated = [...sentences(cause), ...sentences(fix)].filter((sentence) => /exits? (code|with)/i.test(sentence));
  if (stated.length > 0) return stated.join(' ');
  return /^an error\./i.test(cause)
    ? '`plan` and `apply` exit with 1, `drift` with 2.'
    : 'The exit code does not change.';
}

function withoutExit(fix: string): string {
  return fix.replaceAll(/(^|\s)(?:The exit|Exit)\s+code [\s\S]*?\.(?=\s|$)/g, '').trim();
}

/** Sentences of the first paragraph, in one line each. */
function sentences(text: string): readonly string[] {
  const [first = ''] = text.split('\n\n');
  return first.replaceAll(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z`])/);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
