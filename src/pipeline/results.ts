import { mkdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { readUnlinkedText } from '../files/safe-file-access.ts';
import { isCommit } from '../values/commit-id.ts';
import type { Checkout } from './checkout.ts';
import { field, listField, textField } from './forge.ts';
import { SettingError, type Settings, type StepName } from './settings.ts';

/** What a step passes to later jobs, as an artifact. A job that reads it treats it as text from others. */
export interface StepResult {
  /** With the number of the wave, if the step applied one of several: `apply-2`. */
  readonly step: string;
  /** Exit code of the tool. */
  readonly code: number;
  /** The commit that was checked out. */
  readonly commit: string;
  readonly baseUrl: string;
  readonly digest: string;
  /** Number of actions of the plan; null without one. */
  readonly actions: number | null;
  /** Of a project: the waves with actions, in order. */
  readonly waves: readonly number[];
  /** Commits of merges since the last apply, newest first. */
  readonly merged: readonly string[];
  /** True if the run was about a part of the files. */
  readonly partial: boolean;
  /** The newest attempt on the record when the plan was made; null if the record could not be read. */
  readonly newest: number | null;
  /** Its state then. */
  readonly newestState: string;
  /** The id of this apply on the record; null without one. */
  readonly attempt: number | null;
}

/** Null if the step did not get as far as a result. */
export async function readResult(folder: string, step: string): Promise<StepResult | null> {
  const text = await readOwn(join(folder, `${step}.result.json`));
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  const numberOrNull = (name: string) => {
    const number = field(value, name);
    return typeof number === 'number' ? number : null;
  };
  const result: StepResult = {
    step,
    code: Number(field(value, 'code')),
    commit: textField(value, 'commit'),
    baseUrl: textField(value, 'baseUrl'),
    digest: textField(value, 'digest'),
    actions: numberOrNull('actions'),
    waves: listField(value, 'waves').filter((wave) => typeof wave === 'number'),
    // Without the word, as after a damaged transfer, nothing is recorded.
    partial: field(value, 'partial') !== false,
    newest: numberOrNull('newest'),
    newestState: textField(value, 'newestState'),
    attempt: numberOrNull('attempt'),
    merged: listField(value, 'merged').flatMap((commit) =>
      typeof commit === 'string' && isCommit(commit) ? [commit] : [],
    ),
  };
  if (!Number.isInteger(result.code) || !isCommit(result.commit))
    throw new Error(`${step}.result.json is not the result of a step of this version.`);
  return result;
}

/** The report of a step as Markdown; null if there is none. */
export function readReport(folder: string, step: string): Promise<string | null> {
  return readOwn(reportPath(folder, step));
}

/** A file of the results. A link could lead to secrets of the job; it is no result. Null if there is none. */
export async function readOwn(path: string): Promise<string | null> {
  return readUnlinkedText(path).catch(() => null);
}

export const planFile = 'plan.json';
const plansFolder = 'plans';
export const backupFolder = 'before';

const moreFiles: Readonly<Partial<Record<StepName, readonly string[]>>> = {
  plan: [planFile, plansFolder, 'changed'],
  backup: [backupFolder],
};

/** What the files of a step are named after: each wave that is applied by itself has files of its own. */
export function resultName({ step, wave }: Pick<Settings, 'step' | 'wave'>): string {
  return wave === '' ? step : `${step}-${wave}`;
}

/** What `plan --out` saves: a file, or the folder of a project. */
export function savedPlan({ results, isProject }: { readonly results: string; readonly isProject: boolean }): string {
  return join(results, isProject ? plansFolder : planFile);
}

/** What a step makes in the folder for results. */
function filesOfStep(settings: Pick<Settings, 'step' | 'wave'>): readonly string[] {
  return [
    ...['md', 'html', 'json', 'env', 'result.json'].map((ending) => `${resultName(settings)}.${ending}`),
    ...(moreFiles[settings.step] ?? []),
  ];
}

export function reportPath(folder: string, step: string): string {
  return join(folder, `${step}.md`);
}

/** Options with which the tool writes the report as Markdown, for comments, and as a page of HTML, for the artifact. */
export function reportArguments({ results, settings }: Pick<ResultsOf, 'results' | 'settings'>): readonly string[] {
  const file = join(results, resultName(settings));
  return ['--report', `markdown=${file}.md`, '--report', `html=${file}.html`];
}

interface ResultsOf {
  readonly checkout: Pick<Checkout, 'contains' | 'head' | 'isBehindLink'>;
  readonly workspace: string;
  readonly results: string;
  readonly settings: Pick<Settings, 'step' | 'wave'>;
}

/**
 * The folder for results has only what steps of this pipeline made: later jobs apply and publish it. So a commit cannot
 * contain it, and a step that fails leaves nothing of an earlier run.
 */
export async function prepareResults({ checkout, workspace, results, settings }: ResultsOf): Promise<void> {
  const path = relative(workspace, results).split(sep).join('/');
  const isInside = path !== '..' && !path.startsWith('../') && path !== results;
  if (isInside && path === '') throw new SettingError('The folder for results is the checkout. Choose another one.');
  if (isInside) {
    await checkout.head();
    // On some systems, a name in another case is this folder as well.
    if ((await checkout.contains(path)) || (await checkout.isBehindLink(path)))
      throw new SettingError(`The commit contains ${path}, the folder for results. Remove it from the repository.`);
  }
  await mkdir(results, { recursive: true });
  for (const file of filesOfStep(settings)) await rm(join(results, file), { recursive: true, force: true });
}
