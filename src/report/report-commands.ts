/** Commands to paste, with the folder, the selection and the options of the run; null if none can be printed. */
export interface ReportCommands {
  /** Applies a refused plan with the code that approves it. */
  readonly approve: (code: string) => string | null;
  /** Plans the same again. */
  readonly plan: () => string | null;
}

/** For a document whose run is not known. */
export const noCommands: ReportCommands = { approve: () => null, plan: () => null };
