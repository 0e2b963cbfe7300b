// Which tenants an apply to several has finished, in the state folder: what --resume skips.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { canonicalBaseUrl } from '../contract/formats.ts';
import {
  continueJournalFile,
  orCannotUse,
  prepareStateFolder,
  readJournalFile,
  replaceJournalFile,
} from '../journal/folder-store.ts';
import type { Selection } from '../model/plan.generated.ts';
import { everything } from '../plan/selection.ts';
import type { Prepared } from './each-tenant.ts';
import { invalidOption } from './exit-codes.ts';
import { nameOf } from './targets.ts';

export type FinishedTenants = Awaited<ReturnType<typeof openFinishedTenants>>;

/** A new run, or the one to resume. Throws a CommandError if the state folder does not have it. */
export async function openFinishedTenants(stateFolder: string, resume: string | undefined) {
  const run = resume ?? randomBytes(4).toString('hex');
  const folder = join(stateFolder, 'runs');
  const path = join(folder, `${run}.jsonl`);
  for (const one of [stateFolder, folder]) orCannotUse(one, () => prepareStateFolder(one));
  const lines = resume === undefined ? '' : await readJournalFile(path);
  if (lines === null) {
    const hint = 'name the run that apply printed, with the same --state-dir';
    throw invalidOption(`--resume ${run}: there is no ${path}.`, hint);
  }
  const finished = new Set(lines.split('\n').filter((line) => line !== ''));
  const file = await (resume === undefined
    ? replaceJournalFile(path, '')
    : continueJournalFile(path, Buffer.byteLength(lines)));
  return {
    /** Names the run for --resume. */
    run,
    /** True if the run has finished this part of the tenant, with the files as they are now. */
    has: (tenant: Prepared, selection?: Partial<Selection>) => finished.has(lineOf(tenant, selection)),
    /** What cannot be recorded is no failure: the tenant is visited again. */
    add: (tenant: Prepared, selection: Selection) => file.append(`${lineOf(tenant, selection)}\n`).catch(() => {}),
    close: () => file.close(),
  };
}

/** The same files on another tenant, other files and another part of them are not finished. */
function lineOf({ target, inputs, fingerprint }: Prepared, selection: Partial<Selection> | undefined): string {
  const part = { ...everything, ...selection };
  return JSON.stringify([nameOf(target), canonicalBaseUrl(inputs.tenant.baseUrl), fingerprint, part]);
}
