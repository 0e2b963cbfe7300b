// `{ file: path }` is replaced by a text below the tenant folder. The path comes from a pull request, and the text is
// sent to the tenant, so the path as written must stay below the folder. The FileSource checks links. A checkout has
// credentials in hidden files, such as .git/config and .npmrc, and a file with several names is also one of elsewhere.
import { posix } from 'node:path';
import { didYouMean, openNames } from '../../diagnostics/near-names.ts';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { type FileSource, isHiddenPath, layersOf } from '../../model/file-source.ts';
import { valueAt } from '../../values/json-pointer.ts';
import { memoized } from '../../values/memoized.ts';
import type { FilePlace } from '../declared.ts';
import type { ProblemText, Report } from '../errors/problem.ts';
import { type TakeBytes, tooManyBytesInAll } from '../limits.ts';
import { asWritten, locate } from '../yaml/yaml-file.ts';
import { decodeSource, type Refusal, refusedText } from './read-source.ts';

/** The text that the path at a place in a file refers to; null after a report. Each text is read once. */
export type Resolve = (place: FilePlace) => Promise<SourceText | null>;

/** `referenced` gets the texts, by the paths of their files. */
export function referenceResolver(
  source: FileSource,
  report: Report,
  take: TakeBytes,
  referenced: Map<string, SourceText>,
): Resolve {
  const namesIn = memoized(async (folder: string) =>
    openNames((await source.namesIn(folder)).filter((name) => !isHiddenPath(name))),
  );
  const readTarget = memoized(readText);
  const folders = layersOf(source).map(({ at = '' }) => at);
  const below = (path: string) => path.slice(folders.find((folder) => path.startsWith(folder))?.length);
  return async ({ file, pointer }) => {
    const path = String(valueAt(file.value, pointer));
    // As messages may show it.
    const written = String(asWritten(file, pointer, path));
    const refuse = (text: ProblemText): null => {
      report({ ...text, at: locate(file, pointer).value });
      return null;
    };
    const refused = (reason: Refusal) => refuse(refusedText(reason, JSON.stringify(written)));
    const target = targetOf(file.source.file, path, folders);
    if (target === null) return refused('outside');
    if (below(target) === '') return refused('not_a_file');
    if (isHiddenPath(below(target))) return refused('hidden');
    // Nothing is read any more.
    if (!take(0)) return refuse(tooManyBytesInAll);
    const read = await readTarget(target);
    if (read === null) return null;
    if (typeof read !== 'string') return take(read.text.length) ? read : refuse(tooManyBytesInAll);
    // A suggestion would reveal most of a path that must not be shown.
    if (read !== 'missing' || written !== path) return refused(read);
    const near = (await namesIn(posix.dirname(target))).nearest(posix.basename(target));
    const { hint = '', ...missing } = refusedText(read, JSON.stringify(written));
    return refuse({ ...missing, hint: didYouMean(near) ?? hint });
  };

  async function readText(target: string): Promise<SourceText | Refusal | null> {
    const content = await source.read(target);
    if (!content.ok) return content.reason;
    if (isHiddenPath(below(content.path))) return 'hidden';
    if (content.names !== undefined && content.names > 1) return 'several_names';
    const text = referenced.get(content.path) ?? decodeSource(content.path, content.bytes, report);
    if (text !== null) referenced.set(content.path, text);
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
