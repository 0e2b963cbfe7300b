import { readFile } from 'node:fs/promises';
import { isCommit } from '../values/commit-id.ts';
import { field, textField } from './fields.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Why a pipeline runs, as its forge describes it. */
export interface RunContext {
  /** review: of a change that is not merged. merge: of the default branch. */
  readonly event: 'review' | 'merge';
  /** The pull request under review; null without one, as in a merge queue. */
  readonly change: number | null;
  /** The commit or ref that a review compares with; null after a merge. */
  readonly base: string | null;
  /** True if the review may end with another base: what it compares with is not the branch that is applied. */
  readonly mayMove: boolean;
  /** True if it was started by hand on another branch than the default one. */
  readonly isElsewhere: boolean;
  /** The commit that people know; null for the one that is checked out. */
  readonly commit: string | null;
  readonly branch: string;
  /** The page of this run. */
  readonly url: string;
}

export async function githubRun(env: Environment): Promise<RunContext> {
  const { GITHUB_EVENT_NAME: name, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  const event: unknown = JSON.parse((await readFile(env['GITHUB_EVENT_PATH'] ?? '', 'utf8').catch(() => '')) || '{}');
  const main = textField(field(event, 'repository'), 'default_branch');
  const run = {
    branch: env['GITHUB_REF_NAME'] ?? '',
    url: `${server}/${repository}/actions/runs/${env['GITHUB_RUN_ID']}`,
    mayMove: false,
    // Other events of the workflows are limited to branches.
    isElsewhere: name === 'workflow_dispatch' && env['GITHUB_REF'] !== `refs/heads/${main}`,
  };
  if (name === 'pull_request') {
    const pull = field(event, 'pull_request');
    const base = `refs/remotes/origin/${env['GITHUB_BASE_REF']}`;
    return {
      ...run,
      event: 'review',
      change: positive(field(pull, 'number')),
      base,
      // The check of a commit is kept when the base of its pull request changes.
      mayMove: env['GITHUB_BASE_REF'] !== main,
      commit: shaOf(field(pull, 'head')),
    };
  }
  if (name === 'merge_group') {
    const base = commitOf(textField(field(event, 'merge_group'), 'base_sha'));
    return { ...run, event: 'review', change: null, base, commit: null };
  }
  return { ...run, event: 'merge', change: null, base: null, commit: null };
}

export function gitlabRun(env: Environment): RunContext {
  const run = {
    branch: env['CI_COMMIT_BRANCH'] ?? '',
    url: env['CI_PIPELINE_URL'] ?? '',
    mayMove: false,
    isElsewhere: false,
  };
  const change = positive(Number(env['CI_MERGE_REQUEST_IID']));
  if (change === null) return { ...run, event: 'merge', change, base: null, commit: null };
  // The branch, and not the commit where the change began: the target may have newer commits.
  const base = `refs/remotes/origin/${env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME']}`;
  return { ...run, event: 'review', change, base, commit: commitOf(env['CI_COMMIT_SHA'] ?? '') };
}

function shaOf(value: unknown): string | null {
  return commitOf(textField(value, 'sha'));
}

function commitOf(text: string): string | null {
  return isCommit(text) ? text : null;
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
