import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalBaseUrl } from '../contract/formats.ts';

/** The two files of one tenant. */
export interface StateFiles {
  readonly lock: string;
  readonly journal: string;
}

/**
 * Named after the host, for people, and after the whole base URL, so that two tenants never share: `login.acme.example-1f0c2a9b`.
 * Spellings of one URL give one name.
 */
export function stateFiles(folder: string, baseUrl: string): StateFiles {
  const { host } = new URL(baseUrl);
  const digest = createHash('sha256').update(canonicalBaseUrl(baseUrl)).digest('hex');
  const name = join(folder, `${host.replaceAll(/[^A-Za-z0-9.-]/g, '_').slice(0, 100)}-${digest.slice(0, 8)}`);
  return { lock: `${name}.lock`, journal: `${name}.journal` };
}

/** Makes the folder when it is not there, for its owner only. Throws what the file system throws; a link in its place is refused. */
export function prepareStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!lstatSync(folder).isDirectory()) throw Object.assign(new Error('a link'), { code: 'ELOOP' });
}
