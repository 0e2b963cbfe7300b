import { resolve } from 'node:path';
import type { Planned, PlanRefused, PlanResult } from '../../engine/results.ts';
import { kinds } from '../../kinds/index.ts';
import { isOutOfSync } from '../../plan/summary.ts';
import { joined } from '../../report/document.ts';
import { plan } from '../../sync/plan.ts';
import type { CommandContext } from '../context.ts';
import { eachTenant } from '../each-tenant.ts';
import { exitCode, exitCodeOf, invalidOption } from '../exit-codes.ts';
import { reportBeside } from '../output.ts';
import { checkPlanPath } from '../output-files.ts';
import { savePlan } from '../plan-file.ts';
import { printDocuments, rendered, reportEnd } from '../print-document.ts';
import { given, readOptions, withBase } from '../run-options.ts';
import { asksForSeveral, targetsOf } from '../targets.ts';
import { watch } from '../watch.ts';

/** Prints what apply would do, for one tenant or each of several, and saves it to the file of --out. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { approve, changed, printScopes } = options;
  const targets = await targetsOf(io, options);
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (asksForSeveral(options)) {
    if (out !== null) throw invalidOption('--out saves the plan of one tenant.', 'name one with --tenant');
    return eachTenant(context, targets, {
      run: (inputs) => plan({ ...inputs, ...given({ approve }), changed }),
      shown(result) {
        if (result.status !== 'planned' && result.status !== 'refused') return null;
        const document = documentOf(result);
        return { document, beside: document.diagnostics };
      },
      differs: (result) => isDifferent(result, options.exitCode),
    });
  }
  if (out !== null) await checkPlanPath(out);
  const result = await withBase(io, options, async ({ base, problems }) => {
    const inputs = await readOptions(io, options, problems, undefined, targets[0]);
    return watch(context, (onEvent) =>
      plan({ ...inputs, ...given({ base, approve }), changed, onEvent, onSecret: output.hide }),
    );
  });
  if (result.status !== 'planned' && result.status !== 'refused') return reportEnd(context, result);

  const document = documentOf(result);
  const about = { kinds, scopes: printScopes };
  if (out !== null) await savePlan(out, await joined(rendered(context, [document], 'json', about)));
  await printDocuments(context, [document], about);
  reportBeside(output, document.diagnostics);
  const code = exitCodeOf(result);
  return code === exitCode.done && isDifferent(result, options.exitCode) ? exitCode.difference : code;
}

function documentOf(result: Planned | PlanRefused) {
  const diagnostics = [...result.warnings, ...(result.status === 'refused' ? result.refusals : [])];
  return { type: 'plan', plan: result.plan, diagnostics } as const;
}

function isDifferent(result: PlanResult, isAsked: boolean): boolean {
  return isAsked && result.status === 'planned' && isOutOfSync(result.plan);
}
