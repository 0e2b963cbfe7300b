import { readFileSync } from 'node:fs';
import { packageFile } from '../files/package-file.ts';

/** The version of the package, read from its manifest. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
