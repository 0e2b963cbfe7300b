import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { commitOf, differs, type Env, gitIn, lineOf, linesOf } from '../git/run-git.ts';
import { isCommit } from '../values/commit-id.ts';

export type Checkout = ReturnType<typeof openCheckout>;

/** Questions about the checkout. Every commit in a command is a checked id, and every path is literal. */
export function openCheckout(folder: string, env: Env) {
  const git = gitIn(folder, env);
  /** True if a link leads to the path: commits compare the link, and not the files behind it. */
  const isBehindLink = async (path: string): Promise<boolean> => {
    const [root, real] = await Promise.all([folder, join(folder, path)].map((one) => realpath(one).catch(() => null)));
    return root != null && real != null && real !== resolve(root, path);
  };
  return {
    async head(): Promise<string> {
      const commit = await commitOf(git, 'HEAD');
      if (commit === null) throw new Error(`${folder} is no checkout of a repository, or git is not installed.`);
      return commit;
    },
    commitOf: (ref: string) => commitOf(git, ref),
    /** The best common commit; null if there is none, or the checkout lacks it. */
    async mergeBase(one: string, other: string): Promise<string | null> {
      const [base = ''] = await linesOf(git, ['merge-base', one, other]);
      return isCommit(base) ? base : null;
    },
    /** True if one of these paths is not the same in both commits. What cannot be compared differs. */
    differs: async (one: string, other: string, paths: readonly string[]): Promise<boolean> =>
      (await Promise.all(paths.map(isBehindLink))).includes(true) || differs(git, one, other, paths),
    /** True if the commit has this path, or a link on the way to it. */
    async contains(path: string): Promise<boolean> {
      const names = path.split('/');
      const prefixes = names.map((_name, index) => names.slice(0, index + 1).join('/'));
      const listed = await git.run(['--literal-pathspecs', 'ls-tree', '--full-tree', 'HEAD', '--', ...prefixes]);
      const isFolder = (line: string) => line.startsWith('040000') && !line.endsWith(`\t${path}`);
      return (
        !listed.ok ||
        lineOf(listed)
          .split('\n')
          .some((line) => line !== '' && !isFolder(line))
      );
    },
    isBehindLink,
    isAncestor: async (commit: string, of: string) => (await git.run(['merge-base', '--is-ancestor', commit, of])).ok,
    /** The newest commits of the branch, without what an earlier commit contains. */
    async newest(most: number, without: string | null): Promise<readonly string[]> {
      const range = without === null ? ['HEAD'] : ['HEAD', `^${without}`];
      const found = await linesOf(git, ['rev-list', '--first-parent', `--max-count=${most}`, ...range, '--']);
      return found.filter(isCommit);
    },
  };
}
