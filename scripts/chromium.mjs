// The browser that tests and pictures of the HTML report use. Nothing is downloaded: it is the Chromium of the system, or the
// one that TENANT_SYNC_CHROMIUM names.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const noChromium =
  'No Chromium was found, so the HTML report is not tested in a browser. Install chromium, or set TENANT_SYNC_CHROMIUM to its path.';

export function findChromium(env = process.env) {
  const named = env.TENANT_SYNC_CHROMIUM;
  if (named) return isExecutable(named) ? named : null;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...applications].find(isExecutable) ?? null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** It does nothing on its own, and has no sandbox, which containers and root do not allow: the pages are ours. */
export function launchOptions(executablePath) {
  return {
    executablePath,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}
