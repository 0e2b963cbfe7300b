// `{ file: path }` is replaced by a text below the tenant folder. The path comes from a pull request, and the text is
// sent to the tenant, so the path as written must stay below the folder. The FileSource checks links. A checkout has
// credentials in hidden files, such as .git/config and .npmrc, and a file with several names is also one of elsewhere.
import { posix } from 'node:path';
import { openNames } from '../../diagnostics/near-names.ts';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { type FileSource, isHiddenPath } from '../../model/file-source.ts';
import { memoized } from '../../values/memoized.ts';
import type { ProblemText, Report } from '../errors/problem.ts';
import { type FolderBudget, tooManyCharactersInAll } from '../limits.ts';
import { decodeSource, tooLarge } from './read-source.ts';

/** The text, or why there is none. `null`: the problem is in the text itself and has been reported there. */
export type Referenced = { readonly text: SourceText } | { readonly problem: ProblemText } | null;

/** Resolves the references of one source; each text is read once. `written` is the path as messages may show it. */
export type Resolve = (from: string, path: string, written: string) => Promise<Referenced>;

/** A text that was read, or why not, for the path of a reference. */
type Read = SourceText | null | ((written: string) => ProblemText);

export function referenceResolver(source: FileSource, report: Report, budget: FolderBudget): Resolve {
  const namesIn = memoized(async (folder: string) =>
    openNames((await source.namesIn(folder)).filter((name) => !isHiddenPath(name))),
  );
  const byTarget = new Map<string, Read>();
  const byPath = new Map<string, SourceText | null>();
  return async (from, path, written) => {
    const target = targetOf(from, path);
    if (target === null) return { problem: outside(written) };
    if (target === '.') return { problem: notAFile(written) };
    if (isHiddenPath(target)) return { problem: hidden(written) };
    // Nothing is read any more.
    if (!budget.takeCharacters(0)) return { problem: tooManyCharactersInAll() };
    const known = byTarget.get(target);
    const read = known === undefined ? await readTarget(target) : known;
    byTarget.set(target, read);
    if (read === null) return null;
    if (typeof read !== 'function')
      return budget.takeCharacters(read.text.length) ? { text: read } : { problem: tooManyCharactersInAll() };
    const problem = read(written);
    // A suggestion would reveal most of a path that must not be shown.
    if (problem.code !== 'CONFIG_REFERENCE_MISSING' || written !== path) return { problem };
    const near = (await namesIn(posix.dirname(target))).nearest(posix.basename(target));
    return { problem: missing(written, near) };
  };

  async function readTarget(target: string): Promise<Read> {
    const content = await source.read(target);
    if (!content.ok) return refusals[content.reason](content.detail);
    if (isHiddenPath(content.path)) return hidden;
    if (content.names !== undefined && content.names > 1) return severalNames;
    const known = byPath.get(content.path);
    const text = known === undefined ? decodeSource(content.path, content.bytes, report) : known;
    byPath.set(content.path, text);
    return text;
  }
}

/** The path relative to the tenant folder, or null if it is outside. */
function targetOf(from: string, path: string): string | null {
  if (/^(?:[/~]|[A-Za-z]:)|[\\\u0000]/.test(path)) return null;
  const target = posix.join(posix.dirname(from), path);
  if (target === '..' || target.startsWith('../')) return null;
  return target === './' ? '.' : target;
}

const refusals = {
  outside: () => outside,
  hidden: () => hidden,
  missing: () => (written: string) => missing(written, undefined),
  not_a_file: () => notAFile,
  too_large: (detail: string) => () => tooLarge(detail, 'shorten the file'),
  unreadable: (detail: string) => (written: string) => unreadable(written, detail),
};

function outside(path: string): ProblemText {
  return {
    code: 'CONFIG_REFERENCE_OUTSIDE',
    message: `${JSON.stringify(path)} may point outside the tenant folder. A reference must be a relative path with forward slashes, inside the folder.`,
    hint: 'copy the file into the tenant folder, and write its path relative to this YAML file',
  };
}

function hidden(path: string): ProblemText {
  return {
    code: 'CONFIG_REFERENCE_HIDDEN',
    message: `${JSON.stringify(path)} leads to a file or folder whose name starts with a dot, or into node_modules. A reference cannot read them.`,
    hint: 'copy the text to a file with another name',
  };
}

function severalNames(path: string): ProblemText {
  return {
    code: 'CONFIG_REFERENCE_HARD_LINK',
    message: `${JSON.stringify(path)} has several hard links, so it may be a file from outside the tenant folder.`,
    hint: 'replace it with a copy of its own',
  };
}

function missing(path: string, nearest: string | undefined): ProblemText {
  return {
    code: 'CONFIG_REFERENCE_MISSING',
    message: `The file ${JSON.stringify(path)} does not exist. A reference is relative to the YAML file that contains it.`,
    hint: nearest === undefined ? 'create the file, or correct the path' : `did you mean "${nearest}"?`,
  };
}

function notAFile(path: string): ProblemText {
  return {
    code: 'CONFIG_REFERENCE_NOT_A_FILE',
    message: `${JSON.stringify(path)} is not a regular file.`,
    hint: 'write the path of a file',
  };
}

function unreadable(path: string, detail: string): ProblemText {
  return {
    code: 'CONFIG_FILE_UNREADABLE',
    message: `${JSON.stringify(path)} cannot be read (${detail}).`,
    hint: 'check the permissions of the file',
  };
}
