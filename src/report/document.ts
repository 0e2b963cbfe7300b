import type { Diagnostic } from '../model/diagnostic.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { PullReport } from './render-pull.ts';

/** The result of a run, before it has a format. */
export type ReportDocument =
  | PlanDocument
  | { readonly type: 'outcomes'; readonly outcomes: OutcomesDocument }
  | { readonly type: 'pull'; readonly pull: PullReport }
  | DiagnosticsReport;

/** Each document is made when it is its turn, anew for each format. */
export interface Documents extends Iterable<ReportDocument> {
  readonly length: number;
}

export interface PlanDocument {
  /** `drift` describes the same plan from the tenant's side. */
  readonly type: 'plan' | 'drift';
  readonly plan: Plan;
  /** Warnings, and refusals that the plan itself does not have. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Errors and warnings: the result of validate, and of every run that ends before it has another one. */
export interface DiagnosticsReport {
  readonly type: 'diagnostics';
  /** Name of the command. */
  readonly command: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files read. */
  readonly files: number;
}

export type DocumentType = ReportDocument['type'];
