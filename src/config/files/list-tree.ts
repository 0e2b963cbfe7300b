// Real files and folders first, links after them: a link to what is read anyway adds nothing (and would declare every item
// twice), and a link out of the folder or to a hidden name is refused, because a change to the folder could then read
// anything on the machine, or the credentials of a checkout.
import { type FileListing, isHiddenPath, type ListingProblem } from '../../model/file-source.ts';
import { compareText } from '../../values/text-order.ts';

/** What is at a path below the tenant folder, and is no folder. */
export interface TreeEntry {
  readonly path: string;
  readonly type: 'file' | 'link' | 'other';
}

export interface LinkTarget {
  /** Without links; null outside the folder. */
  readonly path: string | null;
  readonly isFolder: boolean;
}

/**
 * The YAML files among these entries, in text order. `targetOf`: where a link leads in the end; null if nowhere.
 */
export async function listTree(
  entries: Iterable<TreeEntry | ListingProblem>,
  targetOf: (link: string) => LinkTarget | null | Promise<LinkTarget | null>,
): Promise<FileListing> {
  const [files, links, problems]: [string[], string[], ListingProblem[]] = [[], [], []];
  for (const entry of entries) {
    const { path } = entry;
    if ('reason' in entry) problems.push(entry);
    else if (isHiddenPath(path)) continue;
    else if (entry.type === 'link') links.push(path);
    else if (isYaml(path) && entry.type === 'file') files.push(path);
    else if (isYaml(path)) problems.push({ path, reason: 'not_a_file', detail: '' });
  }
  // Without links.
  const known = new Set(files);
  for (const path of links.sort(compareText)) {
    const target = await targetOf(path);
    const reason = refusalOf(path, target);
    if (reason !== null) problems.push({ path, reason, detail: '' });
    // A link that is not followed hides nothing.
    else if (target?.isFolder === false && isYaml(path) && !known.has(target.path ?? '')) {
      files.push(path);
      known.add(target.path ?? '');
    }
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
