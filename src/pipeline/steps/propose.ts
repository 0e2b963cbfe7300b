import type { Job } from '../job.ts';
import { readOwn, readResult } from '../results.ts';
import { pulledFile } from './drift.ts';

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
