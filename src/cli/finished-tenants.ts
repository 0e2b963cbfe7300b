// Which tenants an apply to several has finished, in the state folder: what --resume skips.
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalBaseUrl } from '../contract/formats.ts';
import type { Prepared } from './each-tenant.ts';
import { invalidOption } from './exit-codes.ts';

export interface FinishedTenants {
  /** Names the run for --resume. */
  readonly run: string;
  /** True for a tenant that the run has finished with the files as they are now. */
  has(tenant: Prepared): boolean;
  /** A failure is not reported: the tenant is visited again. */
  add(tenant: Prepared): Promise<void>;
}

/** A new run, or the one to resume. Throws a CommandError if the state folder does not have it. */
export async function openFinishedTenants(stateFolder: string, resume: string | undefined): Promise<FinishedTenants> {
  const run = resume ?? randomBytes(4).toString('hex');
  const folder = join(stateFolder, 'runs');
  const path = join(folder, `${run}.jsonl`);
  const lines = resume === undefined ? '' : await readFile(path, 'utf8').catch(() => null);
  if (lines === null) {
    const hint = 'name the run that apply printed, with the same --state-dir';
    throw invalidOption(`--resume ${run}: ${path} cannot be read.`, hint);
  }
  if (resume === undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await appendFile(path, '', { mode: 0o600 });
  }
  const finished = new Set(lines.split('\n').filter((line) => line !== ''));
  return {
    run,
    has: (tenant) => finished.has(lineOf(tenant)),
    add: (tenant) => appendFile(path, `${lineOf(tenant)}\n`).catch(() => {}),
  };
}

/** The same files on another tenant, or other files, are not finished. */
function lineOf({ target, inputs, fingerprint }: Prepared): string {
  return JSON.stringify([target.tenant?.name, canonicalBaseUrl(inputs.tenant.baseUrl), fingerprint]);
}
