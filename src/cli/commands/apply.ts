import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { problem } from '../../diagnostics/problem.ts';
import type { Listener } from '../../engine/events.ts';
import { allKinds, kinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { withoutActions } from '../../plan/summary.ts';
import { confirmationQuestion } from '../../report/render-report.ts';
import { apply } from '../../sync/apply.ts';
import { applySeveral, printPlans } from '../apply-tenants.ts';
import type { CommandContext } from '../context.ts';
import { report, runTenants, type Use } from '../each-tenant.ts';
import { stateFolder, stateUrl } from '../environment.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import type { Arguments } from '../parse-arguments.ts';
import { given } from '../run-options.ts';
import { type NamedPlan, readPlans, readSavedPlan } from '../saved.ts';
import { secretsFor } from '../shared-secrets.ts';
import { asksForSeveral, type Target, targetsOf } from '../targets.ts';

/** Prints the plan, asks for confirmation, and prints the outcomes. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { allOrNothing, approve, maxAge, expect, maxStaleness, visibleWithin, yes } = options;
  // A saved plan may be of kinds that the files do not have any more.
  if (options.plan !== undefined) await allKinds();
  const plans = savedPlansOf(context);
  const chosen = {
    ...given({ allOrNothing, approve, maxAge, expect, maxStaleness, visibleWithin }),
    onSecret: output.hide,
    mask: output.mask,
    unverified: options.noVerify.includes('all') ? kinds.map(({ name }) => name) : options.noVerify,
    stateFolder: stateFolder(io, options.stateDir),
    ...given({ stateUrl: stateUrl(io) }),
    hangUp: io.hangUp,
  };
  if (plans !== null || asksForSeveral(options)) {
    const selected = await targetsOf(io, plans === null ? options : ofPlans(options, plans));
    checkSeveral(context, selected, plans);
    // An approval that only the saved plan has does not count if the digest is expected.
    return applySeveral(
      context,
      selected,
      plans,
      (saved) => (inputs) =>
        apply({
          ...inputs,
          ...chosen,
          secret: secretsFor(inputs, output),
          ...given({ expect: expect && saved.digest }),
          saved,
          confirm: 'skip',
        }),
    );
  }
  const targets = await targetsOf(io, options);
  const saved = options.plan === undefined ? undefined : readSavedPlan(resolve(io.cwd, options.plan));
  let left: Plan | null = null;
  const confirm = yes ? 'skip' : (plan: Plan) => io.confirm(output.mask(confirmationQuestion(left ?? plan)));
  const use: Use = (inputs) => {
    const onEvent: Listener = (event) => {
      inputs.onEvent?.(event);
      if (event.type !== 'planned') return;
      left = withoutActions(event.plan, event.ended ?? []);
      printPlans(context, [left], event.ended);
    };
    const secret = secretsFor(inputs, output);
    return apply({ ...inputs, ...chosen, secret, ...given({ saved }), changed: options.changed, confirm, onEvent });
  };
  return report(context, await runTenants(context, targets, use, { problems: optionProblems(context) }));
}

/** The plans in the folder of --plan; null for the plan of one tenant, or without the option. */
function savedPlansOf({ arguments: { plan }, io }: CommandContext): readonly NamedPlan[] | null {
  if (plan === undefined) return null;
  const path = resolve(io.cwd, plan);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? readPlans(path) : null;
}

/** The tenants of saved plans, unless the options name some of them. */
function ofPlans(options: Arguments, plans: readonly NamedPlan[]): Arguments {
  return options.tenant.length > 0 ? options : { ...options, all: false, tenant: plans.map(({ name }) => name) };
}

/** Throws a CommandError: several tenants are reviewed with plan, and each is named by what the files assert. */
function checkSeveral(context: CommandContext, targets: readonly Target[], plans: readonly NamedPlan[] | null): void {
  if (plans === null && context.arguments.plan !== undefined)
    throw invalidOption('--plan FILE is the plan of one tenant.', 'name a folder that plan --out has written');
  const unnamed = targets.flatMap(({ tenant }) => (tenant === null || tenant.baseUrl !== null ? [] : [tenant]));
  const problems = unnamed.map(({ name, source }) => {
    const message = `"${name}" has no base_url, which an apply to several tenants needs.`;
    return { ...problem('CONFIG_PROJECT', message, 'add base_url: https://<host>/api/v2 to the tenant'), source };
  });
  const all = [...optionProblems(context), ...problems];
  if (all.length > 0) throw new CommandError(exitCode.invalid, all);
}

/** Options that cannot be used together, or not without a terminal. */
function optionProblems({ arguments: options, io }: CommandContext): Diagnostic[] {
  const { only, except, rotate, plan, base, changed, yes, maxAge, allOrNothing, stateDir, shard, wave } = options;
  const problems: Diagnostic[] = [];
  if (shard !== undefined && wave === undefined) {
    const message = '--shard needs --wave: a shard does not know when the other shards have finished a wave.';
    const hint = 'add --wave N, and start the next wave when all shards of this one have ended with 0';
    problems.push(problem('OPTION_INVALID', message, hint));
  }
  if (plan !== undefined && (only.length + except.length + rotate.length > 0 || base !== undefined || changed)) {
    const message =
      '--plan cannot be used with --only, --except, --rotate, --base or --changed: the saved plan has its own.';
    problems.push(problem('OPTION_INVALID', message, 'remove --plan, or the other options'));
  }
  if (plan === undefined && allOrNothing) {
    const message = '--all-or-nothing needs --plan: without a saved plan, nothing can have changed since.';
    problems.push(problem('OPTION_INVALID', message, 'remove --all-or-nothing, or add --plan FILE'));
  }
  if (plan === undefined && maxAge !== undefined) {
    const message = '--max-age needs --plan: without a saved plan, the plan is made now.';
    problems.push(problem('OPTION_INVALID', message, 'remove --max-age, or add --plan FILE'));
  }
  if (stateDir !== undefined && stateUrl(io) !== undefined) {
    const message = '--state-dir cannot be used with TENANT_SYNC_STATE_URL: a database keeps the state.';
    problems.push(problem('OPTION_INVALID', message, 'remove --state-dir, or unset the variable'));
  }
  if (!yes && !io.interactive) {
    const message = 'The plan cannot be confirmed without a terminal, or with the output in a pipe.';
    problems.push(problem('OPTION_INVALID', message, 'use --yes to apply without confirmation'));
  }
  return problems;
}
