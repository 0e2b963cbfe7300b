// Each command loads only what it needs; --version loads nothing else.
import { version } from '../files/package-file.ts';
import { keepCompiledCode } from './compiled-code.ts';

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
