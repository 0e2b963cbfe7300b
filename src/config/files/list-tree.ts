// Real files and folders first, links after them: a link to what is read anyway adds nothing (and would declare every item
// twice), and a link out of the folder or to a hidden name is refused, because a change to the folder could then read
// anything on the machine, or the credentials of a checkout.
import { type FileListing, isHiddenPath, type ListingProblem } from '../../model/file-source.ts';
import { compareText } from '../../values/text-order.ts';

/** The files of a folder, wherever they are stored. Paths are below the folder, which is ''. */
export interface FileTree {
  /** The members of a folder that is not a link, or why they cannot be listed. */
  entriesOf(folder: string): readonly TreeEntry[] | { readonly unreadable: string };
  /** Where a link leads in the end; null if nowhere. */
  targetOf(link: string): LinkTarget | null | Promise<LinkTarget | null>;
}

export interface TreeEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

export interface LinkTarget {
  /** Without links; null outside the folder. */
  readonly path: string | null;
  readonly isFolder: boolean;
}

/** The YAML files of a tree, sorted by code point. */
export async function listTree(tree: FileTree): Promise<FileListing> {
  const [files, links, problems]: [string[], string[], ListingProblem[]] = [[], [], []];
  const visit = (folder: string): void => {
    const entries = tree.entriesOf(folder);
    if ('unreadable' in entries)
      return void problems.push({
        path: folder === '' ? '.' : folder,
        reason: 'unreadable',
        detail: entries.unreadable,
      });
    for (const { name, type } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (isHiddenPath(name)) continue;
      if (type === 'link') links.push(path);
      else if (type === 'folder') visit(path);
      else if (isYaml(path) && type === 'file') files.push(path);
      else if (isYaml(path)) problems.push({ path, reason: 'not_a_file', detail: '' });
    }
  };
  visit('');
  // Without links.
  const known = new Set(files);
  for (const path of links.sort(compareText)) {
    const target = await tree.targetOf(path);
    const reason = refusalOf(path, target);
    if (reason !== null) problems.push({ path, reason, detail: '' });
    else if (target?.isFolder === false && isYaml(path) && !known.has(target.path ?? '')) files.push(path);
    known.add(target?.path ?? '');
  }
  return { files: files.sort(compareText), problems };
}

/** Why a link is an error. What is in a folder is read without it, or not meant to be read. */
function refusalOf(link: string, target: LinkTarget | null): ListingProblem['reason'] | null {
  if (target?.isFolder !== true && !isYaml(link)) return null;
  if (target === null) return 'missing';
  if (target.path === null) return 'outside';
  // A file of a folder with a dot may be linked on purpose; a file with a dot, and what git or a package manager keeps, is not.
  const names = target.path.split('/');
  const shown = target.isFolder ? target.path : (names.at(-1) ?? '');
  return isHiddenPath(shown) || names.includes('.git') || names.includes('node_modules') ? 'hidden' : null;
}

export function isYaml(file: string): boolean {
  return file.endsWith('.yaml') || file.endsWith('.yml');
}
