import { mostBytes } from '../config/files/read-regular-file.ts';
import type { VariableFile } from '../config/variables/variables.ts';
import type { FileContent } from '../model/file-source.ts';
import { BaseProblem, notFetched } from './base-problem.ts';
import { followLinks } from './follow-links.ts';
import { compareTrees, type Git, type GitObjects } from './run-git.ts';
import type { TreeFile } from './tree-source.ts';

/** A commit, and how it is read. */
export interface Revision {
  readonly git: Git;
  readonly commit: string;
  readonly objects: GitObjects;
}

/** The path of the tenant folder in the base, without links; null if the base lacks it. */
export async function baseFolder(at: Revision, written: string | null): Promise<string | null> {
  const path = written === null ? 'outside' : await realPathAt(at, written);
  if (path !== 'outside') return path;
  const message = 'At the base, the tenant folder is a link that leads out of the repository.';
  throw new BaseProblem('BASE_NO_REPOSITORY', message, 'run without --base until this change is merged');
}

/** A path in a commit, without links; null if the commit lacks it. */
async function realPathAt({ git, commit, objects }: Revision, written: string): Promise<string | null | 'outside'> {
  const walk = followLinks([], written);
  let step = walk.next();
  while (step.done !== true) {
    const path = step.value.path.join('/');
    const entry = await entryAt(git, commit, path);
    if (entry === null) return null;
    if (entry.mode === '160000' && step.value.left.length > 0) {
      const message = `At the base, ${path} is a submodule, whose files are in another repository.`;
      throw new BaseProblem('BASE_SUBMODULE', message, 'run without --base until this change is merged');
    }
    step = walk.next(entry.mode === '120000' ? await linkText(objects, path, entry.id) : null);
  }
  return typeof step.value === 'string' ? 'outside' : step.value.join('/');
}

/** Everything below a folder of a commit. A submodule there is an empty folder. */
export async function filesBelow({ git, commit }: Revision, folder: string): Promise<readonly TreeFile[]> {
  const entry = folder === '' ? null : await entryAt(git, commit, folder);
  if (folder !== '' && entry?.mode !== '040000') return [];
  const tree = entry?.id ?? `${commit}^{tree}`;
  const listed = await git.run(['ls-tree', '-r', '-z', '-l', '--full-tree', tree]);
  if (!listed.ok) throw notFetched(listed.message);
  return listed.stdout
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map(treeFile);
}

/** Throws a BaseProblem for a submodule at or below a folder now: no commit of this repository has its files. */
export async function checkSubmodules(git: Git, folder: string): Promise<void> {
  const below = ['-z', '--', ...(folder === '' ? [] : [folder])];
  for (const list of [
    ['ls-tree', '-r', '--full-tree', 'HEAD'],
    ['ls-files', '--stage'],
  ]) {
    const listed = await git.run(['--literal-pathspecs', ...list, ...below]);
    if (!listed.ok) throw notFetched(listed.message);
    const [, path] = /(?:^|\0)160000 [^\t]*\t([^\0]+)/.exec(listed.stdout.toString()) ?? [];
    if (path === undefined) continue;
    const message = `The tenant folder has the submodule ${path}, whose files are in another repository.`;
    throw new BaseProblem('BASE_SUBMODULE', message, 'move it out of the tenant folder, or run without --base');
  }
}

/** True if a path, or something below it, is not the same in both commits. What cannot be compared differs. */
export async function differs(git: Git, one: string, other: string, paths: readonly string[]): Promise<boolean> {
  if (one === other) return false;
  // The top of the repository is everything.
  const limits = paths.includes('') ? [] : paths;
  return !(await git.run([...compareTrees, one, other, '--', ...limits])).ok;
}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

async function entryAt(git: Git, commit: string, path: string): Promise<Entry | null> {
  const listed = await git.run(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', path]);
  if (!listed.ok) throw notFetched(listed.message);
  const [, mode, id] = /^(\d{6}) \w+ ([0-9a-f]+)\t/.exec(listed.stdout.toString()) ?? [];
  return mode === undefined || id === undefined ? null : { mode, id };
}

/** `<mode> <type> <id> <size>`, a tab and the path. The size of a submodule is `-`, and of a missing object `BAD`. */
function treeFile(line: string): TreeFile {
  const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
  if (mode === undefined || id === undefined || size === undefined || path === undefined) throw notFetched(line);
  const type = mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
  return { path, type, id, size: size === '-' ? 0 : Number(size) };
}

/** In bytes; longer than any path of a file system. */
const longestLink = 5000;

/** Texts of the links, by path. Longer ones lead nowhere. */
export async function linkTexts(files: readonly TreeFile[], objects: GitObjects): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, type, id, size } of files) {
    if (type !== 'link' || size > longestLink) continue;
    texts.set(path, await linkText(objects, path, id));
  }
  return texts;
}

async function linkText(objects: GitObjects, path: string, id: string): Promise<string> {
  const text = await objects.read(id);
  if (text === null) throw notFetched(`the link ${path}`);
  return text.toString();
}

/** A file of values at the base, under the name that reports show; none if the commit lacks it. */
export async function variableFileAt(at: Revision, written: string, name: string): Promise<readonly VariableFile[]> {
  const path = await realPathAt(at, written);
  if (path === 'outside') return [{ path: name, read: async () => ({ ok: false, reason: 'outside', detail: '' }) }];
  const entry = path === null || path === '' ? null : await entryAt(at.git, at.commit, path);
  if (entry === null) return [];
  const read = async (): Promise<FileContent> => {
    if (!entry.mode.startsWith('100')) return { ok: false, reason: 'not_a_file', detail: '' };
    const bytes = await at.objects.read(entry.id);
    if (bytes === null) return { ok: false, reason: 'unreadable', detail: 'this clone lacks the object' };
    if (bytes.length > mostBytes) return { ok: false, reason: 'too_large', detail: String(bytes.length) };
    return { ok: true, path: name, bytes };
  };
  return [{ path: name, read }];
}
