import { mkdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Checkout } from './checkout.ts';
import { filesOfStep } from './results.ts';
import { SettingError, type StepName } from './settings.ts';

interface ResultsOf {
  readonly checkout: Pick<Checkout, 'contains' | 'head' | 'isBehindLink'>;
  readonly workspace: string;
  readonly results: string;
  readonly step: StepName;
}

/**
 * The folder for results has only what steps of this pipeline made: later jobs apply and publish it. So a commit cannot
 * contain it, and a step that fails leaves nothing of an earlier run.
 */
export async function prepareResults({ checkout, workspace, results, step }: ResultsOf): Promise<void> {
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
  for (const file of filesOfStep(step)) await rm(join(results, file), { recursive: true, force: true });
}
