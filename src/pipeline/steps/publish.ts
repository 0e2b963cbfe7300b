import { markdownCode } from '../../report/escape.ts';
import { longestDocument } from '../../report/markdown-document.ts';
import { beginAttempt, startAgain } from '../attempts.ts';
import { ForgeError, type Issue, type Text } from '../forge.ts';
import { type Job, type RunContext, targetOf } from '../job.ts';
import { readReport, readResult, type StepResult } from '../results.ts';
import { differs, inSync } from './plan.ts';

/** Reports the results of the other jobs on the forge. This job has no credentials of the tenant. */
export async function publishStep(job: Job): Promise<number> {
  // A review has no comparison of its own, and decides nothing about the issue of the branch.
  if (job.run.change !== null) return publishPlan(job, job.run.change);
  const drift = await readResult(job.results, 'drift');
  return drift === null ? publishApply(job) : publishDrift(job, drift);
}

/** One comment on the pull request, of the newest run. */
async function publishPlan(job: Job, change: number): Promise<number> {
  const plan = await readResult(job.results, 'plan');
  const result = plan ?? (await readResult(job.results, 'validate'));
  const shown = plan ?? (result?.code === 0 ? null : result);
  const report = shown === null ? null : await readReport(job.results, shown.step);
  const notes = plan === null ? [] : ['The artifact `tenant-plan` of the run has the plan as a page, `plan.html`.'];
  if (report !== null) await comment(job, change, 'plan', report, notes);
  else if (await existingComment(job, change, 'plan'))
    await comment(
      job,
      change,
      'plan',
      'There is no plan of this commit: it changes none of the files, or the run ended before the plan.',
    );
  return 0;
}

/** Records the applied commit, and comments on the pull requests that it came from: the outcomes, or why there are none. */
async function publishApply(job: Job): Promise<number> {
  const plan = await readResult(job.results, 'plan');
  const applied = await appliedResults(job, plan);
  const result = applied[0] ?? plan;
  if (result === null) {
    job.say('notice', 'There is nothing to report.');
    return 0;
  }
  await requireOwn(job, plan, applied);
  let failures = 0;
  // A task that the forge refuses leaves the others to be done.
  const attempt = async (task: () => Promise<void>) => {
    await task().catch((error: unknown) => {
      if (!(error instanceof ForgeError)) throw error;
      job.say('warning', error.message);
      failures += 1;
    });
  };
  const { merged, partial } = result;
  const left = leftText(result, applied);
  const isDone = (plan ?? result).code === 0 && applied.every(({ code }) => code === 0);
  if (isDone && !partial && left.length === 0 && (applied.length > 0 || result.actions === 0))
    await attempt(async () => {
      const why = await record(job, result, applied);
      if (why === null) return;
      job.say('error', why);
      failures += 1;
    });
  for (const text of isDone ? left : []) job.say('error', text);
  // A plan that nothing was applied of is worth a comment only if it failed.
  const shown = applied.length > 0 || isDone ? applied : [result];
  const reports = await Promise.all(shown.map(({ step }) => readReport(job.results, step)));
  const report = joinedReports(reports.flatMap((text) => text ?? []));
  if (report !== null) {
    const changes = new Set<number>();
    for (const one of merged)
      await attempt(async () => {
        for (const change of await job.forge().mergedChanges(one)) changes.add(change);
      });
    if (changes.size === 0) job.say('notice', 'No merged pull request was found for a comment.');
    const before = job.isProject ? [] : ['The artifact `tenant-before` of the run has the state before, as files.'];
    const notes = applied.length === 0 ? [] : [...left, ...before];
    for (const change of changes) await attempt(() => comment(job, change, 'apply', report, notes));
  }
  return failures > 0 || (isDone && left.length > 0) ? 1 : 0;
}

/** Results of another run say nothing about this one: a folder can have those of an earlier try, or of another pipeline. */
async function requireOwn({ checkout, settings }: Job, plan: StepResult | null, applied: readonly StepResult[]) {
  const commit = await checkout.head();
  const digest = settings.digest || plan?.digest;
  for (const result of plan === null ? applied : [plan, ...applied])
    if (result.commit !== commit || result.digest !== digest)
      throw new Error(
        `${result.step}.result.json has another ${result.commit === commit ? 'plan' : 'commit'} than this run. Nothing is recorded or commented. Start all jobs of the run again.`,
      );
}

/** The attempt of this run is done. Without actions there is none yet. Returns why nothing is recorded; null if it is. */
async function record(job: Job, result: StepResult, applied: readonly StepResult[]): Promise<string | null> {
  const { commit, digest, baseUrl } = result;
  const forge = job.forge();
  const target = targetOf(job, baseUrl);
  const recorded = await forge.recorded(target);
  if (recorded.applied === commit && recorded.open === null) return null;
  // Of several waves, the newest one: an attempt after the last that is done is open.
  const own = Math.max(0, ...applied.map(({ attempt }) => attempt ?? 0));
  const attempt = { ...target, commit, digest, branch: job.run.branch };
  const begun = own > 0 ? { id: own } : await beginAttempt(forge, attempt, result);
  if ('missed' in begun) return `${commit.slice(0, 12)} is not recorded as applied: ${begun.missed}. ${startAgain}`;
  await forge.endAttempt(begun.id, 'done');
  return null;
}

/** Of one job that applied everything, or of one for each wave. */
async function appliedResults({ results }: Job, plan: StepResult | null): Promise<readonly StepResult[]> {
  const names = ['apply', ...(plan?.waves ?? []).map((wave) => `apply-${wave}`)];
  return (await Promise.all(names.map((name) => readResult(results, name)))).flatMap((one) => one ?? []);
}

/** About the waves with actions that no job applied. */
function leftText({ waves }: StepResult, applied: readonly StepResult[]): readonly string[] {
  const steps = applied.map(({ step }) => step);
  const left = steps.includes('apply') ? [] : waves.filter((wave) => !steps.includes(`apply-${wave}`));
  const why = 'an earlier wave failed, the job was rejected, or the workflow has no job for it';
  return left.length === 0 ? [] : [`Nothing was sent to the tenants of wave ${left.join(', ')}: ${why}.`];
}

/** Null without a report. If they do not fit into a comment together, the last one is shown. */
export function joinedReports(reports: readonly string[]): string | null {
  const all = reports.join('\n');
  if (all.length <= longestDocument) return all === '' ? null : all;
  return `The reports of earlier waves do not fit. They are on the page of the run.\n\n${reports.at(-1)}`;
}

async function existingComment(job: Job, change: number, kind: CommentText['kind']) {
  const marker = markerOf(kind, job.settings.folder);
  return (await job.forge().comments(change)).find(({ body }) => body.startsWith(marker));
}

async function comment(
  job: Job,
  change: number,
  kind: CommentText['kind'],
  text: string,
  notes: readonly string[] = [],
): Promise<void> {
  const forge = job.forge();
  const { folder } = job.settings;
  const commit = job.run.commit ?? (await job.checkout.head());
  const body = commentText({ kind, folder, text, commit, url: job.run.url, notes });
  await upsert({
    find: () => existingComment(job, change, kind),
    update: async (found) => {
      // Outcomes may be newer than those of a later run, if all jobs were started again.
      if (kind === 'plan' && isOfNewerRun(found, job.run)) job.say('notice', keptText('comment'));
      else await forge.updateComment(change, found.id, body);
    },
    create: () => forge.createComment(change, body),
    sleep: job.sleep,
  });
}

const label = 'tenant-drift';

/** One issue while the tenant differs. It is closed when the tenant is in sync, and opened again when it differs again. */
async function publishDrift(job: Job, result: StepResult): Promise<number> {
  const { settings, run } = job;
  const { folder } = settings;
  const { code, commit, partial } = result;
  if (partial) {
    job.say('notice', 'Only a part of the files was compared, so the issue stays as it is.');
    return 0;
  }
  if (code !== inSync && code !== differs) {
    job.say('notice', 'The comparison failed, so the issue stays as it is.');
    return 0;
  }
  const forge = job.forge();
  const find = async () => {
    const own = (await forge.issues(label)).filter(({ body }) => body.startsWith(markerOf('drift', folder)));
    return own.find(({ state }) => state === 'open') ?? own[0];
  };
  const report = (await readReport(job.results, 'drift')) ?? '';
  const text = { kind: 'drift', folder, text: report, commit, url: run.url } as const;
  const body = commentText(text);
  const update = async (found: Issue) => {
    const state = code === inSync ? 'closed' : 'open';
    if (isOfNewerRun(found, run)) job.say('notice', keptText('issue'));
    else await forge.updateIssue(found.id, { body, ...(found.state !== state && { state }) });
  };
  if (code === inSync) {
    const open = await find();
    if (open?.state === 'open') await update(open);
    return 0;
  }
  await upsert({
    find,
    update,
    create: () => forge.createIssue({ title: `Tenant drift: ${folder}`, body, label }),
    sleep: job.sleep,
  });
  return 0;
}

/** A job of an older run may be started again: what it has to report is no longer true. Forges number runs in their order. */
function isOfNewerRun({ body }: Text, { url }: Pick<RunContext, 'url'>): boolean {
  const [, theirs] = /\[run\]\(\S*\/(\d+)\)\s*$/.exec(body) ?? [];
  const [, own] = /\/(\d+)$/.exec(url) ?? [];
  return Number(theirs) > Number(own);
}

const keptText = (what: 'comment' | 'issue') => `The ${what} is of a newer run, and stays as it is.`;

interface Upsert<Found> {
  find(): Promise<Found | undefined>;
  update(found: Found): Promise<void>;
  create(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

const mostTries = 3;
const delayMs = 1000;

/** Updates what is there, or creates it once: before another try, what a lost response may have created is looked for. */
export async function upsert<Found>({ find, update, create, sleep }: Upsert<Found>): Promise<'updated' | 'created'> {
  for (let tried = 1; ; tried++) {
    const found = await find();
    if (found !== undefined) {
      await update(found);
      return 'updated';
    }
    try {
      await create();
      return 'created';
    } catch (error) {
      if (!(error instanceof ForgeError && error.isUnsure) || tried === mostTries) throw error;
      await sleep(delayMs * tried);
    }
  }
}

/** What a comment or an issue is about. The first line identifies it for later updates. */
interface CommentText {
  readonly kind: 'plan' | 'apply' | 'drift';
  readonly folder: string;
  /** Markdown that the tool wrote. */
  readonly text: string;
  readonly commit: string;
  /** The page of the run. */
  readonly url: string;
  /** Further lines at the end. */
  readonly notes?: readonly string[];
}

export function markerOf(kind: CommentText['kind'], folder: string): string {
  // Two hyphens would end a comment of HTML.
  return `<!-- tenant-sync pipeline ${kind} ${encodeURIComponent(folder).replaceAll('-', '%2D')} -->`;
}

/** The complete text. Reports of the tool leave room for the other lines. */
export function commentText({ kind, folder, text, commit, url, notes = [] }: CommentText): string {
  const foot = `Folder ${markdownCode(folder)}, commit ${commit.slice(0, 12)} · [run](${url})`;
  return [markerOf(kind, folder), text.trimEnd(), '', ...notes.flatMap((note) => [note, '']), foot, ''].join('\n');
}
