import { runStep } from '../../src/pipeline/run-step.ts';
import { runCommand } from './run-command.ts';

export interface Ended {
  readonly code: number;
  readonly log: string;
}

/** Runs a step of the pipeline and the tool in this process, and waits for nothing. */
export async function stepHere(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  let log = '';
  const write = (text: string) => {
    log += text;
  };
  const code = await runStep({
    argv,
    env,
    write,
    tool: async (command, cwd, toolEnv) => (await runCommand(command, { cwd, env: toolEnv, onOutput: write })).code,
    sleep: async () => {},
  });
  return { code, log };
}
