import { failureOf, readRegularFile } from '../config/files/folder-source.ts';
import { problem } from '../diagnostics/problem.ts';
import { parsePlan } from '../document/parse-document.ts';
import { writeAtomically } from '../files/safe-file-access.ts';
import type { Plan } from '../model/plan.generated.ts';
import { CommandError, exitCode } from './exit-codes.ts';

/** A larger file is neither written nor read. */
const mostBytes = 64 * 1024 * 1024;

export async function savePlan(path: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > mostBytes) throw planTooLarge(`The plan cannot be saved as ${path}`, exitCode.failed);
  await writeAtomically(path, text).catch((error: unknown) => {
    const message = `The plan cannot be saved as ${path}: ${failureOf(error).detail}.`;
    const hint = 'free some space, or choose another path for --out';
    throw new CommandError(exitCode.failed, [problem('PLAN_FILE_INVALID', message, hint)]);
  });
}

export function readSavedPlan(path: string): Plan {
  const parsed = parsePlan(readSavedText(path), path);
  if (parsed.status === 'parsed') return parsed.plan;
  throw new CommandError(exitCode[parsed.status], parsed.diagnostics);
}

/** The text of a saved document. Throws a CommandError if it cannot be read. */
export function readSavedText(path: string): string {
  const read = readRegularFile(path, mostBytes);
  if (read.ok) return read.bytes.toString();
  if (read.reason === 'too_large') throw planTooLarge(`The plan ${path} cannot be read`, exitCode.invalid);
  const why = read.detail === 'ELOOP' ? 'it is a link' : read.detail || 'it is not a regular file';
  const message = `The plan ${path} cannot be read: ${why}.`;
  throw new CommandError(exitCode.invalid, [problem('PLAN_FILE_INVALID', message, 'save a plan with plan --out FILE')]);
}

function planTooLarge(what: string, code: number): CommandError {
  const message = `${what}: it has more than ${mostBytes} bytes (64 MB).`;
  return new CommandError(code, [problem('PLAN_FILE_INVALID', message, 'save several plans with plan --only')]);
}
