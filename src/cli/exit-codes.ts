/** Public API. A stop by signal n answers 128 + n. */
export const exitCode = {
  done: 0,
  failed: 1,
  difference: 2,
  invalid: 3,
  refused: 4,
} as const;
