// Which tenants an apply to several has finished, where the state is kept: what --resume skips.
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
import { stateFolder, stateUrl } from './environment.ts';
import { invalidOption } from './exit-codes.ts';
import type { Io } from './io.ts';
import { nameOf } from './targets.ts';

export type FinishedTenants = Awaited<ReturnType<typeof openFinishedTenants>>;

/** The lines of a run; null if it is to be resumed and is not known. */
interface RunLines {
  readonly lines: string | null;
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A new run, or the one to resume. Throws a CommandError if it is not known, and a JournalTrouble. */
export async function openFinishedTenants(
  io: Pick<Io, 'env' | 'cwd'>,
  { resume, stateDir }: { readonly resume: string | undefined; readonly stateDir: string | undefined },
) {
  const run = resume ?? randomBytes(4).toString('hex');
  const url = stateUrl(io);
  const isNew = resume === undefined;
  const opened = url === undefined ? inFolder(stateFolder(io, stateDir), run, isNew) : inDatabase(url, run, isNew);
  const { lines, append, close } = await opened;
  if (lines === null) {
    const where = url === undefined ? join(stateFolder(io, stateDir), 'runs') : 'the database';
    const hint = 'name the run that apply printed, with the same --state-dir or TENANT_SYNC_STATE_URL';
    throw invalidOption(`--resume ${run}: there is no such run in ${where}.`, hint);
  }
  const finished = new Set(lines.split('\n').filter((line) => line !== ''));
  return {
    /** Names the run for --resume. */
    run,
    /** True if the run has finished this part of the tenant, with the files as they are now. */
    has: (tenant: Prepared, selection?: Partial<Selection>) => finished.has(lineOf(tenant, selection)),
    /** What cannot be recorded is no failure: the tenant is visited again. */
    add: (tenant: Prepared, selection: Selection) => append(`${lineOf(tenant, selection)}\n`).catch(() => {}),
    close,
  };
}

async function inFolder(stateFolder: string, run: string, isNew: boolean): Promise<RunLines> {
  const folder = join(stateFolder, 'runs');
  const path = join(folder, `${run}.jsonl`);
  for (const one of [stateFolder, folder]) orCannotUse(one, () => prepareStateFolder(one));
  const lines = isNew ? '' : await readJournalFile(path);
  if (lines === null) return { lines, append: async () => {}, close: async () => {} };
  const file = await (isNew ? replaceJournalFile(path, '') : continueJournalFile(path, Buffer.byteLength(lines)));
  return { lines, append: file.append, close: file.close };
}

async function inDatabase(url: string, run: string, isNew: boolean): Promise<RunLines> {
  const { keptText } = await import('../database/database-store.ts');
  const { read, append } = keptText(url, `run ${run}`);
  if (isNew) await append('');
  return { lines: await read(), append, close: async () => {} };
}

/** The same files on another tenant, other files and another part of them are not finished. */
function lineOf({ target, inputs, fingerprint }: Prepared, selection: Partial<Selection> | undefined): string {
  const part = { ...everything, ...selection };
  return JSON.stringify([nameOf(target), canonicalBaseUrl(inputs.tenant.baseUrl), fingerprint, part]);
}
