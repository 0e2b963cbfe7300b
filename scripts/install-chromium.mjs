// Installs the Chromium that the tests of the HTML report need, unless one is there: with the package manager of the system, as
// root or through sudo without a password. Where that cannot be done it says what to do, and exits with 1.
import { spawnSync } from 'node:child_process';
import { findChromium, noChromium } from './chromium.mjs';

const managers = [
  {
    name: 'apt-get',
    commands: [
      ['apt-get', 'update', '-q'],
      ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'chromium'],
    ],
  },
  { name: 'dnf', commands: [['dnf', 'install', '-y', '-q', 'chromium']] },
  { name: 'apk', commands: [['apk', 'add', '--no-cache', 'chromium']] },
  { name: 'brew', asUser: true, commands: [['brew', 'install', '--cask', 'chromium']] },
];

if (findChromium() === null) install();
const path = findChromium();
if (path === null) {
  console.error(noChromium);
  process.exit(1);
}
console.log(`# Chromium: ${path}`);

/** The commands of the first package manager that the system has, in order, until one fails. */
function install() {
  const manager = managers.find(({ name }) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  const prefix = manager?.asUser || process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  for (const command of manager?.commands ?? []) {
    const [program, ...args] = [...prefix, ...command];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, error, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
    if (status === 0) continue;
    console.error(`${[program, ...args].join(' ')}: ${error?.message ?? `exit code ${status}\n${stdout}${stderr}`}`);
    return;
  }
}
