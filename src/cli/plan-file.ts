import { constants } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { problem } from '../diagnostics/problem.ts';
import { openRegular, writeAtomically } from '../files/safe-file-access.ts';
import type { Plan } from '../model/plan.generated.ts';
import { planChecksum, planDigest } from '../plan/digest.ts';
import { parsePlan } from '../sync/parse-plan.ts';
import { CommandError, invalidOption } from './command-error.ts';
import { exitCode } from './exit-codes.ts';
import type { Output } from './output.ts';

/**
 * Refuses a path that is neither free nor a saved plan, before anything is sent: a rename would replace a device, a link
 * or a file of the tenant.
 */
export async function checkPlanPath(path: string): Promise<void> {
  const refuse = (why: string) =>
    invalidOption(`--out ${path} cannot be used: ${why}.`, 'name a file in a folder that exists');
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) throw refuse('its folder does not exist');
  const present = await lstat(path).catch(() => null);
  if (present === null) return;
  if (!present.isFile()) throw refuse('it is not a plain file');
  if (present.size > 0 && !(await isSavedPlan(path))) throw refuse('it is a file with other content than a plan');
}

/** The first field of every plan, of any format. */
const planStart = /^\s*\{\s*"format_version"/;

async function isSavedPlan(path: string): Promise<boolean> {
  const file = await openRegular(path, constants.O_RDONLY).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return planStart.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/**
 * The plan as JSON that may be written: without secrets of the environment, which a tenant may repeat anywhere. A plan that has
 * one is sealed again, so that the document is consistent; it can be read, but no longer applied where the secret was a
 * part of a request.
 */
export function planJson(plan: Plan, json: (plan: Plan) => string, mask: Output['mask']): string {
  const text = json(plan);
  if (mask(text) === text) return text;
  const masked = maskTexts(plan, mask);
  const signed = { ...masked, digest: planDigest(masked) };
  return json({ ...signed, checksum: planChecksum(signed) });
}

function maskTexts<Value>(value: Value, mask: Output['mask']): Value {
  if (typeof value === 'string') return mask(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, mask)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [mask(name), maskTexts(child, mask)] as const),
  ) as Value;
}

/** A larger file is neither written nor read. */
const mostBytes = 64 * 1024 * 1024;

export async function savePlan(path: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > mostBytes) throw planTooLarge(`The plan cannot be saved as ${path}`, exitCode.failed);
  await writeAtomically(path, text).catch((error: unknown) => {
    const message = `The plan cannot be saved as ${path}: ${codeOf(error)}.`;
    throw new CommandError(exitCode.failed, [problem('PLAN_FILE_INVALID', message, 'choose another path for --out')]);
  });
}

export async function readSavedPlan(path: string): Promise<Plan> {
  const parsed = parsePlan(await readText(path), path);
  if (parsed.status === 'parsed') return parsed.plan;
  throw new CommandError(exitCode[parsed.status], parsed.diagnostics);
}

const obstacles: Readonly<Partial<Record<string, string>>> = {
  ELOOP: 'it is a link',
  NOT_REGULAR: 'it is not a regular file',
};

async function readText(path: string): Promise<string> {
  try {
    const file = await openRegular(path, constants.O_RDONLY);
    try {
      const chunks: Buffer[] = [];
      // One byte more than allowed: a file may grow, and the size of some is not known.
      for await (const chunk of file.createReadStream({ end: mostBytes, autoClose: false }))
        chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      if (bytes.length > mostBytes) throw planTooLarge(`The plan ${path} cannot be read`, exitCode.invalid);
      return bytes.toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why = obstacles[codeOf(error)] ?? codeOf(error);
    const message = `The plan ${path} cannot be read: ${why}.`;
    throw new CommandError(exitCode.invalid, [
      problem('PLAN_FILE_INVALID', message, 'save a plan with plan --out FILE'),
    ]);
  }
}

function planTooLarge(what: string, code: number): CommandError {
  const message = `${what}: it has more than ${mostBytes} bytes (64 MB).`;
  return new CommandError(code, [problem('PLAN_FILE_INVALID', message, 'save several plans with plan --only')]);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause';
}
