// From a clean checkout to a command that runs: compiled validators, then dist/.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const node = (script, ...args) => execFileSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

node('scripts/generate.mjs', '--compiled-only');
rmSync(join(root, 'dist'), { recursive: true, force: true });
try {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
} catch {
  process.exit(1);
}
chmodSync(join(root, 'dist/cli/main.js'), 0o755);
