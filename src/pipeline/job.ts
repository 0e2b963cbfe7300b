import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCommit } from '../values/commit-id.ts';
import type { Checkout } from './checkout.ts';
import { type Forge, field, type Target, textField } from './forge.ts';
import { readReport, resultName, type StepResult } from './results.ts';
import { type Env, isPartial, type Settings, touchingPaths } from './settings.ts';

export type MessageLevel = 'error' | 'warning' | 'notice';

/** Everything a step works with. */
export interface Job {
  readonly forgeName: 'github' | 'gitlab';
  readonly settings: Settings;
  readonly run: RunContext;
  readonly checkout: Checkout;
  /** The folder of the checkout. */
  readonly workspace: string;
  /** The folder for results, as an absolute path. */
  readonly results: string;
  /** True if the folder has several tenants. */
  readonly isProject: boolean;
  /** Base URL of the tenant; '' in a job without its credentials, and for a project. */
  readonly baseUrl: string;
  /** Throws a SettingError without a token. */
  forge(): Forge;
  /** Runs the tool and returns its exit code. */
  tool(argv: readonly string[]): Promise<number>;
  /** A message on the page of the run; an error for a step that returns another exit code than 0. */
  say(level: MessageLevel, message: string): void;
  /** A value for later steps and jobs. */
  output(name: string, value: string): Promise<void>;
  /** Markdown on the page of the run. */
  summary(markdown: string): Promise<void>;
  sleep(ms: number): Promise<void>;
}

/** Arguments that every command of the tool gets. */
export function toolArguments({ forgeName, isProject, settings }: Job): readonly string[] {
  const { folder, options, tenant } = settings;
  const tenants = isProject ? [tenant === '' ? '--all' : `--tenant=${tenant}`] : [];
  return [folder, '--format', forgeName === 'github' ? 'github' : 'text', ...tenants, ...options];
}

/** Options that limit a plan or comparison to the item that the person who started the run named. */
export function selectionArguments({ settings: { rotate, only } }: Job): readonly string[] {
  const options = { '--rotate': rotate, '--only': only || rotate };
  return Object.entries(options).flatMap(([name, item]) => (item === '' ? [] : [name, item]));
}

export function targetOf({ settings: { environment, folder } }: Job, baseUrl: string): Target {
  return { environment, folder, baseUrl };
}

/**
 * The newest commit of the branch, if its files are not those of the checkout. To plan or apply the checkout, for example
 * in a run that is started again, would undo that commit, or do what was withdrawn from the branch.
 */
export async function newerCommit({ checkout, run, settings, workspace }: Job): Promise<string | null> {
  const tip = await checkout.commitOf(`refs/remotes/origin/${run.branch}`);
  const head = await checkout.head();
  if (tip === null)
    throw new Error(
      `The checkout has no branch "${run.branch}" of origin, so newer files cannot be ruled out: nothing is planned or applied. If the branch has another name now, start a run there. Otherwise fetch all branches.`,
    );
  if (tip === head) return null;
  return (await checkout.differs(head, tip, touchingPaths(settings, workspace))) ? tip : null;
}

/** Why nothing is done. */
export function newerText({ settings }: Job, newer: string): string {
  return `${settings.folder} changed again in ${newer.slice(0, 12)}, whose run plans and applies it.`;
}

/**
 * Writes the result of a step for later jobs, and shows its report on the page of the run. The commit is the one that is
 * checked out, unless it is given.
 */
export async function finish(
  { results, checkout, summary, settings }: Job,
  result: Pick<StepResult, 'code'> & Partial<StepResult>,
): Promise<void> {
  const step = resultName(settings);
  const noPlan = { baseUrl: '', digest: '', actions: null, waves: [], merged: [], newest: null, newestState: '' };
  const partial = isPartial(settings);
  const complete: StepResult = { commit: await checkout.head(), ...noPlan, partial, attempt: null, ...result, step };
  await writeFile(join(results, `${step}.result.json`), `${JSON.stringify(complete, null, 2)}\n`);
  // Valid files have nothing to show.
  if (step !== 'validate' || result.code !== 0) await summary((await readReport(results, step)) ?? '');
  if (complete.partial) await summary(partialText);
}

const partialText =
  'This run was started for a part of the files. It records no commit as applied and closes no drift issue: the rest was not planned.';

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
  /** True if a person started it: everything is planned, and not only what changed. */
  readonly isManual: boolean;
  /** True if it was started manually on another branch than the default one. */
  readonly isElsewhere: boolean;
  /** The commit that people know; null for the one that is checked out. */
  readonly commit: string | null;
  readonly branch: string;
  /** The page of this run. */
  readonly url: string;
}

export async function githubRun(env: Env): Promise<RunContext> {
  const { GITHUB_EVENT_NAME: name, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  const event: unknown = JSON.parse((await readFile(env['GITHUB_EVENT_PATH'] ?? '', 'utf8').catch(() => '')) || '{}');
  const main = textField(field(event, 'repository'), 'default_branch');
  const isManual = name === 'workflow_dispatch';
  const run = {
    branch: env['GITHUB_REF_NAME'] ?? '',
    url: `${server}/${repository}/actions/runs/${env['GITHUB_RUN_ID']}`,
    mayMove: false,
    isManual,
    // Other events of the workflows are limited to branches.
    isElsewhere: isManual && env['GITHUB_REF'] !== `refs/heads/${main}`,
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
      commit: commitOf(textField(field(pull, 'head'), 'sha')),
    };
  }
  if (name === 'merge_group') {
    const base = commitOf(textField(field(event, 'merge_group'), 'base_sha'));
    return { ...run, event: 'review', change: null, base, commit: null };
  }
  return { ...run, event: 'merge', change: null, base: null, commit: null };
}

export function gitlabRun(env: Env): RunContext {
  const run = {
    branch: env['CI_COMMIT_BRANCH'] ?? '',
    url: env['CI_PIPELINE_URL'] ?? '',
    mayMove: false,
    isManual: env['CI_PIPELINE_SOURCE'] === 'web',
    isElsewhere: false,
  };
  const change = positive(Number(env['CI_MERGE_REQUEST_IID']));
  if (change === null) return { ...run, event: 'merge', change, base: null, commit: null };
  // The branch, and not the commit where the change began: the target may have newer commits.
  const base = `refs/remotes/origin/${env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME']}`;
  return { ...run, event: 'review', change, base, commit: commitOf(env['CI_COMMIT_SHA'] ?? '') };
}

function commitOf(text: string): string | null {
  return isCommit(text) ? text : null;
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
