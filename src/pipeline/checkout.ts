import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compareTrees, type Env, gitIn } from '../git/run-git.ts';
import { isCommit } from '../values/commit-id.ts';

export type Checkout = ReturnType<typeof openCheckout>;

/** Questions about the checkout. Every commit in a command is a checked id, and every path is literal. */
export function openCheckout(folder: string, env: Env) {
  const git = gitIn(folder, env);
  /** Lines of the output; null if git failed. */
  const lines = async (...args: readonly string[]) => {
    const result = await git.run(args);
    return result.ok ? result.stdout.toString('utf8').split('\n') : null;
  };
  /** The commit of a ref; null if the checkout lacks it. */
  const commitOf = async (ref: string): Promise<string | null> => {
    const [commit = ''] =
      (await lines('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)) ?? [];
    return isCommit(commit) ? commit : null;
  };
  /** True if a link leads to the path: commits compare the link, and not the files behind it. */
  const isBehindLink = async (path: string): Promise<boolean> => {
    const [root, real] = await Promise.all([folder, join(folder, path)].map((one) => realpath(one).catch(() => null)));
    return root != null && real != null && real !== resolve(root, path);
  };
  return {
    async head(): Promise<string> {
      const commit = await commitOf('HEAD');
      if (commit === null) throw new Error(`${folder} is no checkout of a repository, or git is not installed.`);
      return commit;
    },
    commitOf,
    /** The best common commit; null if there is none, or the checkout lacks it. */
    async mergeBase(one: string, other: string): Promise<string | null> {
      const [base = ''] = (await lines('merge-base', one, other)) ?? [];
      return isCommit(base) ? base : null;
    },
    /** True if one of these paths is not the same in both commits. What cannot be compared differs. */
    async differs(one: string, other: string, paths: readonly string[]): Promise<boolean> {
      if ((await Promise.all(paths.map(isBehindLink))).includes(true)) return true;
      return (await lines(...compareTrees, one, other, '--', ...paths)) === null;
    },
    /** True if the commit has this path, or a link on the way to it. */
    async contains(path: string): Promise<boolean> {
      const names = path.split('/');
      const prefixes = names.map((_name, index) => names.slice(0, index + 1).join('/'));
      const listed = await lines('--literal-pathspecs', 'ls-tree', '--full-tree', 'HEAD', '--', ...prefixes);
      const isFolder = (line: string) => line.startsWith('040000') && !line.endsWith(`\t${path}`);
      return listed === null || listed.some((line) => line !== '' && !isFolder(line));
    },
    isBehindLink,
    isAncestor: async (commit: string) => (await lines('merge-base', '--is-ancestor', commit, 'HEAD')) !== null,
    /** The newest commits of the branch, without what an earlier commit contains. */
    async newest(most: number, without: string | null): Promise<readonly string[]> {
      const range = without === null ? ['HEAD'] : ['HEAD', `^${without}`];
      return ((await lines('rev-list', '--first-parent', `--max-count=${most}`, ...range, '--')) ?? []).filter(
        isCommit,
      );
    },
  };
}
