import type { Plan } from '../model/plan.generated.ts';

/** Commands to paste, with the folder, the selection and the options of the run; null if none can be printed. */
export interface ReportCommands {
  /** Applies a refused plan with the code that approves it. */
  readonly approve: (code: string) => string | null;
  /** Plans the same again. */
  readonly plan: (again: Pick<Plan, 'selection' | 'base'>) => string | null;
  /** Whether that plan is saved: a saved plan was applied, and applying it again has the same conflicts. */
  readonly savesPlan: boolean;
}

/** For a document whose run is not known. */
export const noCommands: ReportCommands = { approve: () => null, plan: () => null, savesPlan: false };

/** What to do after an apply that left something. */
export function nextStep(again: Pick<Plan, 'selection' | 'base'>, commands: ReportCommands = noCommands): string {
  const command = commands.plan(again);
  if (command === null) return 'plan this tenant again to see the remaining changes, then apply that plan';
  return commands.savesPlan
    ? `run ${command} to save a new plan of what remains, review it, then apply it`
    : `run ${command} to see the remaining changes, then apply again`;
}
