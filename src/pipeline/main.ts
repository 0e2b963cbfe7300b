// A step of a pipeline, as the action of GitHub or as a command of a GitLab job.
import { setTimeout as sleep } from 'node:timers/promises';
import { runStep } from './run-step.ts';
import { runTool } from './tool.ts';

process.exitCode = await runStep({
  argv: process.argv.slice(2),
  env: process.env,
  write: (text) => void process.stdout.write(text),
  tool: runTool,
  sleep: async (ms) => {
    await sleep(ms);
  },
});
