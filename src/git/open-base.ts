import { realpath } from 'node:fs/promises';
import { posix, relative, sep } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileSource, VariableFile } from '../model/file-source.ts';
import { checkRef, mergeBase } from './base-commit.ts';
import { BaseProblem, checkSubmodules, pathInTree, repositoryOf } from './repository.ts';
import { baseFolder, differs, type Revision, treeSource, variableFileAt } from './revision.ts';

export interface OpenBaseOptions {
  /** The tenant folder, absolute. */
  readonly folder: string;
  /** A branch, a tag or a commit; the base is its merge base with HEAD. */
  readonly ref: string;
  /** To find git and its settings; git gets nothing else of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files of values beside the folder, as they are now. In the repository of the folder, they are read at the base. */
  readonly variableFiles?: readonly { readonly absolute: string; readonly now: VariableFile }[];
}

/** The files of the tenant folder at an earlier commit. */
export interface OpenedBase {
  readonly status: 'opened';
  readonly ref: string;
  readonly commit: string;
  /** True if commits of the ref that HEAD lacks change the files. */
  readonly isBehind: boolean;
  readonly files: FileSource;
  /** A folder below, with the same rules: a layer of a project. */
  readonly layer: (name: string) => Promise<FileSource>;
  /** Without those that the commit lacks. */
  readonly variableFiles: readonly VariableFile[];
  /** Ends the process that reads objects. */
  close(): void;
}

/**
 * Opens the merge base of `ref` and HEAD with git plumbing: no checkout, no hooks, no network. A folder that the commit
 * lacks has no files.
 */
export async function openBase(
  options: OpenBaseOptions,
): Promise<OpenedBase | { readonly status: 'invalid'; readonly diagnostics: readonly Diagnostic[] }> {
  return open(options).catch((error: unknown) => {
    if (error instanceof BaseProblem) return { status: 'invalid', diagnostics: [error.diagnostic] };
    throw error;
  });
}

async function open({ folder: given, ref, env, variableFiles = [] }: OpenBaseOptions): Promise<OpenedBase> {
  checkRef(ref);
  const folder = await realpath(given).catch(() => {
    const message = 'The tenant folder does not exist, so --base has no earlier state of it.';
    throw new BaseProblem('BASE_NO_REPOSITORY', message, 'pass the path of the folder that contains the YAML files');
  });
  const { git, tree } = await repositoryOf(folder, env);
  const { commit, tip, ref: taken } = await mergeBase(git, ref);
  await checkSubmodules(git, relative(tree.top, folder).split(sep).join('/'));
  const objects = git.openObjects();
  const at: Revision = { git, commit, objects };
  try {
    const written = await pathInTree(tree, given);
    const prefix = await baseFolder(at, written);
    const files = await treeSource(at, prefix);
    const others: VariableFile[] = [];
    const paths = [prefix ?? written ?? ''];
    for (const { absolute, now } of variableFiles) {
      const path = await pathInTree(tree, absolute);
      if (path === null) others.push(now);
      else {
        others.push(...(await variableFileAt(at, path, now.path)));
        paths.push(path);
      }
    }
    return {
      status: 'opened',
      ref: taken,
      commit,
      isBehind: await differs(git, commit, tip, paths),
      files,
      layer: async (name) => treeSource(at, await baseFolder(at, written === null ? null : posix.join(written, name))),
      variableFiles: others,
      close: () => objects.close(),
    };
  } catch (error) {
    objects.close();
    throw error;
  }
}
