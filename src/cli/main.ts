#!/usr/bin/env node
// Each command loads only what it needs; --version loads nothing else.
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { version } from '../files/package-file.ts';

const argv = process.argv.slice(2);
if (argv.length === 1 && argv[0] === '--version') process.stdout.write(`${version()}\n`);
else void start();

async function start() {
  const cwd = workingDirectory();
  keepCompiledCode();
  const { processIo } = await import('./process-io.ts');
  const { run } = await import('./run.ts');
  process.exitCode = await run(processIo(argv, cwd));
  // Only output is left, and there may be no reader for it: from now on a signal ends the process.
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
}

/** As the shell knows it if it was deleted; then the process goes elsewhere, because libraries ask for it when they load. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    process.chdir('/');
    return process.env['PWD'] ?? '(deleted)';
  }
}

/**
 * Node 22 and later keep the compiled code of this program between runs, in a folder of the user's own: others can write to a
 * shared one, which is where Node keeps it if nothing is said. Where the folder cannot be written, Node compiles each time. A
 * runner of a pipeline would rarely find it again, and what one job writes there must not run in another.
 */
function keepCompiledCode(): void {
  const { CI: ci, XDG_CACHE_HOME: xdg, HOME: home } = process.env;
  if (ci) return;
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (directory: string) => unknown };
  enableCompileCache?.(join(xdg || join(home || homedir(), '.cache'), 'tenant-sync'));
}
