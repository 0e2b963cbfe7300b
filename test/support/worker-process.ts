/** `tenant-sync worker` with the arguments and the times of a test: TIMES is JSON. */
import { command } from '../../src/cli/commands/worker.ts';
import { openOutput } from '../../src/cli/output.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { processIo } from '../../src/cli/process-io.ts';
import { run } from '../../src/cli/run.ts';

const io = processIo(['worker', ...process.argv.slice(2)], process.cwd());
const parsed = await parseArguments(io.argv, 80);
if ('page' in parsed) throw new Error(parsed.page);
const context = { io, output: openOutput(io), arguments: parsed, reports: [], run };
process.exitCode = await command(context, JSON.parse(process.env['TIMES'] ?? ''));
for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
