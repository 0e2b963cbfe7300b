import { resolve } from 'node:path';
import { applyPlan, refusedOutcomes } from '../../apply/apply-plan.ts';
import { explaining } from '../../apply/explaining.ts';
import { openWriteConnection } from '../../client/write-connection.ts';
import { kinds } from '../../kinds/index.ts';
import type { ConnectOptions, WriteConnection } from '../../model/client.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OutcomesDocument } from '../../model/outcomes.generated.ts';
import type { Plan, Selection } from '../../model/plan.generated.ts';
import { comparePlans } from '../../plan/compare-plans.ts';
import { approves } from '../../plan/guard-plan.ts';
import { terminalText } from '../../report/harmless.ts';
import { renderLosses } from '../../report/render-losses.ts';
import { renderOutcomes } from '../../report/render-outcomes.ts';
import { renderPlan } from '../../report/render-plan.ts';
import type { CommandContext } from '../command.ts';
import { exitCode } from '../exit-codes.ts';
import { Fault, fault, problem } from '../fault.ts';
import { refusalsOf, reportContext, tell } from '../plan-result.ts';
import { prepare } from '../prepare.ts';
import { planOver, withConnection } from '../read-plan.ts';
import { readSavedPlan } from '../saved-plan.ts';
import { selectionOf } from '../selection-of.ts';

/** Makes the plan, refuses or confirms it, and performs exactly what it printed. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io } = context;
  const saved = options.plan === undefined ? null : await readSavedPlan(resolve(io.cwd, options.plan));
  const selection = selectionFor(context, saved);
  const prepared = await prepare(io, options, selection);
  tell(context, prepared.warnings);
  if (!options.yes && !io.interactive) {
    throw fault(exitCode.invalid, 'OPTION_INVALID', 'There is no terminal on which to confirm the plan.', 'give --yes to apply without being asked');
  }
  const operations = kinds.flatMap((kind) => kind.operations);
  const open = (connect: ConnectOptions) => openWriteConnection(connect, operations, (name) => io.env[name]);
  return withConnection(context, prepared, open, async (connection, stopProgress) => {
    const plan = await planOver(connection, context, prepared, selection);
    stopProgress();
    return decideAndPerform(context, plan, saved, connection);
  });
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

async function decideAndPerform(context: CommandContext, plan: Plan, saved: Plan | null, connection: WriteConnection): Promise<number> {
  const { arguments: options, io, output } = context;
  if (options.format === 'text') output.result(renderPlan(plan, 'plan', 'text', reportContext(context)));
  const refusals = [...staleness(saved, plan), ...refusalsOf(plan, approves(options.approve, plan.refusals)), ...(await missingScopes(plan, connection))];
  if (refusals.length > 0) return refuse(context, plan, refusals);
  requireSecrets(context, plan);
  if (plan.actions.length > 0 && !options.yes && !(await confirmed(context, plan))) {
    return refuse(context, plan, [problem('CONFIRMATION_DECLINED', 'The plan was not confirmed, so nothing was sent.', 'run apply again to be asked again')]);
  }
  const document = await applyPlan(plan, explaining(connection.perform, kinds, connection.reader), {
    signal: io.signal,
    onOutcome: (action, { outcome }) => {
      if (io.stderr.isTTY) output.talk(terminalText(`${outcome}: ${action.action} ${action.key}`));
    },
  });
  report(context, document);
  return document.summary.done === plan.actions.length ? exitCode.done : exitCode.failed;
}

/** Where the token shows its scopes, a missing one is told before the first write and not by the service in the middle of an apply. */
async function missingScopes(plan: Plan, connection: WriteConnection): Promise<Diagnostic[]> {
  const granted = plan.actions.length === 0 ? null : await connection.grantedScopes();
  if (granted === null) return [];
  const missing = plan.scopes.apply.filter((scope) => !granted.has(scope));
  return missing.map((scope) => problem('SCOPE_MISSING', `The token lacks the scope ${scope}, which this plan needs.`, 'grant it to the client of the token'));
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

const shownDifferences = 20;

function staleness(saved: Plan | null, now: Plan): Diagnostic[] {
  if (saved === null || saved.digest === now.digest) return [];
  const differences = comparePlans(saved, now);
  const more = differences.length > shownDifferences ? [`and ${differences.length - shownDifferences} more differences`] : [];
  const hint = 'make and review a new plan';
  return [...differences.slice(0, shownDifferences), ...more].map((text) => problem('PLAN_STALE', `The saved plan no longer holds: ${text}.`, hint));
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
  return io.confirm(`Send ${plan.summary.requests} ${plan.summary.requests === 1 ? 'request' : 'requests'} to ${plan.tenant.base_url}?`);
}

function report(context: CommandContext, document: OutcomesDocument): void {
  context.output.result(renderOutcomes(document, context.arguments.format, reportContext(context)));
}
