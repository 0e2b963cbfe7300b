// An apply to several tenants: all are planned, reviewed and confirmed before the first write, and applied wave by wave. What
// is finished is kept with the state, for --resume.
import { randomBytes } from 'node:crypto';
import { canonicalBaseUrl } from '../contract/formats.ts';
import { problem } from '../diagnostics/problem.ts';
import { asReadNow } from '../engine/as-read-now.ts';
import { runChecks, sentChecks } from '../engine/checks.ts';
import { approvedByLast } from '../engine/last-apply.ts';
import { stateStore } from '../engine/with-tenant-locked.ts';
import { parseJournal } from '../journal/parse-journal.ts';
import { knownKinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Outcome } from '../model/outcomes.generated.ts';
import type { Action, Plan, Selection } from '../model/plan.generated.ts';
import { approvedBefore } from '../plan/approved-before.ts';
import { sealPlan } from '../plan/digest.ts';
import { everything } from '../plan/selection.ts';
import { framed, type ReportDocument } from '../report/document.ts';
import { terminalText } from '../report/escape.ts';
import { ofTenants, sameErrors } from '../report/of-tenants.ts';
import { renderDocument } from '../report/render-report.ts';
import { sameChanges } from '../report/same-changes.ts';
import { few, quantity } from '../report/wording.ts';
import { declined } from '../sync/apply.ts';
import { groupBy } from '../values/group-by.ts';
import type { CommandContext } from './context.ts';
import {
  atOnce,
  type Ended,
  eachTenant,
  errorsOf,
  type Prepared,
  prepared,
  reportTenants,
  runOne,
  type SaveResult,
  type Use,
} from './each-tenant.ts';
import { stateFolder, stateUrl } from './environment.ts';
import { exitCode, invalidOption } from './exit-codes.ts';
import { terminalWidth } from './output.ts';
import { planAgain, planIn, planUse, reviewTenants } from './plan-tenants.ts';
import { formatContext, reportErrors, withoutSecrets } from './print-document.ts';
import { digestOfPlans, type NamedPlan, ownTargets, selectedTenants } from './saved.ts';
import { secretsFor } from './shared-secrets.ts';
import { nameOf, type Target } from './targets.ts';
import { watchTenants } from './watch-tenants.ts';

/** A tenant with the plan that it gets, or with how its planning ended. */
interface Planned extends Prepared {
  readonly plan: Plan | null;
  /** Null for a plan that was saved. */
  readonly ended: Ended | null;
  /** True if it is what an approved apply of the tenant has left. */
  readonly isLeft: boolean;
}

/** How a plan is applied to its tenant. */
type ApplyOne = (saved: Plan) => Use;

/** `saved`: the plans to apply; without them, all tenants are planned now. Returns the exit code. */
export async function applySeveral(
  context: CommandContext,
  selected: readonly Target[],
  saved: readonly NamedPlan[] | null,
  applyOne: ApplyOne,
): Promise<number> {
  const { arguments: options, output } = context;
  const { targets, save, finish } = await ownTargets(context, selected);
  const finished = await openFinishedTenants(context);
  const plans = saved && new Map(saved.map(({ name, plan }) => [name, plan]));
  const all = await prepared(context, targets);
  const isFinished = (tenant: Prepared) =>
    finished.has(tenant, plans === null ? tenant.inputs.selection : plans.get(nameOf(tenant.target))?.selection);
  const skipped = options.changed ? [] : all.filter(isFinished);
  if (skipped.length > 0) {
    const names = skipped.map(({ target }) => nameOf(target)).join(', ');
    output.talk(`Skipped, because run ${finished.run} has finished them: ${names}.`);
  }
  const left = all.filter((tenant) => !skipped.includes(tenant));
  const planned = await plannedTenants(context, left, plans);
  const reviewed = saved ?? planned.map(({ target, plan, isLeft }) => ({ name: nameOf(target), plan, isLeft }));
  const review = reviewTenants(reviewed, selectedTenants(selected[0]?.project?.tenants ?? [], options.approve));
  const unset = await secretProblems(context, planned);
  const why = await whyNot(context, planned, [
    ...unset,
    ...review.filter(({ code }) => code !== 'GUARD_REFUSED'),
    ...notExpected(digestOfPlans(reviewed), options.expect),
  ]);
  if (why.length > 0) {
    await reportErrors(context, why);
    return why.length === unset.length ? exitCode.invalid : exitCode.refused;
  }
  if (planned.some(isChanging))
    output.talk(`Run ${finished.run}. To skip finished tenants in a rerun, add --resume ${finished.run}.`);
  const begun = planned.filter(({ plan }) => plan !== null);
  const { ended, notBegun, stopped } = await watchTenants(context, begun.length, (watched) =>
    applyWaves(watched, planned, { finished, applyOne, save }),
  );
  await finish();
  return reportTenants(context, ended, [...review, ...stopped], notBegun);
}

/** What is wrong with the secrets of any plan: no tenant gets anything before all of them can be sent. */
async function secretProblems({ output }: CommandContext, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const found = planned.map(async ({ target, inputs, plan }) => {
    const checked = plan && (await runChecks(sentChecks, plan, { ...inputs, secret: secretsFor(inputs, output) }));
    return (checked?.refusals ?? []).map((one) => [nameOf(target), one] as const);
  });
  return ofTenants((await Promise.all(found)).flat(), planned.length);
}

/** Prints the plans and asks, unless something refuses them. Empty if they may be applied. */
async function whyNot(
  context: CommandContext,
  planned: readonly Planned[],
  refused: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { arguments: options, output, io } = context;
  const isSaved = planned.some(({ ended }) => ended === null);
  const plansOf = (tenants: readonly Planned[]) => tenants.flatMap(({ plan }) => plan ?? []);
  if (!isSaved) printPlans(context, plansOf(planned));
  // A saved plan was printed when it was saved. What is confirmed is what it does now, whatever the file shows.
  else if (!options.yes) {
    const changing = planned.filter(isChanging).length;
    const now = await watchTenants(context, changing, (watched) =>
      atOnce(options.parallel, planned, (one) => asPlannedNow(watched, one)),
    );
    printPlans(context, plansOf(now));
  }
  if (refused.length > 0) return refused;
  for (const line of unplannedLines(planned)) output.talk(line);
  const changing = planned.filter(isChanging);
  if (options.yes || changing.length === 0) return refused;
  return (await io.confirm(output.mask(questionOf(plansOf(changing))))) ? [] : [declined];
}

/** Tenants that get nothing, whatever is confirmed: why, and which waves do not begin. */
function unplannedLines(planned: readonly Planned[]): readonly string[] {
  const without = planned.filter(({ plan }) => plan === null);
  if (without.length === 0) return [];
  const failing = Math.min(...without.map(waveOf));
  const later = planned.some((one) => waveOf(one) > failing) ? ` No wave after wave ${failing} will begin.` : '';
  const documents = without.map((one) => (one.ended ?? noPlan(one)).document);
  const failed = documents.filter((one) => one.type === 'diagnostics');
  const { shared, left } = sameErrors(failed, planned.length);
  const errors = [...shared, ...left.flatMap(({ diagnostics }) => diagnostics)];
  return [
    ...errors.map(({ message }) => terminalText(message)),
    `Nothing will be sent to ${few(without.map(({ target }) => nameOf(target)))}.${later}`,
  ];
}

function waveOf({ target }: Prepared): number {
  return target.tenant?.wave ?? 1;
}

function isChanging({ plan }: Planned): boolean {
  return plan !== null && plan.actions.length > 0;
}

async function asPlannedNow(context: CommandContext, one: Planned): Promise<Planned> {
  const { plan: saved } = one;
  if (saved === null || !isChanging(one)) return one;
  const now = planIn(await planAgain(context, one, saved.selection));
  return { ...one, plan: now && asReadNow(saved, now, knownKinds()) };
}

/** The saved plan of each tenant, or one that is made now. */
async function plannedTenants(
  context: CommandContext,
  tenants: readonly Prepared[],
  saved: ReadonlyMap<string, Plan | null> | null,
): Promise<readonly Planned[]> {
  if (saved !== null)
    return tenants.map((tenant) => ({
      ...tenant,
      ...{ plan: saved.get(nameOf(tenant.target)) ?? null, ended: null, isLeft: false },
    }));
  const ended = await eachTenant(context, tenants, planUse(context.arguments, 'documented'));
  return atOnce(context.arguments.parallel, [...tenants.entries()], async ([index, tenant]) => {
    const one = ended[index] ?? null;
    const plan = one && planIn(one);
    const approved_by = plan?.review === undefined ? null : await lastApproval(context, tenant, plan);
    if (plan === null || approved_by === null) return { ...tenant, plan, ended: one, isLeft: false };
    const refusals = plan.refusals.map((refusal) => ({ ...refusal, approved_by, approve_in: null }));
    return { ...tenant, plan: sealPlan({ ...plan, refusals }), ended: one, isLeft: true };
  });
}

/** The approval of the last apply of the tenant, if this is what it has left. A journal that cannot be read has none. */
async function lastApproval({ io, arguments: { stateDir } }: CommandContext, { inputs }: Prepared, plan: Plan) {
  const store = await stateStore(stateUrl(io), stateFolder(io, stateDir));
  const parsed = parseJournal((await store.lastOf(inputs.tenant.baseUrl).catch(() => null)) ?? '');
  return 'broken' in parsed ? null : approvedBefore(plan, approvedByLast(parsed.apply, io.clock.now()));
}

/**
 * Plans that are about to be applied: as the result, or, where that has another format, for the confirmation alone. At
 * once, because a listener is not waited for. `ended`: what is not sent of a saved plan.
 */
export function printPlans(context: CommandContext, plans: readonly Plan[], ended?: readonly Outcome[]): void {
  const { io, output, arguments: options } = context;
  const isResult = options.format === 'text';
  if (!isResult && options.yes) return;
  const documents = plans.map((plan) => withoutSecrets({ type: 'plan', plan, diagnostics: [] }, output.mask));
  const [sink, style] = isResult ? [io.stdout, output.resultStyle] : [io.stderr, output.talkStyle];
  const about = formatContext(context, { style, width: terminalWidth(sink), ...(ended && { ended }) });
  const textOf = (document: ReportDocument) => output.mask(renderDocument(document, 'text', about));
  for (const piece of framed(['', '\n', ''], sameChanges(documents), textOf)) sink.write(piece);
}

function notExpected(digest: string, expected: string | undefined): Diagnostic[] {
  if (expected === undefined || expected === digest) return [];
  const message = `The digest of all plans is ${digest}, but --expect names ${expected}.`;
  return [problem('PLAN_NOT_EXPECTED', message, 'review the plans again, and repeat the command with their digest')];
}

function questionOf(plans: readonly Plan[]): string {
  const requests = plans.reduce((sum, { summary }) => sum + summary.requests, 0);
  return `Apply the changes of ${quantity(plans.length, 'tenant')} with ${quantity(requests, 'request')}?`;
}

/**
 * A wave begins if every tenant of the one before ended well and still is as declared. After as many failures as
 * --max-failures, no other tenant begins. At the end, what others may have changed since is read again. `notBegun`: how many
 * tenants got nothing, and `stopped` why.
 */
async function applyWaves(
  context: CommandContext,
  tenants: readonly Planned[],
  { finished, applyOne, save }: WaveOptions,
) {
  const { parallel, wave, resume, maxFailures = Number.POSITIVE_INFINITY } = context.arguments;
  const results = new Map<Planned, Ended[]>();
  const waves = [...groupBy(tenants, waveOf)].sort(([one], [other]) => one - other).map(([, ofWave]) => ofWave);
  let failures = 0;
  /** Tenants that got something, and how many of them when a tenant was checked. */
  let writes = 0;
  const checkedAt = new Map<Planned, number>();
  const begin = async (one: Planned, isGate: boolean) => {
    if (failures >= maxFailures || context.io.signal.aborted) return;
    const ended = one.plan === null ? (one.ended ?? noPlan(one)) : await runOne(context, one, applyOne(one.plan));
    results.set(one, [ended]);
    if (isChanging(one)) writes += 1;
    if (ended.code !== exitCode.done) failures += 1;
    // Where the next wave waits for it, the result of a tenant is complete with the check.
    if (!isGate || ended.code !== exitCode.done) await save(ended);
  };
  const check = async (one: Planned, selection: Selection) => {
    checkedAt.set(one, writes);
    const again = await changedAgain(context, one, selection);
    if (again === null) return true;
    results.set(one, [...(results.get(one) ?? []), again]);
    failures += 1;
    await save(again, 'again');
    return false;
  };
  const finish = async (one: Planned, isGate: boolean) => {
    const [ended] = results.get(one) ?? [];
    if (ended?.code !== exitCode.done || one.plan === null) return;
    const isChecked = isGate && isTouched(one);
    const isFinished = !isChecked || (await check(one, one.plan.selection));
    if (isGate) await save(ended);
    await finished.mark(one, isFinished);
  };
  for (const [index, ofWave] of waves.entries()) {
    // The wave after --wave is another run.
    const isGate = index < waves.length - 1 || wave !== undefined;
    await atOnce(parallel, ofWave, (one) => begin(one, isGate));
    await atOnce(parallel, ofWave, (one) => finish(one, isGate));
    if (failures > 0 || context.io.signal.aborted) break;
  }
  // Two entries may be one tenant under names that nothing else shows to be equal. An apply verifies its own write.
  const isExposed = (one: Planned) =>
    results.get(one)?.every(({ code }) => code === exitCode.done) === true &&
    writes > (checkedAt.get(one) ?? (isChanging(one) ? 1 : 0));
  if (!context.io.signal.aborted)
    await atOnce(parallel, tenants.filter(isExposed), async (one) => {
      const { plan } = one;
      // What did not change in the files was not read.
      if (plan === null || (plan.selection.changed && !isChanging(one))) return;
      if (!(await check(one, plan.selection))) await finished.mark(one, false);
    });
  const left = tenants.filter((tenant) => !results.has(tenant));
  const ended = tenants.flatMap((tenant) => results.get(tenant) ?? []);
  const isFinished = (one: Planned) => isChanging(one) && results.get(one)?.every(({ code }) => code === exitCode.done);
  // Where nothing was sent, there is nothing to skip.
  const option = resume !== undefined || tenants.some(isFinished) ? ` with --resume ${finished.run}` : '';
  // What was changed in the meantime is in conflict with its saved plan however often that is applied.
  const isStale = tenants.some(
    (one) => one.ended === null && results.get(one)?.some(({ code }) => code === exitCode.refused),
  );
  const again = isStale ? 'apply plans that are saved again with plan --out' : `apply again${option}`;
  const stopped = left.length === 0 ? [] : [stoppedRun(left, ended, again)];
  return { ended, notBegun: left.length, stopped };
}

/** A tenant that could not be planned when the others were saved. */
function noPlan({ target }: Planned): Ended {
  const tenant = nameOf(target);
  const message = `${tenant}: there is no saved plan, because none could be made.`;
  const document = errorsOf(tenant, 'apply', [problem('PLAN_STALE', message, 'save the plans again')]);
  return { target, document, beside: [], code: exitCode.refused, result: null };
}

/** Whether a tenant got something, or its saved plan needed no reading. */
function isTouched({ plan, ended }: Planned): boolean {
  return plan !== null && (plan.actions.length > 0 || (ended === null && plan.selection.changed !== true));
}

/** Plans a tenant again. Null if everything was read, and every declared item that can be corrected is as declared. */
async function changedAgain(context: CommandContext, tenant: Prepared, selection: Selection): Promise<Ended | null> {
  const ended = await planAgain(context, tenant, { ...selection, rotate: [] });
  const plan = planIn(ended);
  if (plan === null || !plan.complete) return { ...ended, code: exitCode.failed };
  if (!plan.actions.some(isDeclared)) return null;
  const message = `${nameOf(tenant.target)}: it differs from the files again after the apply.`;
  const hint = 'find out what else changes it, such as another entry for the same tenant, and apply again';
  const differs = problem('APPLY_WAVE', message, hint);
  return { ...ended, beside: [differs], code: exitCode.failed };
}

/** What is sent without a reading is sent by every apply, and undeclared items were not there when it was planned. */
function isDeclared({ reason }: Action): boolean {
  return reason !== 'undeclared' && reason !== 'unreadable';
}

function stoppedRun(left: readonly Planned[], ended: readonly Ended[], again: string): Diagnostic {
  const names = (of: readonly Pick<Ended, 'target'>[]) => few([...new Set(of.map(({ target }) => nameOf(target)))]);
  const failed = ended.filter(({ code }) => code !== exitCode.done);
  const message = `The run ended before all waves were done, so nothing was sent to ${names(left)}.`;
  const hint = failed.length === 0 ? again : `correct what is reported for ${names(failed)}, and ${again}`;
  return problem('APPLY_WAVE', message, hint);
}

interface WaveOptions {
  readonly finished: FinishedTenants;
  readonly applyOne: ApplyOne;
  readonly save: SaveResult;
}

type FinishedTenants = Awaited<ReturnType<typeof openFinishedTenants>>;

/** A new run, or the one to resume. Throws a CommandError if it is not known, and a JournalTrouble. */
async function openFinishedTenants({ io, arguments: { resume, stateDir } }: CommandContext) {
  const run = resume ?? randomBytes(4).toString('hex');
  const [url, folder] = [stateUrl(io), stateFolder(io, stateDir)];
  const kept = await (await stateStore(url, folder)).finishedBy(run);
  if (resume === undefined) await kept.append('');
  const lines = await kept.read();
  if (lines === null) {
    const hint = 'name the run that apply printed, with the same --state-dir or TENANT_SYNC_STATE_URL';
    const place = url === undefined ? folder : 'the database';
    throw invalidOption(`--resume ${run}: there is no such run in ${place}.`, hint);
  }
  const finished = new Set<string>();
  for (const line of lines.split('\n'))
    if (line.startsWith('-')) finished.delete(line.slice(1));
    else finished.add(line);
  return {
    /** Names the run for --resume. */
    run,
    /** True if the run has finished this part of the tenant, with the files as they are now. */
    has: (tenant: Prepared, selection?: Partial<Selection>) => finished.has(lineOf(tenant, selection)),
    /** What cannot be recorded is no failure: the tenant is visited again. */
    mark: (tenant: Planned, isFinished: boolean) => {
      // As it was selected, and not with the complete names that its plan has.
      const selection = tenant.ended === null ? tenant.plan?.selection : tenant.inputs.selection;
      return kept.append(`${isFinished ? '' : '-'}${lineOf(tenant, selection)}\n`).catch(() => {});
    },
  };
}

/** The same files on another tenant, other files and another part of them are not finished. */
function lineOf({ target, inputs, fingerprint }: Prepared, selection: Partial<Selection> | undefined): string {
  const part = { ...everything, ...selection };
  return JSON.stringify([nameOf(target), canonicalBaseUrl(inputs.tenant.baseUrl), fingerprint, part]);
}
