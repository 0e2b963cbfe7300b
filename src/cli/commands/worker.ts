import { withSession } from '../../database/migrate.ts';
import { kinds } from '../../kinds/index.ts';
import { joined } from '../../report/document.ts';
import { checkState } from '../../report/view/compose-checks.ts';
import { quantity } from '../../report/wording.ts';
import { readChecks } from '../../worker/checks.ts';
import { countJobs, usualTimes } from '../../worker/jobs.ts';
import { isSchedule, runWorker, type WorkerState } from '../../worker/run-worker.ts';
import { openMetrics, type ServedWorker, serveWorker } from '../../worker/serve-worker.ts';
import { checkTenant, openTargets } from '../check-tenant.ts';
import type { CommandContext } from '../context.ts';
import { databaseUrl } from '../environment.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { rendered } from '../print-document.ts';
import { checkedDocuments } from '../saved-documents.ts';
import { few } from '../targets.ts';

const everyHour = '0 * * * *';

/** Checks the tenants of a project until a signal, or with --once until all are checked. */
export async function command(context: CommandContext, times = usualTimes): Promise<number> {
  const { io, output, arguments: options } = context;
  const { cron = everyHour, parallel, once } = options;
  const url = databaseUrl(io);
  const targetsOf = openTargets(io, options.folder);
  let state: WorkerState = 'disconnected';
  const tenants = async (run?: string) => [...(await targetsOf(run)).keys()];
  await tenants();
  if (!(await isSchedule(cron)))
    throw invalidOption(`--cron ${cron} is not a schedule.`, 'use five fields, such as "15 * * * *"');
  const served = await serve(context, url, { names: tenants, isHealthy: () => state === 'working' });
  try {
    await runWorker({
      ...{ url, cron, parallel, once, times, tenants, signal: io.signal, log: output.talk },
      onState: (now) => {
        state = now;
      },
      check: async (job, until) => checkTenant(context, job, await targetsOf(job.run), until),
    });
  } finally {
    await served?.close();
  }
  return once && !io.signal.aborted ? codeOf(context, url, await tenants()) : exitCode.done;
}

/** The exit code of a worker that has checked all tenants: 1 if one could not be compared. */
async function codeOf({ output }: CommandContext, url: string, names: readonly string[]): Promise<number> {
  const [checks, jobs] = await withSession(url, async (session) => [
    await readChecks(session, names),
    await countJobs(session),
  ]);
  const failed = checks.filter((check) => ['failed', 'never'].includes(checkState(check)));
  const named = failed.map(({ tenant }) => tenant);
  if (failed.length > 0) output.talk(`${quantity(failed.length, 'tenant')} could not be compared: ${few(named)}.`);
  return failed.length + jobs.failed === 0 ? exitCode.done : exitCode.failed;
}

interface Shown {
  readonly names: () => Promise<readonly string[]>;
  readonly isHealthy: () => boolean;
}

/** The page of --port; null without one. */
async function serve(context: CommandContext, url: string, { names, isHealthy }: Shown): Promise<ServedWorker | null> {
  const {
    output,
    arguments: { port },
  } = context;
  if (port === undefined) return null;
  const metrics = await openMetrics(async () => {
    const all = await names();
    return withSession(url, async (session) => ({
      tenants: await readChecks(session, all),
      jobs: await countJobs(session),
    }));
  });
  const report = async () => {
    const all = await names();
    const documents = await withSession(url, (session) => checkedDocuments(session, all));
    return joined(rendered(context, documents, 'html', { kinds, isList: true }));
  };
  const onError = ({ message }: Error) => output.talk(`The page could not be made: ${message}`);
  const served = await serveWorker(port, { report, metrics, isHealthy, onError }).catch(
    (error: NodeJS.ErrnoException) => {
      throw invalidOption(`Cannot listen on port ${port}: ${error.code}.`, 'choose another port; 0 is any free port');
    },
  );
  output.talk(`The page of the last checks is ${served.origin}/, with /healthz and /metrics.`);
  return served;
}
