import { join } from 'node:path';
import { type Job, toolArguments } from '../job.ts';
import { newerCommit, newerText } from '../newer-commit.ts';
import { outcomesFile, planFile, readReport, readResult, reportArguments, writeResult } from '../results.ts';
import { SettingError } from '../settings.ts';

/** The same exit code as the tool has for a plan that is not applied. */
const refused = 4;

/** Applies the saved plan, and nothing else. The files may have changed since it was made: a person was asked first. */
export async function applyStep(job: Job): Promise<number> {
  const { settings, results } = job;
  if (settings.digest === '') throw new SettingError('There is no digest. Set the input "digest" to that of the plan.');
  const planned = await readResult(results, 'plan');
  if (planned === null) throw new Error(`There is no plan in ${settings.results}.`);
  const newer = await newerCommit(job);
  if (newer !== null) {
    job.fail(newerText(job, newer));
    return refused;
  }
  const code = await job.tool([
    'apply',
    ...toolArguments(job),
    ...['--plan', join(results, planFile)],
    // Not the digest of the artifact: what was shown is bound by the forge, which passes it from job to job.
    ...['--expect', settings.digest],
    '--yes',
    ...reportArguments(results, 'apply'),
    ...['--report', `json=${join(results, outcomesFile)}`],
  ]);
  await writeResult(results, { ...planned, step: 'apply', code });
  await job.summary((await readReport(results, 'apply')) ?? '');
  return code;
}
