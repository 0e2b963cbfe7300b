import { finish, type Job, selectionArguments, toolArguments } from '../job.ts';
import { reportArguments } from '../results.ts';

export const inSync = 0;
export const differs = 2;

/** Compares the tenant with the files. */
export async function driftStep(job: Job): Promise<number> {
  const code = await job.tool(['drift', ...toolArguments(job), ...reportArguments(job), ...selectionArguments(job)]);
  await finish(job, { code });
  await job.output('code', String(code));
  return code === differs ? 0 : code;
}
