import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openReadability } from '../../config/variables/variables.ts';
import { problem } from '../../diagnostics/problem.ts';
import type { Applied, ApplyRefused } from '../../engine/results.ts';
import { kinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { withoutActions } from '../../plan/summary.ts';
import { confirmationQuestion, renderDocument } from '../../report/render-report.ts';
import { apply } from '../../sync/apply.ts';
import { applySeveral } from '../apply-tenants.ts';
import type { CommandContext } from '../context.ts';
import { runAlone, type Use } from '../each-tenant.ts';
import { shownFolder, stateFolder, stateUrl } from '../environment.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { reportBeside, terminalWidth } from '../output.ts';
import type { Arguments } from '../parse-arguments.ts';
import { internalError, withoutSecrets, writeReports } from '../print-document.ts';
import { reportAlone } from '../report-tenants.ts';
import { given, withBase } from '../run-options.ts';
import { type NamedPlan, readPlans, readSavedPlan } from '../saved-plans.ts';
import { asksForSeveral, type Target, targetOf, targetsOf } from '../targets.ts';

/** Prints the plan, asks for confirmation, and prints the outcomes. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { allOrNothing, approve, maxAge, expect, maxStaleness, visibleWithin, yes } = options;
  const plans = savedPlansOf(context);
  const chosen = {
    ...given({ allOrNothing, approve, maxAge, expect, maxStaleness, visibleWithin }),
    onSecret: output.hide,
    secret: (name: string) => hiddenSecret(context, name),
    unverified: options.noVerify.includes('all') ? kinds.map(({ name }) => name) : options.noVerify,
    stateFolder: stateFolder(io, options.stateDir),
    ...given({ stateUrl: stateUrl(io) }),
    hangUp: io.hangUp,
  };
  const shown: Use<Applied | ApplyRefused>['shown'] = (result) => ({
    document: { type: 'outcomes', outcomes: result.outcomes },
    beside: besideOf(context, result),
  });
  if (plans !== null || asksForSeveral(options)) {
    const selected = await targetsOf(io, plans === null ? options : ofPlans(options, plans));
    checkSeveral(context, selected, plans);
    return applySeveral(context, selected, plans, (saved) => ({
      // An approval that only the saved plan has does not count if the digest is expected.
      run: (inputs) =>
        apply({ ...inputs, ...chosen, ...given({ expect: expect && saved.digest }), saved, confirm: 'skip' }),
      shown,
    }));
  }
  const target = await targetOf(io, options);
  const saved = options.plan === undefined ? undefined : readSavedPlan(resolve(io.cwd, options.plan));
  let left: Plan | null = null;
  const confirm = yes ? 'skip' : (plan: Plan) => io.confirm(output.mask(confirmationQuestion(left ?? plan)));
  const ended = await withBase(io, options, (baseOf, problems) => {
    const use: Use<Applied | ApplyRefused> = {
      run: async (inputs) => {
        const base = await baseOf(target);
        return apply({ ...inputs, ...chosen, ...given({ base, saved }), changed: options.changed, confirm });
      },
      shown,
    };
    return runAlone(context, target, use, {
      problems: [...optionProblems(context), ...problems],
      listen: (event) => {
        if (event.type !== 'planned') return;
        left = withoutActions(event.plan, event.ended ?? []);
        printPlan(context, left, event.ended);
      },
    });
  });
  if (ended.result?.status !== 'refused' || options.format !== 'text') return reportAlone(context, ended);
  // As text, the plan is already printed, and there is no outcome to add.
  await writeReports(context, [ended.document], { kinds });
  reportBeside(output, ended.beside);
  return ended.code;
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

/** Why an apply was refused, or what ended it early. */
function besideOf({ output, arguments: options }: CommandContext, result: Applied | ApplyRefused): Diagnostic[] {
  if (result.status === 'refused') return [...result.refusals];
  const { bug, diagnostics } = result;
  return [...diagnostics, ...(bug === null ? [] : [internalError(bug.cause, output, options.debug)])];
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
    const message = 'The plan cannot be confirmed without a terminal.';
    problems.push(problem('OPTION_INVALID', message, 'use --yes to apply without confirmation'));
  }
  return problems;
}

/** A secret of the environment that files may read. It is redacted in all further output. */
function hiddenSecret({ arguments: { allowEnv }, io, output }: CommandContext, name: string): string | undefined {
  const { env } = io;
  const secret = openReadability({ env, allowEnv })(name) === 'readable' ? env[name] : undefined;
  if (secret) output.hide(secret);
  return secret;
}

/** As the result, or, where that has another format, for the confirmation alone. */
function printPlan(
  { io, output, arguments: options }: CommandContext,
  plan: Plan,
  ended: readonly Outcome[] | undefined,
): void {
  const isResult = options.format === 'text';
  if (!isResult && options.yes) return;
  const document = withoutSecrets({ type: 'plan', plan, diagnostics: [] }, output.mask);
  const text = renderDocument(document, 'text', {
    style: isResult ? output.resultStyle : output.talkStyle,
    width: terminalWidth(isResult ? io.stdout : io.stderr),
    kinds,
    folder: shownFolder(io, options.folder),
    detail: options.detail,
    ...(ended && { ended }),
  });
  if (isResult) output.result(text);
  else output.talk(text);
}
