import { isSchedule, runWorker } from '../../worker/run-worker.ts';
import { usualTimes } from '../../worker/worker-lock.ts';
import { checkTenant, openTargets } from '../check-tenant.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { databaseUrl, orCommandError } from '../database.ts';

const everyHour = '0 * * * *';

/** Checks the tenants of a project until a signal, or with --once until all are checked. */
export async function command(context: CommandContext, times = usualTimes): Promise<number> {
  const { io, output, arguments: options } = context;
  const { cron = everyHour, parallel, once } = options;
  const url = databaseUrl(io);
  const targetsOf = openTargets(context);
  await targetsOf('start');
  return orCommandError(async () => {
    if (!(await isSchedule(cron)))
      throw invalidOption(`--cron ${cron} is not a schedule.`, 'use five fields, such as "15 * * * *"');
    await runWorker({
      ...{ url, cron, parallel, once, times, signal: io.signal },
      log: output.talk,
      tenants: async (run) => [...(await targetsOf(run)).keys()],
      async check(job, until) {
        const found = await checkTenant(context, job, await targetsOf(job.run), until);
        output.talk(`${job.tenant}: ${found.command} exited with ${found.exitCode}`);
        return found;
      },
    });
    return exitCode.done;
  });
}
