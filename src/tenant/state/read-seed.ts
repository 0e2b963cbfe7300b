import { readFile } from 'node:fs/promises';
import { TenantSetupError } from '../setup-error.ts';

/** The JSON value of a seed file, not yet checked; a TenantSetupError with SEED_INVALID when there is none. */
export async function readSeed(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw invalid(`${file} cannot be read: ${cause.code ?? cause.message}.`, cause);
  });
  return parseSeed(text, file);
}

/** The parser's own message is left out: it quotes the text, which may hold a client secret. */
export function parseSeed(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(`${label} is not JSON.`, cause);
  }
}

function invalid(message: string, cause: unknown): TenantSetupError {
  return new TenantSetupError([{ code: 'SEED_INVALID', severity: 'error', message }], { cause });
}
