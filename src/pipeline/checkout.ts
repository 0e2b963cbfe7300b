import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compareTrees, type Env, gitIn } from '../git/run-git.ts';
import { isCommit } from '../values/commit-id.ts';

/** Questions about the checkout. Every commit in a command is a checked id, and every path is literal. */
export interface Checkout {
  head(): Promise<string>;
  /** The commit of a ref; null if the checkout lacks it. */
  commitOf(ref: string): Promise<string | null>;
  /** The best common commit; null if there is none, or the checkout lacks it. */
  mergeBase(one: string, other: string): Promise<string | null>;
  /** True if one of these paths is not the same in both commits. What cannot be compared differs. */
  differs(one: string, other: string, paths: readonly string[]): Promise<boolean>;
  /** True if the commit has this path, or a link on the way to it. */
  contains(path: string): Promise<boolean>;
  /** True if a link leads to the path: commits compare the link, and not the files behind it. */
  isBehindLink(path: string): Promise<boolean>;
  isAncestor(commit: string): Promise<boolean>;
  /** The newest commits of the branch, without what an earlier commit contains. */
  newest(most: number, without: string | null): Promise<readonly string[]>;
}

export function openCheckout(folder: string, env: Env): Checkout {
  const git = gitIn(folder, env);
  /** Lines of the output; null if git failed. */
  const lines = async (...args: readonly string[]) => {
    const result = await git.run(args);
    return result.ok ? result.stdout.toString('utf8').split('\n') : null;
  };
  const commitOf = async (ref: string) => {
    const [commit = ''] =
      (await lines('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)) ?? [];
    return isCommit(commit) ? commit : null;
  };
  const isBehindLink = async (path: string) => {
    const [root, real] = await Promise.all([folder, join(folder, path)].map((one) => realpath(one).catch(() => null)));
    return root != null && real != null && real !== resolve(root, path);
  };
  return {
    async head() {
      const commit = await commitOf('HEAD');
      if (commit === null) throw new Error(`${folder} is no checkout of a repository, or git is not installed.`);
      return commit;
    },
    commitOf,
    async mergeBase(one, other) {
      const [base = ''] = (await lines('merge-base', one, other)) ?? [];
      return isCommit(base) ? base : null;
    },
    async differs(one, other, paths) {
      if ((await Promise.all(paths.map(isBehindLink))).includes(true)) return true;
      return (await lines(...compareTrees, one, other, '--', ...paths)) === null;
    },
    async contains(path) {
      const names = path.split('/');
      const prefixes = names.map((_name, index) => names.slice(0, index + 1).join('/'));
      const listed = await lines('--literal-pathspecs', 'ls-tree', '--full-tree', 'HEAD', '--', ...prefixes);
      const isFolder = (line: string) => line.startsWith('040000') && !line.endsWith(`\t${path}`);
      return listed === null || listed.some((line) => line !== '' && !isFolder(line));
    },
    isBehindLink,
    isAncestor: async (commit) => (await lines('merge-base', '--is-ancestor', commit, 'HEAD')) !== null,
    async newest(most, without) {
      const range = without === null ? ['HEAD'] : ['HEAD', `^${without}`];
      return ((await lines('rev-list', '--first-parent', `--max-count=${most}`, ...range, '--')) ?? []).filter(
        isCommit,
      );
    },
  };
}
