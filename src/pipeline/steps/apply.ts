import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beginAttempt, endAttempt, startAgain, textOf } from '../attempts.ts';
import { type Attempt, ForgeError, field, ifForgeFails, textField } from '../forge.ts';
import { finish, type Job, newerCommit, newerText, targetOf, toolArguments } from '../job.ts';
import { backupFolder, planFile, readOwn, readResult, reportArguments, resultName, savedPlan } from '../results.ts';
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
const failed = 1;

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
  const attempt = { ...target, commit, digest, branch: run.branch };
  const begun = isRecorded ? await requireRecord(beginAttempt(job.forge(), attempt, planned)) : { id: null };
  if ('missed' in begun) {
    job.say('error', `Nothing was applied: ${begun.missed}. ${startAgain}`);
    return refused;
  }
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
  await finish(job, { ...planned, commit, digest, code, attempt: begun.id });
  const isAlone = begun.id === null || (await endAlone(job, attempt, begun.id, code));
  return code === 0 && !isAlone ? failed : code;
}

/** False with a message if another apply began meanwhile. What was sent counts even if the forge does not record the end. */
async function endAlone({ forge, say }: Job, attempt: Attempt, id: number, code: number): Promise<boolean> {
  // An apply of all files is done once the outcomes of all waves are published.
  const ending = endAttempt(forge(), attempt, id, code === 0 ? 'ended' : 'failed');
  const newer = await ifForgeFails(ending, ({ message }) => {
    say('warning', message);
    return null;
  });
  if (newer === null) return true;
  say(
    'error',
    `The apply of ${textOf(newer)} began while this one wrote to the tenant, so the tenant may have parts of both. Start a run of the newest commit: it plans everything.`,
  );
  return false;
}

/** Without the record, a later run could take the tenant for one without these changes. */
function requireRecord<Result>(work: Promise<Result>): Promise<Result> {
  return ifForgeFails(work, ({ message }) => {
    throw new ForgeError(`Nothing was applied, because the forge did not record that an apply begins. ${message}`);
  });
}
