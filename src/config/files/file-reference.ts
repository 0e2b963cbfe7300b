// `{ file: path }` is replaced by a text below the tenant folder. The path comes from a pull request, and the text is
// sent to the tenant, so the path as written must stay below the folder. The FileSource checks links. A checkout has
// credentials in hidden files, such as .git/config and .npmrc, and a file with several names is also one of elsewhere.
import { posix } from 'node:path';
import { didYouMean, openNames } from '../../diagnostics/near-names.ts';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { type FileSource, isHiddenPath, layersOf } from '../../model/file-source.ts';
import { memoized } from '../../values/memoized.ts';
import type { ProblemText, Report } from '../errors/problem.ts';
import { type TakeBytes, tooManyBytesInAll } from '../limits.ts';
import { decodeSource, type Refusal, refusedText } from './read-source.ts';

/** The text, or why there is none. `null`: the problem is in the text itself and has been reported there. */
export type Referenced = { readonly text: SourceText } | { readonly problem: ProblemText } | null;

/** Resolves the references of one source; each text is read once. `written` is the path as messages may show it. */
export type Resolve = (from: string, path: string, written: string) => Promise<Referenced>;

export function referenceResolver(source: FileSource, report: Report, take: TakeBytes): Resolve {
  const namesIn = memoized(async (folder: string) =>
    openNames((await source.namesIn(folder)).filter((name) => !isHiddenPath(name))),
  );
  const readTarget = memoized(readText);
  const byPath = new Map<string, SourceText | null>();
  const folders = layersOf(source).map(({ at = '' }) => at);
  const below = (path: string) => path.slice(folders.find((folder) => path.startsWith(folder))?.length);
  return async (from, path, written) => {
    const target = targetOf(from, path, folders);
    if (target === null) return refused('outside', written);
    if (below(target) === '') return refused('not_a_file', written);
    if (isHiddenPath(below(target))) return refused('hidden', written);
    // Nothing is read any more.
    if (!take(0)) return { problem: tooManyBytesInAll };
    const read = await readTarget(target);
    if (read === null) return null;
    if ('text' in read) return take(read.text.length) ? { text: read } : { problem: tooManyBytesInAll };
    // A suggestion would reveal most of a path that must not be shown.
    if (read.reason !== 'missing' || written !== path) return refused(read.reason, written);
    const names = await namesIn(posix.dirname(target));
    return refused('missing', written, didYouMean(names.nearest(posix.basename(target))));
  };

  async function readText(target: string): Promise<SourceText | null | { readonly reason: Refusal }> {
    const content = await source.read(target);
    if (!content.ok) return { reason: content.reason };
    if (isHiddenPath(below(content.path))) return { reason: 'hidden' };
    if (content.names !== undefined && content.names > 1) return { reason: 'several_names' };
    const known = byPath.get(content.path);
    const text = known === undefined ? decodeSource(content.path, content.bytes, report) : known;
    byPath.set(content.path, text);
    return text;
  }
}

/** The path of what is referred to, or null if it is in none of the folders. */
function targetOf(from: string, path: string, folders: readonly string[]): string | null {
  if (/^(?:[/~]|[A-Za-z]:)|[\\\u0000]/.test(path)) return null;
  const joined = posix.join(posix.dirname(from), path);
  const target = folders.find((folder) => posix.relative(folder, joined) === '') ?? joined;
  const isInside = folders.some((folder) => target.startsWith(folder));
  return isInside && target !== '..' && !target.startsWith('../') ? target : null;
}

/** `path` as messages may show it. */
function refused(reason: Refusal, path: string, hint?: string): { readonly problem: ProblemText } {
  const text = refusedText(reason, JSON.stringify(path));
  return { problem: hint === undefined ? text : { ...text, hint } };
}
