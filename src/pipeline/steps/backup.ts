import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { field, textField } from '../fields.ts';
import type { Job } from '../job.ts';
import { backupFolder, planFile, readOwn } from '../results.ts';

/** Part of the tenant could not be read. The rest is still a way back. */
const incomplete = 4;

/** Writes the tenant into files of its own: the way back after an apply. */
export async function backupStep(job: Job): Promise<number> {
  const folder = join(job.results, backupFolder);
  await mkdir(folder, { recursive: true });
  const tenant = field(JSON.parse((await readOwn(join(job.results, planFile))) ?? '{}'), 'tenant');
  const value = (name: string) => textField(tenant, name).replaceAll('${', '$${');
  const header = { tenant: { name: value('name'), base_url: value('base_url'), api: value('api') } };
  // JSON is YAML.
  await writeFile(join(folder, 'tenant.yaml'), `${JSON.stringify(header)}\n`);
  const code = await job.tool(['pull', folder, '--yes']);
  if (code !== incomplete) return code;
  job.warn('The state before the apply is not complete: part of the tenant could not be read.');
  return 0;
}
