/** Set by `npm run check`: large inputs and all cases. Without it, tests are quick. */
export const thorough = process.env['THOROUGH'] === '1';

/**
 * Options of a property test: `cases` in a thorough run, `quick` otherwise. The seed is fixed, so that a failure can be repeated;
 * PROPERTY_SEED sets another one.
 */
export function propertyRuns(
  cases: number,
  quick = Math.min(cases, 100),
): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: thorough ? cases : quick, seed: Number(process.env['PROPERTY_SEED'] ?? 1) };
}
