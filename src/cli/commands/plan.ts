import { resolve } from 'node:path';
import { kinds } from '../../kinds/index.ts';
import { isOutOfSync } from '../../plan/summary.ts';
import { joined } from '../../report/document.ts';
import { plan } from '../../sync/plan.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, exitCodeOf } from '../exit-codes.ts';
import { reportBeside } from '../output.ts';
import { checkPlanPath } from '../output-files.ts';
import { savePlan } from '../plan-file.ts';
import { printDocuments, rendered, reportEnd } from '../print-document.ts';
import { given, readOptions, withBase } from '../run-options.ts';
import { watch } from '../watch.ts';

/** Prints what apply would do, and saves it to the file of --out. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { approve, printScopes } = options;
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (out !== null) await checkPlanPath(out);
  const result = await withBase(io, options, async ({ base, problems }) => {
    const inputs = await readOptions(io, options, problems);
    return watch(context, (onEvent) =>
      plan({
        ...inputs,
        ...given({ base, approve }),
        changed: options.changed,
        onEvent,
        onSecret: output.hide,
      }),
    );
  });
  if (result.status !== 'planned' && result.status !== 'refused') return reportEnd(context, result);

  const beside = [...result.warnings, ...(result.status === 'refused' ? result.refusals : [])];
  const document = { type: 'plan', plan: result.plan, diagnostics: beside } as const;
  const about = { kinds, scopes: printScopes };
  if (out !== null) await savePlan(out, await joined(rendered(context, [document], 'json', about)));
  await printDocuments(context, [document], about);
  reportBeside(output, beside);
  const code = exitCodeOf(result);
  const isDifferent = options.exitCode && isOutOfSync(result.plan);
  return code === exitCode.done && isDifferent ? exitCode.difference : code;
}
