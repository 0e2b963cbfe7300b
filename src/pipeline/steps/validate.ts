import { join } from 'node:path';
import { type Job, toolArguments } from '../job.ts';
import { readReport, reportPath, writeCodeQuality, writeResult } from '../results.ts';
import { touchingPaths } from '../touching-paths.ts';
import { noPlan } from './no-plan.ts';

/** Checks the files offline, and decides whether a plan is needed. */
export async function validateStep(job: Job): Promise<number> {
  const { settings, results, checkout } = job;
  await job.output('touched', String(await isTouched(job)));
  const json = join(results, 'validate.json');
  const reports = ['--report', `markdown=${reportPath(results, 'validate')}`, '--report', `json=${json}`];
  const code = await job.tool(['validate', ...toolArguments(job), ...reports]);
  await writeCodeQuality(job, json);
  const commit = await checkout.head();
  await writeResult(results, { ...noPlan, step: 'validate', code, folder: settings.folder, commit });
  if (code !== 0) await job.summary((await readReport(results, 'validate')) ?? '');
  return code;
}

/** True if the change under review may change the plan. What cannot be compared may. */
async function isTouched({ run, settings, checkout, workspace }: Job): Promise<boolean> {
  if (run.mayMove) return true;
  const target = run.base === null ? null : await checkout.commitOf(run.base);
  const base = target === null ? null : await checkout.mergeBase(target, 'HEAD');
  return base === null || checkout.differs(base, 'HEAD', touchingPaths(settings, workspace));
}
