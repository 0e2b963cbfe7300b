import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError, field, ifForgeFails, type Target, textField } from '../forge.ts';
import { finish, type Job, newerCommit, newerText, targetOf, toolArguments } from '../job.ts';
import {
  backupFolder,
  planFile,
  readOwn,
  readResult,
  reportArguments,
  resultName,
  type StepResult,
  savedPlan,
} from '../results.ts';
import { inShards, SettingError } from '../settings.ts';

/** Part of the tenant could not be read. The rest is still a way back. */
const incomplete = 4;

/** Writes the tenant into files of its own: the way back after an apply. */
export async function backupStep(job: Job): Promise<number> {
  if (job.isProject) {
    job.say('notice', 'The values before are in the saved plans: a project has no other backup.');
    return 0;
  }
  const folder = join(job.results, backupFolder);
  await mkdir(folder, { recursive: true });
  const tenant = field(JSON.parse((await readOwn(join(job.results, planFile))) ?? '{}'), 'tenant');
  const value = (name: string) => textField(tenant, name).replaceAll('${', '$${');
  const header = { tenant: { name: value('name'), base_url: value('base_url'), api: value('api') } };
  // JSON is YAML.
  await writeFile(join(folder, 'tenant.yaml'), `${JSON.stringify(header)}\n`);
  const code = await job.tool(['pull', folder, '--yes']);
  if (code !== incomplete) return code;
  job.say('warning', 'The state before the apply is not complete: part of the tenant could not be read.');
  return 0;
}

/** The same exit code as the tool has for a plan that is not applied. */
const refused = 4;

/** Applies the saved plan, and nothing else. The files may have changed since it was made: a person was asked first. */
export async function applyStep(job: Job): Promise<number> {
  const { settings, results, run } = job;
  if (settings.digest === '') throw new SettingError('There is no digest. Set the input "digest" to that of the plan.');
  const planned = await readResult(results, 'plan');
  if (planned === null) throw new Error(`There is no plan in ${settings.results}.`);
  const newer = await newerCommit(job);
  if (newer !== null) {
    job.say('error', newerText(job, newer));
    return refused;
  }
  const { digest } = settings;
  const commit = await job.checkout.head();
  const target = targetOf(job, planned.baseUrl);
  const isRecorded = !inShards(settings);
  const unknown = isRecorded ? await requireRecord(unknownApply(job, target, planned)) : null;
  if (unknown !== null) {
    const which = unknown.slice(0, 12) || 'an unknown commit';
    job.say(
      'error',
      `Nothing was applied: the plan was made without the apply of ${which}, which ${commit.slice(0, 12)} does not contain. Start all jobs of the run again: they plan everything.`,
    );
    return refused;
  }
  const attempt = isRecorded
    ? await requireRecord(job.forge().recordAttempt({ ...target, commit, digest, branch: run.branch }))
    : null;
  const code = await job.tool([
    'apply',
    ...toolArguments(job),
    ...['--plan', savedPlan(job)],
    ...(settings.wave === '' ? [] : ['--wave', settings.wave]),
    // Not the digest of the artifact: what was shown is bound by the forge, which passes it from job to job.
    ...['--expect', digest],
    '--yes',
    ...reportArguments(job),
    ...['--report', `json=${join(results, resultName(settings))}.json`],
  ]);
  await finish(job, { ...planned, commit, digest, code, attempt });
  // That of a complete apply stays in progress: all waves are done once the outcomes are published.
  const end = code !== 0 ? 'failed' : planned.partial ? 'partial' : null;
  if (attempt !== null && end !== null)
    await ifForgeFails(job.forge().endAttempt(attempt, end), ({ message }) => job.say('warning', message));
  return code;
}

/**
 * The commit of an apply that began after the plan was made, and that is no part of this one; null without one. The plan
 * does not undo it, and would be recorded as the newest state: the next revert of that commit would find nothing to do.
 */
async function unknownApply({ forge, checkout }: Job, target: Target, { newest }: StepResult): Promise<string | null> {
  const { attempts } = await forge().recorded(target);
  // A plan without the record knows none: the newest one decides.
  for (const { commit } of newest === null ? attempts.slice(0, 1) : attempts.filter(({ id }) => id > newest))
    if (!(await checkout.isAncestor(commit, 'HEAD'))) return commit;
  return null;
}

/** Without the record, a later run could take the tenant for one without these changes. */
function requireRecord<Result>(work: Promise<Result>): Promise<Result> {
  return ifForgeFails(work, ({ message }) => {
    throw new ForgeError(`Nothing was applied, because the forge did not record that an apply begins. ${message}`);
  });
}
