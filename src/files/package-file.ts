import { readFileSync } from 'node:fs';

/**
 * The URL of a file of this package, such as `schemas/plan.schema.json`. This module is two folders below the root, in
 * src/ and in dist/ alike, so every module that needs a file of the package finds it through this one.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/** The version of this package, read from its manifest. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
