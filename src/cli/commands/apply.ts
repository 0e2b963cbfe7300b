import { resolve } from 'node:path';
import { outcomesDocument, refusedOutcomes } from '../../apply/apply-plan.ts';
import { goesOn } from '../../apply/goes-on.ts';
import { openWriteConnection } from '../../client/write-connection.ts';
import type { ApplyState } from '../../journal/open-apply-state.ts';
import { kinds } from '../../kinds/index.ts';
import type { ConnectOptions, WriteConnection } from '../../model/client.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Forecast } from '../../model/forecast.ts';
import type { OutcomesDocument } from '../../model/outcomes.generated.ts';
import type { Plan, Selection } from '../../model/plan.generated.ts';
import { comparePlans } from '../../plan/compare-plans.ts';
import { approves } from '../../plan/guard-plan.ts';
import { requestDigest } from '../../plan/request-digest.ts';
import { terminalText } from '../../report/escape.ts';
import { renderLosses } from '../../report/render-losses.ts';
import { renderOutcomes, renderPlan } from '../../report/render-report.ts';
import type { CommandContext } from '../command.ts';
import { exitCode } from '../exit-codes.ts';
import { Fault, fault, problem } from '../fault.ts';
import { checkForecastOptions, durationUnknown, forecastPlan, tooLong } from '../forecast-plan.ts';
import { internalError } from '../internal-error.ts';
import type { StopReason } from '../io.ts';
import { isUnsettled, recordSettled, tellLastApply, tellSettlements } from '../last-apply.ts';
import { withTenantLocked } from '../lock-tenant.ts';
import { performPlan } from '../perform-plan.ts';
import { refusalsOf, reportContext, tell } from '../plan-result.ts';
import { type Prepared, prepare } from '../prepare.ts';
import type { Progress } from '../progress.ts';
import { freshPlan, planOver, withConnection } from '../read-plan.ts';
import { readSavedPlan } from '../saved-plan.ts';
import { selectionOf } from '../selection-of.ts';

/** Makes the plan, refuses or confirms it, and performs exactly what it printed. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io } = context;
  checkForecastOptions(options);
  const saved = options.plan === undefined ? null : await readSavedPlan(resolve(io.cwd, options.plan));
  const selection = selectionFor(context, saved);
  const prepared = await prepare(io, options, selection);
  tell(context, prepared.warnings);
  if (!options.yes && !io.interactive) {
    throw fault(
      exitCode.invalid,
      'OPTION_INVALID',
      'There is no terminal on which to confirm the plan.',
      'give --yes to apply without being asked',
    );
  }
  const operations = kinds.flatMap((kind) => kind.operations);
  const open = (connect: ConnectOptions) =>
    openWriteConnection({ ...connect, hangUp: io.hangUp }, operations, (name) => io.env[name]);
  // A plan that is made while another apply runs is old when that one ends.
  return withTenantLocked(context, prepared.environment, async (state) => {
    if (isUnsettled(state.last)) talk(context, tellLastApply(state.last));
    return withConnection(context, prepared, open, async (connection, progress) => {
      const plan = await planOver(connection, context, prepared, selection);
      progress.stop();
      progress.onPlan(plan);
      if (isUnsettled(state.last)) talk(context, tellSettlements(state.last, plan, prepared));
      return decideAndPerform(context, { plan, saved, prepared, connection, state, progress });
    });
  });
}

/** What an apply goes by once its plan is made. */
interface Intended {
  readonly plan: Plan;
  readonly saved: Plan | null;
  readonly prepared: Prepared;
  readonly connection: WriteConnection;
  readonly state: ApplyState;
  readonly progress: Progress;
}

/** A saved plan is made again with the selection it was made with. */
function selectionFor({ arguments: options }: CommandContext, saved: Plan | null): Selection {
  const selection = selectionOf(options);
  if (saved === null) return selection;
  if (Object.values(selection).every((selectors) => selectors.length === 0)) return saved.selection;
  throw fault(
    exitCode.invalid,
    'OPTION_INVALID',
    '--plan cannot go with --only, --except or --rotate: the saved plan already says what it is about.',
    'give either the plan or the selection',
  );
}

async function decideAndPerform(context: CommandContext, intended: Intended): Promise<number> {
  const { arguments: options, output } = context;
  const { plan, saved, connection, state, progress } = intended;
  const forecast = forecastPlan(plan, options, connection, progress);
  if (options.format === 'text')
    output.result(renderPlan(plan, 'plan', 'text', { ...reportContext(context), forecast }));
  const goingOn = saved !== null && goesOn(saved, plan, state.last, requestDigest);
  const refusals = [
    ...(goingOn ? [] : staleness(saved, plan)),
    ...refusalsOf(plan, approves(options.approve, plan.refusals), options.folder),
    ...tooLong(options, forecast),
    ...(await missingScopes(plan, connection)),
  ];
  if (refusals.length > 0) return refuse(context, plan, refusals);
  requireSecrets(context, plan);
  tell(context, [...durationUnknown(options, forecast), ...(await tokenWillEnd(context, intended, forecast))]);
  if (plan.actions.length > 0 && !options.yes && !(await confirmed(context, plan))) {
    return refuse(context, plan, [
      problem(
        'CONFIRMATION_DECLINED',
        'The plan was not confirmed, so nothing was sent.',
        'run apply again to be asked again',
      ),
    ]);
  }
  return perform(context, intended, goingOn);
}

async function perform(
  context: CommandContext,
  { plan, saved, prepared, connection, state, progress }: Intended,
  goingOn: boolean,
): Promise<number> {
  const { io, output, arguments: options } = context;
  if (plan.actions.length === 0 && !goingOn && !isUnsettled(state.last)) {
    report(context, outcomesDocument(plan, []));
    return exitCode.done;
  }
  const journal = await state.begin(goingOn && saved !== null ? saved.digest : plan.digest, goingOn ? 'go_on' : 'anew');
  if (goingOn && state.last !== null) await recordSettled(journal, state.last, plan, prepared);
  const tellStop = () => {
    progress.stop();
    talk(context, [`${(io.signal.reason as StopReason).name}: what is under way is finished, nothing more is sent.`]);
  };
  io.signal.addEventListener('abort', tellStop, { once: true });
  const { document, fault: ours } = await performPlan(plan, {
    connection,
    journal,
    managed: new Set(prepared.desired.sections.keys()),
    planAgain: (only) => freshPlan(connection, context, prepared, { ...plan.selection, only: [...only] }),
    signal: io.signal,
    onOutcome: progress.onOutcome,
  }).finally(() => io.signal.removeEventListener('abort', tellStop));
  progress.stop();
  report(context, document);
  const troubles = [
    ...(journal.failure === null ? [] : [journal.failure.diagnostic]),
    ...(ours === null ? [] : [internalError(ours.cause, output, options.debug)]),
  ];
  tell(context, troubles);
  return document.summary.done === plan.actions.length && troubles.length === 0 ? exitCode.done : exitCode.failed;
}

function talk({ output }: CommandContext, lines: readonly string[]): void {
  if (lines.length > 0) output.talk(lines.map(terminalText).join('\n'));
}

/** Where the token shows its scopes, a missing one is told before the first write and not by the service in the middle of an apply. */
async function missingScopes(plan: Plan, connection: WriteConnection): Promise<Diagnostic[]> {
  const granted = plan.actions.length === 0 ? null : await connection.grantedScopes();
  if (granted === null) return [];
  const missing = plan.scopes.apply.filter((scope) => !granted.has(scope));
  return missing.map((scope) =>
    problem(
      'SCOPE_MISSING',
      `The token lacks the scope ${scope}, which this plan needs.`,
      'grant it to the client of the token',
    ),
  );
}

/** A token that nobody can renew and that ends before the quota lets the last request go is told before the first one goes. */
async function tokenWillEnd(
  { io }: CommandContext,
  { plan, connection }: Intended,
  { seconds }: Forecast,
): Promise<Diagnostic[]> {
  const ends = plan.actions.length === 0 ? null : await connection.tokenEnds();
  if (ends === null || ends > io.clock.now() + (seconds ?? 0) * 1000) return [];
  const message = `The token ends at ${new Date(ends).toISOString()}, before this apply is likely to be done.`;
  return [
    {
      ...problem(
        'TOKEN_ENDS',
        message,
        'use TENANT_SYNC_CLIENT_ID and TENANT_SYNC_CLIENT_SECRET, which can get another one',
      ),
      severity: 'warning',
    },
  ];
}

/** Secrets are named by the plan and known to the environment alone; from here on nothing that is printed may hold one. */
function requireSecrets({ io, output }: CommandContext, plan: Plan): void {
  const names = [...new Set(plan.actions.flatMap(({ request }) => (request.secrets ?? []).map(({ env }) => env)))];
  const unset = names.filter((name) => !io.env[name]);
  if (unset.length > 0) {
    const hint = 'set it where apply runs; plan and drift do not need it';
    throw new Fault(
      exitCode.invalid,
      unset.map((name) => problem('ENV_MISSING', `${name} is not set; the plan sends it as a secret.`, hint)),
    );
  }
  for (const name of names) output.hide(io.env[name] ?? '');
}

const shownDifferences = 10;

function staleness(saved: Plan | null, now: Plan): Diagnostic[] {
  if (saved === null || saved.digest === now.digest) return [];
  const differences = comparePlans(saved, now);
  const more =
    differences.length > shownDifferences ? [`and ${differences.length - shownDifferences} more differences`] : [];
  const hint = 'make and review a new plan';
  const told = [...differences.slice(0, shownDifferences), ...more].map((text) =>
    problem('PLAN_STALE', `The saved plan no longer holds: ${text}.`, hint),
  );
  // What helps is the same for all of them.
  return [...told.slice(0, -1).map(({ hint: _same, ...one }) => one), ...told.slice(-1)];
}

/** Nothing is sent: every action is told as not attempted, and why. */
function refuse(context: CommandContext, plan: Plan, refusals: readonly Diagnostic[]): number {
  const why = refusals.map(({ code }) => code).join(', ');
  if (context.arguments.format !== 'text') report(context, refusedOutcomes(plan, why));
  tell(context, refusals);
  return exitCode.refused;
}

async function confirmed({ io, output }: CommandContext, plan: Plan): Promise<boolean> {
  output.talk(renderLosses(plan, output.talkStyle, kinds));
  return io.confirm(
    `Send ${plan.summary.requests} ${plan.summary.requests === 1 ? 'request' : 'requests'} to ${plan.tenant.base_url}?`,
  );
}

function report(context: CommandContext, document: OutcomesDocument): void {
  context.output.result(renderOutcomes(document, context.arguments.format, reportContext(context)));
}
