import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { field, textField } from '../fields.ts';
import { type Job, toolArguments } from '../job.ts';
import { pulledFolder, readReport, reportArguments, type StepResult, writeResult } from '../results.ts';
import { noPlan } from './no-plan.ts';

export const inSync = 0;
export const differs = 2;
/** `pull` could not read all, or something stays different; what it wrote is correct. */
const incomplete = 4;

/** Compares the tenant with the files. On request, also writes the tenant into them, for a proposal. */
export async function driftStep(job: Job): Promise<number> {
  const { settings, results, checkout } = job;
  const code = await job.tool(['drift', ...toolArguments(job), ...reportArguments(results, 'drift')]);
  const proposal = settings.proposes && code === differs ? await pulledFiles(job) : [];
  const commit = await checkout.head();
  await writeResult(results, { ...noPlan, step: 'drift', code, folder: settings.folder, commit, proposal });
  await job.summary((await readReport(results, 'drift')) ?? '');
  await job.output('code', String(code));
  return code === differs ? 0 : code;
}

export function pulledFile(results: string, path: string): string {
  return join(results, pulledFolder, path);
}

/** Paths are relative to the tenant folder. */
async function pulledFiles({ settings, results, workspace, tool }: Job): Promise<StepResult['proposal']> {
  const document = join(results, 'pull.json');
  const report = ['--report', `json=${document}`];
  const code = await tool(['pull', settings.folder, '--yes', ...settings.options, ...report]);
  if (code !== 0 && code !== incomplete) throw new Error(`pull failed with exit code ${code}.`);
  const listed = field(JSON.parse(await readFile(document, 'utf8')), 'files');
  const files = (Array.isArray(listed) ? listed : []).map((file: unknown) => ({
    path: textField(file, 'file'),
    exists: field(file, 'new') !== true,
  }));
  for (const { path } of files) {
    await mkdir(dirname(pulledFile(results, path)), { recursive: true });
    await cp(join(workspace, settings.folder, path), pulledFile(results, path));
  }
  return files;
}
