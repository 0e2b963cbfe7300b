// The peer, from the package registry into a folder of its own: it is measured, and never a dependency.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const peerVersion = '8.44.0';

const packageName = 'auth0-deploy-cli';

/** Installs into `folder`, unless it is there already; answers the script to run and the versions that were got. */
export async function installPeer(folder) {
  const installed = async (name) =>
    JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  const found = await installed(packageName).catch(() => null);
  if (found?.version !== peerVersion) {
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    const options = [
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const name = `${packageName}@${peerVersion}`;
    await promisify(execFile)('npm', ['install', ...options, name], { cwd: folder, timeout: 300_000 }).catch(
      (cause) => {
        const why = `${cause.stderr || cause.message}`.trim();
        throw new Error(`${name} could not be installed: npm needs a registry that it can reach\n${why}`, { cause });
      },
    );
  }
  const { bin } = await installed(packageName);
  const { version: sdkVersion } = await installed('auth0');
  return { script: join(folder, 'node_modules', packageName, bin.a0deploy), sdkVersion };
}
