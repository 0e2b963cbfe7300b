import { openReadConnection } from '../client/read-connection.ts';
import { kinds } from '../kinds/index.ts';
import type { ConnectOptions, ReadConnection } from '../model/client.ts';
import type { Desired } from '../model/desired.ts';
import { FilesFault } from '../model/files-fault.ts';
import type { Forecast } from '../model/forecast.ts';
import type { Plan, Selection } from '../model/plan.generated.ts';
import { parseSelector, unmatchedSelectors } from '../plan/selection.ts';
import { makePlan } from '../sync/make-plan.ts';
import type { CommandContext } from './command.ts';
import { exitCode } from './exit-codes.ts';
import { Fault, problem } from './fault.ts';
import { forecastPlan } from './forecast-plan.ts';
import type { Prepared } from './prepare.ts';
import { type Progress, startProgress } from './progress.ts';
import { version } from './version.ts';

/** A plan made over a connection that cannot write. */
export async function readPlan(context: CommandContext, prepared: Prepared, selection: Selection): Promise<Planned> {
  return withConnection(context, prepared, openReadConnection, async (connection, progress) => {
    const plan = await planOver(connection, context, prepared, selection);
    progress.onPlan(plan);
    return { plan, forecast: forecastPlan(plan, context.arguments, connection, progress) };
  });
}

export interface Planned {
  readonly plan: Plan;
  readonly forecast: Forecast;
}

/** Opens a connection, shows progress while it is used, and closes it whatever happens. */
export async function withConnection<Connection extends ReadConnection, Result>(
  context: CommandContext,
  { environment, desired, quotaShare }: Prepared,
  open: (options: ConnectOptions) => Connection,
  use: (connection: Connection, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const { io, arguments: options, events } = context;
  const progress = await startProgress(context, events, expectedReads(desired));
  const connection = open({
    ...environment,
    clock: io.clock,
    signal: io.signal,
    debug: options.debug,
    onEvent: progress.onEvent,
    userAgent: `tenant-sync/${version()}`,
    ...(quotaShare !== undefined && { quotaShare }),
  });
  try {
    return await use(connection, progress);
  } finally {
    progress.stop();
    await connection.close();
  }
}

/** At least so many requests: one for a listing, one for each thing that is read by itself. */
function expectedReads({ sections }: Desired): number {
  return kinds.reduce(
    (sum, { name, reading }) =>
      sum + (reading?.each ? (sections.get(name)?.items.length ?? 0) : sections.has(name) ? 1 : 0),
    0,
  );
}

export async function planOver(
  connection: ReadConnection,
  context: CommandContext,
  prepared: Prepared,
  selection: Selection,
): Promise<Plan> {
  const plan = await freshPlan(connection, context, prepared, selection);
  refuseUnmatched(plan, prepared, selection);
  refuseIdleRotation(plan, selection);
  return plan;
}

/** The same plan made once more: what the selection names may be gone by now. */
export async function freshPlan(
  { reader }: ReadConnection,
  { io }: CommandContext,
  prepared: Prepared,
  selection: Selection,
): Promise<Plan> {
  const { desired, environment, finish, files } = prepared;
  return makePlan({
    desired,
    kinds,
    selection,
    reader,
    baseUrl: environment.baseUrl,
    tool: { name: 'tenant-sync', version: version() },
    generatedAt: new Date(io.clock.now()).toISOString(),
  }).catch((error: unknown) => {
    throw error instanceof FilesFault ? new Fault(exitCode.invalid, finish(error.diagnostics), files) : error;
  });
}

/** A mistyped --only must not pass for "in sync". A kind that could not be read may hold the item, so it is not judged. */
function refuseUnmatched(plan: Plan, { desired }: Prepared, selection: Selection): void {
  const declared = [...desired.sections].flatMap(([kind, { items }]) => [
    { kind, key: '*' },
    ...items.map(({ key }) => ({ kind, key })),
  ]);
  const unmatched = unmatchedSelectors(
    selection.only,
    [...declared, ...plan.actions, ...plan.findings].filter(({ key }) => key !== '*'),
  ).filter(({ kind, key }) =>
    key === null
      ? ![...desired.sections.keys()].some((name) => name === kind)
      : !plan.summary.unreadable.some((name) => name === kind),
  );
  if (unmatched.length === 0) return;
  throw new Fault(
    exitCode.invalid,
    unmatched.map(({ text }) =>
      problem('OPTION_MATCHES_NOTHING', `--only ${text} names nothing that is declared or live.`, hintFor(text)),
    ),
  );
}

/** A mistyped --rotate must not pass for a rotated secret. */
function refuseIdleRotation(plan: Plan, { rotate }: Selection): void {
  const sent = plan.actions.filter(({ request }) => request.secrets !== undefined);
  const idle = unmatchedSelectors(rotate, sent).filter(
    ({ kind }) => !plan.summary.unreadable.some((name) => name === kind),
  );
  if (idle.length === 0) return;
  const hint = 'name a declared event stream that is live and has a secret; it needs api: full';
  throw new Fault(
    exitCode.invalid,
    idle.map(({ text }) =>
      problem('OPTION_MATCHES_NOTHING', `--rotate ${text} names nothing whose secret would be sent.`, hint),
    ),
  );
}

function hintFor(text: string): string {
  const { kind, key } = parseSelector(text);
  if (key === null) return `the files have no section for ${kind}`;
  return 'a policy is named resource/consumer/consumer_selector, a role by its name or id as the files have it, a prompt and an event stream by name';
}
