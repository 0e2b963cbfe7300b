import type { Job } from './job.ts';
import { touchingPaths } from './touching-paths.ts';

/**
 * The newest commit of the branch, if its files are not those of the checkout. To plan or apply the checkout, for example
 * in a run that is started again, would undo that commit, or do what was withdrawn from the branch.
 */
export async function newerCommit({ checkout, run, settings, workspace }: Job): Promise<string | null> {
  const tip = await checkout.commitOf(`refs/remotes/origin/${run.branch}`);
  const head = await checkout.head();
  if (tip === null || tip === head) return null;
  return (await checkout.differs(head, tip, touchingPaths(settings, workspace))) ? tip : null;
}

/** Why nothing is done. */
export function newerText({ settings }: Job, newer: string): string {
  return `${settings.folder} changed again in ${newer.slice(0, 12)}, whose run plans and applies it.`;
}
