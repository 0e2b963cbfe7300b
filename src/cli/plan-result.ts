import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.generated.ts';
import { renderDiagnostics } from '../report/render-diagnostics.ts';
import type { CommandContext } from './command.ts';
import { problem } from './fault.ts';
import { folderInRepository } from './folder-in-repository.ts';

/** What reports need beside their data. */
export function reportContext({ io, output, arguments: { folder } }: CommandContext) {
  return { style: output.resultStyle, kinds, folder: folderInRepository(io, folder) };
}

/** Why apply would refuse this plan; empty when it would not. */
export function refusalsOf(plan: Plan, approved: boolean, folder = '.'): Diagnostic[] {
  const incomplete = plan.complete
    ? []
    : [
        problem(
          'PLAN_INCOMPLETE',
          'Live state could not be read whole, so nothing is deleted on the strength of it, and apply refuses the plan.',
          'the findings name what failed; run again when it is mended, or leave the kind out with --except',
        ),
      ];
  const guarded = approved
    ? []
    : plan.refusals.map(({ kind, message, approve }) =>
        problem(
          'GUARD_REFUSED',
          `${kind}: the plan ${message}.`,
          `if that is meant: tenant-sync apply${folder === '.' ? '' : ` ${folder}`} --approve ${approve}`,
        ),
      );
  return [...incomplete, ...guarded];
}

/** Diagnostics as talk, after or before a result. */
export function tell({ output }: CommandContext, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) output.talk(renderDiagnostics(diagnostics, 'text', output.talkStyle, 0));
}
