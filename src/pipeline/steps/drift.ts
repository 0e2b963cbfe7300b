import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { field, textField } from '../forge.ts';
import { type Job, toolArguments } from '../job.ts';
import {
  pulledFolder,
  readOwn,
  readReport,
  readResult,
  reportArguments,
  type StepResult,
  writeResult,
} from '../results.ts';

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
  await writeResult(results, { step: 'drift', code, folder: settings.folder, commit, proposal });
  await job.summary((await readReport(results, 'drift')) ?? '');
  await job.output('code', String(code));
  return code === differs ? 0 : code;
}

function pulledFile(results: string, path: string): string {
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

/** Opens or updates a pull request that makes the files equal to the tenant. */
export async function proposeStep(job: Job): Promise<number> {
  const { settings, results, run } = job;
  const { folder } = settings;
  const drift = await readResult(results, 'drift');
  if (drift === null || drift.proposal.length === 0) {
    job.notice(`${folder} has no changes to propose.`);
    return 0;
  }
  const inside = folder === '.' ? '' : `${folder}/`;
  const files = await Promise.all(
    drift.proposal.map(async ({ path, exists }) => {
      if (path.split('/').some((name) => ['', '.', '..', '.git'].includes(name)))
        throw new Error(`${path} is not a file of ${folder}.`);
      const text = await readOwn(pulledFile(results, path));
      if (text === null) throw new Error(`The results have no file ${path}.`);
      return { path: `${inside}${path}`, exists, text };
    }),
  );
  const url = await job.forge().propose({
    branch: `tenant-sync/drift/${folder === '.' ? 'root' : folder}`,
    target: run.branch,
    parent: drift.commit,
    files,
    title: `Files as the tenant is: ${folder}`,
    body: [
      'Written by `tenant-sync pull`: with this change, the files are equal to the tenant. Merge it to keep what was',
      'changed on the tenant, or close it and apply the files to undo that.',
    ].join('\n'),
  });
  job.notice(`Proposed: ${url}`);
  return 0;
}
