import { withSession } from '../../database/migrate.ts';
import { allKinds } from '../../kinds/index.ts';
import { isOutOfSync } from '../../plan/summary.ts';
import { joined } from '../../report/document.ts';
import { checkState } from '../../report/view/compose-checks.ts';
import { few, quantity } from '../../report/wording.ts';
import { drift, plan } from '../../sync/plan.ts';
import { groupBy } from '../../values/group-by.ts';
import { type Found, readChecks } from '../../worker/checks.ts';
import { type CheckPayload, countJobs, usualTimes } from '../../worker/jobs.ts';
import { isSchedule, runWorker, type Until, type WorkerState } from '../../worker/run-worker.ts';
import { openMetrics, type ServedWorker, serveWorker } from '../../worker/serve-worker.ts';
import type { CommandContext } from '../context.ts';
import { type Ended, errorsOf, prepare, runOne } from '../each-tenant.ts';
import { databaseUrl, prefixOf } from '../environment.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import type { Io, StopReason } from '../io.ts';
import { openOutput } from '../output.ts';
import { rendered, withoutSecrets } from '../print-document.ts';
import { resultText } from '../saved.ts';
import { nameOf, type Target, targetsOf } from '../targets.ts';
import { checkedDocuments } from './show.ts';

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
  const served = await serve(context, url, tenants, () => state === 'working');
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
  if (!once) return exitCode.done;
  // What it was started for is not done.
  if (io.signal.aborted) return 128 + (io.signal.reason as StopReason).number;
  return codeOf(context, url, await tenants());
}

/** The exit code of a worker that has checked all tenants: 1 if one could not be compared. */
async function codeOf({ output }: CommandContext, url: string, names: readonly string[]): Promise<number> {
  const { tenants, jobs } = await countedChecks(url, names);
  const failed = tenants.filter((check) => ['failed', 'never'].includes(checkState(check)));
  const named = failed.map(({ tenant }) => tenant);
  if (failed.length > 0) output.talk(`${quantity(failed.length, 'tenant')} could not be compared: ${few(named)}.`);
  return failed.length + jobs.failed === 0 ? exitCode.done : exitCode.failed;
}

function countedChecks(url: string, names: readonly string[]) {
  return withSession(url, async (session) => ({
    tenants: await readChecks(session, names),
    jobs: await countJobs(session),
  }));
}

/** The page of --port; null without one. */
async function serve(
  context: CommandContext,
  url: string,
  names: () => Promise<readonly string[]>,
  isHealthy: () => boolean,
): Promise<ServedWorker | null> {
  const { port } = context.arguments;
  const { talk } = context.output;
  if (port === undefined) return null;
  const onError = ({ message }: Error) => talk(`The page could not be made: ${message}`);
  const metrics = await openMetrics(shared(async () => countedChecks(url, await names()), onError));
  const report = shared(async () => {
    const all = await names();
    await allKinds();
    const documents = await withSession(url, (session) => checkedDocuments(session, all));
    return joined(rendered(context, documents, 'html', { isList: true }));
  }, onError);
  const served = await serveWorker(port, { report, metrics, isHealthy }).catch((error: NodeJS.ErrnoException) => {
    throw invalidOption(`Cannot listen on port ${port}: ${error.code}.`, 'choose another port; 0 is any free port');
  });
  talk(`The page of the last checks is ${served.origin}/, with /healthz and /metrics.`);
  return served;
}

/** Who asks while it is read gets the same, or the same error: each reading takes a connection. */
function shared<Of>(read: () => Promise<Of>, onError: (error: Error) => void): () => Promise<Of> {
  let reading: Promise<Of> | null = null;
  return () => {
    if (reading !== null) return reading;
    reading = read().finally(() => {
      reading = null;
    });
    reading.catch(onError);
    return reading;
  };
}

/** A tenant, and the environment without the variables of the others. */
interface Checkable {
  readonly target: Target;
  readonly env: Io['env'];
}

/** The tenants of the project by name. Its files are read anew for each run that is not known yet. */
export function openTargets(io: Pick<Io, 'env' | 'cwd'>, folder: string) {
  const read = async () => {
    const targets = await targetsOf(io, { folder, all: true });
    const envOf = openEnvironments(io.env, targets);
    return new Map(targets.map((target) => [nameOf(target), { target, env: envOf(target) }]));
  };
  const runs = new Set<string | undefined>([undefined]);
  let latest: Promise<ReadonlyMap<string, Checkable>> | null = null;
  return (run?: string) => {
    if (latest !== null && runs.has(run)) return latest;
    runs.add(run);
    const reading = read();
    // Files that are being replaced may be invalid, so another try reads them again.
    reading.catch(() => {
      if (latest === reading) latest = null;
    });
    latest = reading;
    return reading;
  };
}

/** Thousands of tenants have tens of thousands of variables: they are divided once, not searched for each check. */
function openEnvironments(env: Io['env'], targets: readonly Target[]): (target: Target) => Io['env'] {
  const prefixes = new Set(targets.map(({ tenant }) => tenant?.environment));
  const ownerOf = ([name]: readonly [string, unknown]) => {
    const prefix = prefixOf(name);
    return prefixes.has(prefix) ? prefix : undefined;
  };
  const byOwner = groupBy(Object.entries(env), ownerOf);
  const of = (owner: string | undefined) => byOwner.get(owner) ?? [];
  return ({ tenant }) => Object.fromEntries([...of(undefined), ...of(tenant?.environment)]);
}

/** Compares a tenant with its files: what it finds is a result. Null if the project no longer has it. */
async function checkTenant(
  context: CommandContext,
  { tenant }: CheckPayload,
  targets: ReadonlyMap<string, Checkable>,
  { signal, maySend }: Until,
): Promise<Found | null> {
  const { run } = context.arguments;
  const found = targets.get(tenant);
  if (found === undefined) return null;
  const { target, env } = found;
  const io = { ...context.io, signal, env };
  // The secrets of a check, such as its tokens, are forgotten with it.
  const until = { ...context, io, output: openOutput(io), arguments: { ...context.arguments, exitCode: true } };
  const { one, problems } = await prepare(until, target);
  const ready = one && { target, inputs: { ...one.inputs, maySend } };
  const ended: Pick<Ended, 'target' | 'document' | 'code'> =
    ready === null
      ? { target, code: exitCode.invalid, document: errorsOf(tenant, run, problems) }
      : await runOne(until, ready, run === 'plan' ? plan : drift);
  // A tenant may repeat a secret of another one.
  const document = withoutSecrets(ended.document, context.output.mask);
  return {
    command: run,
    exitCode: ended.code,
    differs: differsOf(ended),
    problems: document.type === 'diagnostics' ? document.diagnostics.map(({ code }) => code) : [],
    document: await resultText(until, run, { ...ended, document }),
    isFinal: ended.code !== exitCode.failed,
  };
}

/** Null if it could not be compared. */
function differsOf({ code, document }: Pick<Ended, 'code' | 'document'>): boolean | null {
  if (code === exitCode.done) return false;
  const isRefused = code === exitCode.refused && document.type === 'plan' && isOutOfSync(document.plan);
  return code === exitCode.difference || isRefused ? true : null;
}
