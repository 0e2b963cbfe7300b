import { load } from './load.ts';
import type { ValidateOptions } from './options.ts';
import type { ValidateResult } from './results.ts';

/** Loads and checks the files. Nothing is sent. */
export async function validate(options: ValidateOptions): Promise<ValidateResult> {
  const loaded = await load(options);
  if (loaded.status === 'invalid') return loaded;
  return { status: 'valid', desired: loaded.desired, warnings: loaded.warnings, files: loaded.files };
}
