/** Set by `npm run check:long`: all cases, and inputs at their full size. Without it, tests are quick. */
export const thorough = process.env['THOROUGH'] === '1';

/** The size of an input whose time is measured: a tenth of it, unless the run is thorough. */
export function sized(full: number): number {
  return thorough ? full : Math.ceil(full / 10);
}

/**
 * Options of a property test: `cases` in a thorough run, `quick` otherwise. Quick runs repeat the same cases. `npm run check:long` sets
 * PROPERTY_SEED to a random number and prints it, so that a failure can be repeated.
 */
export function propertyRuns(
  cases: number,
  quick = Math.min(cases, 100),
): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: thorough ? cases : quick, seed: Number(process.env['PROPERTY_SEED'] ?? 1) };
}
