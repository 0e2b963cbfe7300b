import { appendFile, cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { markdownCode } from '../../report/escape.ts';
import { textOf } from '../attempts.ts';
import { field, ifForgeFails, listField, numberField, type Recorded, textField } from '../forge.ts';
import { finish, type Job, newerCommit, newerText, selectionArguments, targetOf, toolArguments } from '../job.ts';
import { readOwn, readReport, reportArguments, reportPath, savedPlan } from '../results.ts';
import { inShards, isPartial, type Settings, touchingPaths } from '../settings.ts';

/** Checks the files offline, and decides whether a plan is needed. */
export async function validateStep(job: Job): Promise<number> {
  await job.output('touched', String(await isTouched(job, job.settings)));
  await job.output('folder', String(await isTouched(job, { ...job.settings, paths: [] })));
  const report = ['--report', `markdown=${reportPath(job.results, 'validate')}`];
  const code = await job.tool(['validate', ...toolArguments(job), ...report]);
  await finish(job, { code });
  return code;
}

export const inSync = 0;
export const differs = 2;

/** Compares the tenant with the files. */
export async function driftStep(job: Job): Promise<number> {
  const code = await job.tool(['drift', ...toolArguments(job), ...reportArguments(job), ...selectionArguments(job)]);
  await finish(job, { code });
  await job.output('code', String(code));
  return code === differs ? 0 : code;
}

/** True if the change under review may change the plan. What cannot be compared may. */
async function isTouched({ run, checkout, workspace }: Job, settings: Settings): Promise<boolean> {
  if (run.mayMove) return true;
  const target = run.base === null ? null : await checkout.commitOf(run.base);
  const base = target === null ? null : await checkout.mergeBase(target, 'HEAD');
  return base === null || checkout.differs(base, 'HEAD', touchingPaths(settings, workspace));
}

/** A plan that has not been applied for longer lists no more merges than this. */
const mostMerges = 20;

/** Saves and shows the plan of the checkout: against the branch it will be merged into, or the last applied commit. */
export async function planStep(job: Job): Promise<number> {
  const { checkout, run } = job;
  const newer = run.event === 'merge' ? await newerCommit(job) : null;
  if (newer !== null) {
    job.say('notice', newerText(job, newer));
    await job.output('actions', '0');
    return 0;
  }
  const record = await readRecord(job);
  const base = run.event === 'merge' ? record.applied : run.base;
  const code = await makePlan(job, base, record.isComplete);
  const { api: _api, ...plan } = await readPlan(job);
  if (record.note !== '' && !isPartial(job.settings)) await addNote(job, record.note);
  // A run of a part of the files answers nothing that a pull request asked for.
  const isOfMerges = run.event === 'merge' && !isPartial(job.settings);
  // Without the record, they could be merges that were applied long ago.
  const most = record.newest === null ? 1 : mostMerges;
  const merged = isOfMerges ? await checkout.newest(most, base) : [];
  await finish(job, { code, merged, newest: record.newest, newestState: record.newestState, ...plan });
  if (run.event === 'merge' && code === 0 && plan.actions !== 0) await job.summary(waitingText(job));
  await job.output('actions', String(plan.actions ?? ''));
  if (job.isProject) await job.output('waves', ` ${plan.waves.join(' ')} `);
  await job.output('digest', plan.digest);
  return code;
}

/** For the person who is asked to approve the run: nothing tells a run that waits what happened since. */
function waitingText({ settings: { folder }, run: { branch } }: Job): string {
  return `If ${markdownCode(folder)} changes again on ${markdownCode(branch)} while this run waits for approval, the run is obsolete: it would apply nothing, and the run of the newer commit waits for it. Reject it then.`;
}

/**
 * With the documented operations, roles and prompts cannot be read, and every declared one would be sent again. So only
 * what changed is planned there, as `apply --base` does it. The first plan shows which operations the files use, and is
 * kept if the files of the base have errors. Of a project, only what changed is planned as well, unless a person asks for
 * everything: no other tenant gets a request, or can make the plan fail.
 */
async function makePlan(job: Job, base: string | null, isComplete: boolean): Promise<number> {
  if (base !== null && isComplete && job.isProject && !job.run.isManual) {
    const code = await runPlan(job, ['--base', base, '--changed']);
    if (code !== invalidFiles) return code;
  }
  const code = await runPlan(job, base === null ? [] : ['--base', base]);
  const { api } = await readPlan(job);
  if (base === null || !isComplete || api !== 'documented') return code;
  const changed = { ...job, results: join(job.results, 'changed') };
  await mkdir(changed.results, { recursive: true });
  const changedCode = await runPlan(changed, ['--base', base, '--changed']);
  if (changedCode !== invalidFiles) await cp(changed.results, job.results, { recursive: true });
  await rm(changed.results, { recursive: true });
  return changedCode === invalidFiles ? code : changedCode;
}

const invalidFiles = 3;

function runPlan(job: Job, options: readonly string[]): Promise<number> {
  const out = ['--out', savedPlan(job)];
  const selection = selectionArguments(job);
  return job.tool(['plan', ...toolArguments(job), ...out, ...reportArguments(job), ...selection, ...options]);
}

interface PlanRecord {
  /** The commit that the plan of a merge is compared with. */
  readonly applied: string | null;
  /** The newest attempt; null if the record cannot be read. */
  readonly newest: number | null;
  /** Its state; '' without one. */
  readonly newestState: string;
  /** True if no apply began since, so that it is enough to plan what changed. */
  readonly isComplete: boolean;
  /** What a merge plans besides, and why; '' for nothing. */
  readonly note: string;
}

/** What is recorded, for the plan of a merge, and for a review, which plans as its merge will. */
async function readRecord(job: Job): Promise<PlanRecord> {
  const { settings, run, checkout } = job;
  const unknown = { applied: null, newest: null, newestState: '' };
  // Neither shards nor branches that are merged into another one have a record.
  if (inShards(settings) || run.mayMove) return { ...unknown, isComplete: true, note: '' };
  const everything = `Everything is planned${run.event === 'review' ? ', here and after the merge' : ''}`;
  const recorded =
    settings.token === ''
      ? 'the step has no input "token".'
      : await ifForgeFails(job.forge().recorded(targetOf(job, job.baseUrl)), ({ message }) => message);
  if (typeof recorded === 'string') {
    const note = `${everything}, because the record of applies cannot be read: ${recorded}`;
    return { ...unknown, isComplete: false, note };
  }
  const target = run.base === null ? null : await checkout.commitOf(run.base);
  const { applied, open, newest, attempts } = recorded;
  const isBase = applied !== null && (await checkout.isAncestor(applied, target ?? 'HEAD'));
  return {
    applied: isBase ? applied : null,
    newest,
    newestState: attempts[0]?.state ?? '',
    isComplete: open === null && (isBase || applied === null),
    note: await noteOf(job, { ...recorded, target, isBase, everything }),
  };
}

interface NoteOptions extends Recorded {
  /** The branch under review is merged into it; null after the merge. */
  readonly target: string | null;
  readonly isBase: boolean;
  readonly everything: string;
}

async function noteOf({ checkout, settings, workspace }: Job, options: NoteOptions): Promise<string> {
  const { applied, open, target, isBase, everything } = options;
  if (open !== null) {
    return `${everything}: the newest apply, of ${textOf(open)}, is not recorded as one of all files, so the tenant may have a part of its changes.`;
  }
  if (applied === null)
    return `${target === null ? everything : 'The merge plans everything'}: no apply of these files to this tenant is recorded.`;
  const last = applied.slice(0, 12);
  if (!isBase) return `${everything}: ${last}, which was applied last, is not an ancestor of this commit.`;
  if (target === null || !(await checkout.differs(applied, target, touchingPaths(settings, workspace)))) return '';
  return `The merge also plans what was merged since ${last}, which was applied last.`;
}

/** On the page of the run, and in the comment on a pull request. */
async function addNote({ say, results }: Job, note: string): Promise<void> {
  say('notice', note);
  if ((await readReport(results, 'plan')) !== null) await appendFile(reportPath(results, 'plan'), `\n${note}\n`);
}

/** What later steps need of the saved plan; nothing if it was not made. */
async function readPlan(job: Job) {
  const text = await readOwn(job.isProject ? join(savedPlan(job), '_index.json') : savedPlan(job));
  if (text === null) return { baseUrl: '', digest: '', actions: null, waves: [], api: '' };
  const plan: unknown = JSON.parse(text);
  // Of a project: the index of all plans.
  const waves = listField(plan, 'waves').filter((one) => field(one, 'actions') !== 0);
  const ofWaves = waves.reduce<number>((sum, one) => sum + numberField(one, 'actions'), 0);
  return {
    baseUrl: textField(field(plan, 'tenant'), 'base_url'),
    api: textField(field(plan, 'tenant'), 'api'),
    digest: textField(plan, 'digest'),
    actions: listField(plan, 'actions').length + ofWaves,
    waves: waves.map((one) => numberField(one, 'wave')),
  };
}
