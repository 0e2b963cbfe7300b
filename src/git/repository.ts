import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { shellWord } from '../values/shell-word.ts';
import { BaseProblem } from './base-problem.ts';
import { type Env, firstLine, type Git, type GitRun, gitIn, lineOf } from './run-git.ts';
import { type WorkingTree, workingTreesAround } from './working-tree.ts';

interface Repository {
  readonly git: Git;
  readonly tree: WorkingTree;
}

/** The repository of a folder (real path), unless another one tracks that folder. Throws a BaseProblem. */
export async function repositoryOf(folder: string, env: Env): Promise<Repository> {
  const [tree, ...around] = await workingTreesAround(folder);
  if (tree === undefined) throw noRepository(folder, { ok: false, code: 1, message: 'not a git repository' });
  const git = gitIn(tree.top, env);
  const problem = await mismatch(git, tree);
  if (problem !== null) throw noRepository(folder, problem);
  for (const outer of around) {
    const path = relative(outer.top, tree.top).split(sep).join('/');
    const listed = await gitIn(outer.top, env).run(['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', path]);
    if (!listed.ok || listed.stdout.length === 0) continue;
    // A commit of the outer repository decides which commits the inner one has.
    const message = `The tenant folder is in the submodule ${path}, whose history is not the one of the reviewed files.`;
    throw new BaseProblem('BASE_SUBMODULE', message, 'run in a clone of that repository, or run without --base');
  }
  return { git, tree };
}

/** Why git does not use the repository of a working tree; null if it does. */
async function mismatch(git: Git, { top, gitDir }: WorkingTree): Promise<(GitRun & { readonly ok: false }) | null> {
  const run = await git.run(['rev-parse', '--show-toplevel', '--absolute-git-dir']);
  if (!run.ok) return run;
  const found = await Promise.all(lineOf(run).split(/\r?\n/).map(realPathOf));
  return isDeepStrictEqual(found, [top, gitDir]) ? null : { ok: false, code: 1, message: 'it has no working tree' };
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function noRepository(folder: string, run: GitRun & { readonly ok: false }): BaseProblem {
  const code = 'BASE_NO_REPOSITORY';
  if (run.code === null) {
    const message = `--base needs git, which could not be started: ${firstLine(run.message)}.`;
    return new BaseProblem(code, message, 'install git, or run without --base');
  }
  if (/dubious ownership/.test(run.message)) {
    const message = 'git does not read this repository, because its folder belongs to another user.';
    const owned = /repository at '([^'\n]+)'/.exec(run.message)?.[1] ?? folder;
    const hint = `if you trust the repository, run: git config --global --add safe.directory ${shellWord(owned)}`;
    return new BaseProblem(code, message, hint);
  }
  if (!/not a git repository|work tree|working tree/.test(run.message))
    return new BaseProblem(
      code,
      `git could not read the repository: ${firstLine(run.message)}.`,
      'run git status there',
    );
  const message = 'The tenant folder is not in the working tree of a git repository, so --base has no earlier state.';
  return new BaseProblem(code, message, 'run in a clone of the repository, or without --base');
}
