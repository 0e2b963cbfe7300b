import { readFileSync } from 'node:fs';

/** The version of the package, read from its manifest. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
