import type { Source } from './diagnostic.ts';

/**
 * The files of one tenant: a folder, a git revision, several layers, or texts in memory. Paths begin with `at` and have
 * forward slashes on every system.
 */
export interface FileSource {
  /** Where messages and documents find the tenant folder: '' (default), or a path with a final slash. */
  readonly at?: string;
  /** The folders of a tenant that has several, each under its own path; of what several declare, a later one counts. */
  readonly layers?: readonly FileSource[];
  /** True if what is known of its files is kept, for other tenants of the run or for another load. */
  readonly isKept?: boolean;
  /** What the project says of the tenant, and where: it replaces what a header says. */
  readonly entry?: {
    readonly values: { readonly name: string; readonly base_url?: string; readonly state?: 'database' };
    readonly source: Source;
    /** Where it requires a database. */
    readonly stateAt?: Source;
    /** What it approves, in addition to the header. */
    readonly approvals: readonly ProjectApproval[];
    readonly file: ProjectText;
  };
  /**
   * The YAML files, in text order, without dot-folders and `node_modules`; null when the tenant folder does not exist.
   */
  list(): Promise<FileListing | null>;
  /**
   * One file, YAML or not. Must not read anything outside the tenant folder, nor a file of more than 4,000,000 bytes.
   */
  read(path: string): Promise<FileContent>;
  /** Names of the files in a folder, to suggest a spelling; empty when they are not known. */
  namesIn(folder: string): Promise<readonly string[]>;
}

/** The file that makes a folder a project. */
export const projectFile = 'tenant-sync.yaml';

/** That file. */
export interface ProjectText {
  readonly file: string;
  readonly text: string;
}

/** A code for a tenant, and its place in the project. */
export interface ProjectApproval {
  readonly tenant: string;
  readonly code: string;
  readonly source: Source;
}

export interface FileListing {
  readonly files: readonly string[];
  readonly problems: readonly ListingProblem[];
}

/**
 * Why a read failed.
 *
 * - `missing`: there is no such file, or a link leads to none
 * - `outside`: a link leads out of the tenant folder
 * - `hidden`: a link leads to a file whose name starts with a dot, or into `.git` or `node_modules`
 * - `not_a_file`: a folder, a pipe or a device
 * - `too_large`: `detail` is the size in bytes
 * - `unreadable`: `detail` is the error code of the file system, such as `EACCES`
 */
export type ReadFailure = 'missing' | 'outside' | 'hidden' | 'not_a_file' | 'too_large' | 'unreadable';

/** An entry that cannot be listed. `unreadable` is a folder whose entries cannot be listed. */
export interface ListingProblem {
  readonly path: string;
  readonly reason: Exclude<ReadFailure, 'too_large'>;
  readonly detail: string;
}

export type FileContent =
  /** `path` is the canonical path of the file, without links; `names` is the number of its hard links, default: 1. */
  | { readonly ok: true; readonly path: string; readonly bytes: Uint8Array; readonly names?: number }
  | { readonly ok: false; readonly reason: ReadFailure; readonly detail: string };

export function layersOf(source: FileSource): readonly FileSource[] {
  return source.layers ?? [source];
}

/** The same files, under paths that begin with `at`. */
export function filesAt(at: string, source: FileSource): FileSource {
  const below = (path: string) => (path.startsWith(at) ? path.slice(at.length) : '..');
  return {
    at,
    list: async () => {
      const listing = await source.list();
      if (listing === null) return null;
      const problems = listing.problems.map((problem) => ({ ...problem, path: at + problem.path }));
      return { files: listing.files.map((file) => at + file), problems };
    },
    read: async (path) => {
      const content = await source.read(below(path));
      return content.ok ? { ...content, path: at + content.path } : content;
    },
    namesIn: (folder) => source.namesIn(below(`${folder}/`)),
  };
}

/** True for a path with a part that is not searched for files, and that no reference may name. */
export function isHiddenPath(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.') || name === 'node_modules');
}

/** A file of values outside the tenant's own files. `path` is its name in messages. */
export interface VariableFile {
  readonly path: string;
  read(): Promise<FileContent>;
}
