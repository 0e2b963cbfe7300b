import { lstat, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { validatePlan } from '../contract/plan.generated.ts';
import { shape } from '../contract/shape.ts';
import type { Plan } from '../model/plan.generated.ts';
import { planChecksum } from '../plan/digest.ts';
import { exitCode } from './exit-codes.ts';
import { fault } from './fault.ts';

const planShape = shape<Plan>('plan.schema.json', validatePlan);

/** Refuses a path at which there is anything but a plain file, before anything is sent: a rename would replace a device or a link. */
export async function checkPlanPath(path: string): Promise<void> {
  const refuse = (why: string) =>
    fault(
      exitCode.invalid,
      'OPTION_INVALID',
      `--out ${path} cannot be used: ${why}.`,
      'name a file in a folder that exists',
    );
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) throw refuse('its folder does not exist');
  const present = await lstat(path).catch(() => null);
  if (present !== null && !present.isFile()) throw refuse('there is something that is not a plain file');
}

/** Writes a plan whole or not at all, readable by its owner only. */
export async function savePlan(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw fault(
      exitCode.failed,
      'PLAN_FILE_INVALID',
      `The plan cannot be saved as ${path}: ${codeOf(error)}.`,
      'choose another path for --out',
    );
  }
}

/** Reads a saved plan and trusts nothing in it: version, shape and digest are checked. */
export async function readSavedPlan(path: string): Promise<Plan> {
  const document = parse(path, await readText(path));
  checkVersion(path, document);
  if (!planShape.validate(document)) {
    const [first] = planShape.validate.errors ?? [];
    throw fault(
      exitCode.invalid,
      'PLAN_FILE_INVALID',
      `${path} is not a plan: ${first?.instancePath || 'its top level'} breaks the rule "${first?.keyword}" of schemas/plan.schema.json.`,
      'make it again with plan --out',
    );
  }
  if (planChecksum(document) !== document.checksum) {
    throw fault(
      exitCode.refused,
      'PLAN_STALE',
      `${path} was changed after it was made: its checksum does not match its content.`,
      'make it again with plan --out',
    );
  }
  return document;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw fault(
      exitCode.invalid,
      'PLAN_FILE_INVALID',
      `The plan ${path} cannot be read: ${codeOf(error)}.`,
      'make one with plan --out',
    );
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fault(exitCode.invalid, 'PLAN_FILE_INVALID', `${path} is not JSON.`, 'make it again with plan --out');
  }
}

/** An unknown major version cannot be read; a newer minor version may say things that this version would not do. */
function checkVersion(path: string, document: unknown): void {
  const found =
    typeof document === 'object' && document !== null && 'format_version' in document
      ? document.format_version
      : undefined;
  if (found === undefined || found === '2.0') return;
  throw fault(
    exitCode.invalid,
    'PLAN_VERSION_UNSUPPORTED',
    `${path} has plan format ${JSON.stringify(found)}; this version reads 2.0.`,
    'make and apply a plan with one version of tenant-sync',
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause';
}
