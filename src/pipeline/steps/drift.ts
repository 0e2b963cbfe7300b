import { type Job, toolArguments } from '../job.ts';
import { readReport, reportArguments, writeResult } from '../results.ts';

export const inSync = 0;
export const differs = 2;

/** Compares the tenant with the files. */
export async function driftStep(job: Job): Promise<number> {
  const { settings, results, checkout } = job;
  const code = await job.tool(['drift', ...toolArguments(job), ...reportArguments(results, 'drift')]);
  await writeResult(results, { step: 'drift', code, folder: settings.folder, commit: await checkout.head() });
  await job.summary((await readReport(results, 'drift')) ?? '');
  await job.output('code', String(code));
  return code === differs ? 0 : code;
}
