import type { WriteConnection } from '../../model/client.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Forecast } from '../../model/forecast.ts';
import type { Plan } from '../../model/plan.generated.ts';
import type { ApplyOptions } from '../options.ts';

/** An error refuses the plan; a warning is shown. Empty when there is nothing to report. */
export type Check<Context> = (plan: Plan, context: Context) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;

export interface PlanContext extends Pick<ApplyOptions, 'approve'> {
  readonly forecast: Forecast;
  readonly maxSeconds?: number | undefined;
}

export interface ApplyContext extends PlanContext, Pick<ApplyOptions, 'clock' | 'saved' | 'secret'> {
  readonly connection: Pick<WriteConnection, 'grantedScopes' | 'tokenEnds'>;
  /** The saved plan when this apply resumes it. */
  readonly resumed: Plan | null;
}
