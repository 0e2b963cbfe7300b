/** One seed: files, a tenant and a schedule, an apply while things go wrong, and what it takes to get to the goal afterwards. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Plan } from '../../src/model/plan.generated.ts';
import { type RunOptions, runCommand, stopWith } from '../support/run-command.ts';
import { requestToken, testClient, withTestClient } from '../support/start-tenant.ts';
import { clientSecret, providerSecret } from './applications.ts';
import { checkHistory } from './check-history.ts';
import { checkSeries, mostRuns } from './check-series.ts';
import { withCreatedIds } from './created-ids.ts';
import type { History, Told, Violation } from './history.ts';
import { hasIntent } from './intents.ts';
import { changeAnything, changePlanned, moveList } from './others.ts';
import { seededRandom } from './random.ts';
import { readOutput } from './read-output.ts';
import {
  calmTenant,
  openRecordingTenant,
  type RecordingTenant,
  type RequestHooks,
  type RequestNumber,
} from './recording-tenant.ts';
import { makeScenario, type Scenario, streamSecret } from './scenario.ts';
import { makeSchedule, type Schedule } from './schedule.ts';
import { startVirtualClock, type VirtualClock } from './virtual-clock.ts';
import { writeFiles } from './write-files.ts';

export interface PlayedSeed {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** Applies that it took once nothing went wrong any more. */
  readonly runs: number;
  readonly requests: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly histories: readonly History[];
  readonly scenario: Scenario;
  readonly schedule: Schedule;
}

/** Real milliseconds: a run that takes longer does not end by itself. */
const patienceMs = 120_000;
/** In memory where there is such a place: that a journal is really on the disk is for the kill points to show. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export async function playSeed(seed: number): Promise<PlayedSeed> {
  const random = seededRandom(seed);
  const scenario = makeScenario(random.branch('scenario'));
  const schedule = makeSchedule(random.branch('schedule'), {
    policies: (scenario.live.rate_limit_policies ?? []).length,
    roles: Math.max((scenario.live.roles ?? []).length, (scenario.meaning.roles ?? []).length),
    hasApplications: scenario.meaning.applications !== null,
  });
  const clock = startVirtualClock(Date.UTC(2026, 10, 20, 10) + (seed % 1000), random.branch('turns'));
  const recording = await openRecordingTenant(withTestClient(scenario.live), clock, random.branch('ids'));
  const root = await mkdtemp(join(fastFolder, 'tenant-sync-chaos-'));
  // Jitter is random as well, and a seed shall make the same waits again.
  const unseeded = Math.random;
  Math.random = random.branch('jitter').next;
  try {
    await writeFiles(join(root, 'files'), scenario.files);
    const stage: Stage = { scenario, schedule, clock, recording, root, histories: [], planned: null };
    const violations = await play(stage);
    const { histories } = stage;
    const requests = histories.flatMap(({ steps }) => steps).filter(({ type }) => type === 'request').length;
    return {
      seed,
      violations: violations.found,
      runs: violations.runs,
      requests,
      faults: recording.hits,
      histories,
      scenario,
      schedule,
    };
  } finally {
    Math.random = unseeded;
    await recording.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** What the runs of a seed share. */
interface Stage {
  readonly scenario: Scenario;
  readonly schedule: Schedule;
  readonly clock: VirtualClock;
  readonly recording: RecordingTenant;
  readonly root: string;
  readonly histories: History[];
  /** The plan that was made before anything went wrong. */
  planned: Plan | null;
}

async function play(stage: Stage): Promise<{ readonly found: readonly Violation[]; readonly runs: number }> {
  const { scenario, schedule, recording } = stage;
  // The service's own page length is no fault.
  const calm = { ...calmTenant, pageSize: schedule.pageSize };
  await recording.open(calm);
  const savedPlan = join(stage.root, 'saved.json');
  const first = await runOnce(stage, { command: 'plan', argv: schedule.savesPlan ? ['--out', savedPlan] : [] });
  const again = await runOnce(stage, { command: 'plan', argv: [] });
  const token = schedule.credentials === 'token' ? await requestToken(recording.baseUrl) : null;

  await recording.open(schedule);
  stage.planned = first.told.plan;
  const isSaved = schedule.savesPlan && [0, 4].includes(first.told.code ?? -1);
  const argv = isSaved ? ['--plan', savedPlan] : [];
  const faulted = await runOnce(stage, { command: 'apply', argv, token, isFaulted: true, isChanged: isSaved });
  if (schedule.approves) await approved(stage, faulted, { argv, token, isFaulted: true });

  await recording.open(calm);
  const codes: number[] = [];
  while (codes.length < mostRuns && codes.at(-1) !== 0) codes.push(await applyCalmly(stage));
  const last = await runOnce(stage, { command: 'plan', argv: ['--exit-code'] });
  const found = stage.histories.flatMap((history, index) =>
    checkHistory(history).map((one) => ({ ...one, message: `run ${index + 1}: ${one.message}` })),
  );
  const series = checkSeries({
    meaning: scenario.meaning,
    codes,
    last: { code: last.told.code ?? -1, plan: last.told.plan },
    after: last.after,
    repeated: [first, again].map(({ told }) => JSON.stringify({ ...told.plan, generated_at: null })),
  });
  return { found: [...found, ...series], runs: codes.length };
}

/** An apply without faults; what a guard refuses is approved, which makes it no run of its own. */
async function applyCalmly(stage: Stage): Promise<number> {
  const history = await runOnce(stage, { command: 'apply', argv: [] });
  const second = await approved(stage, history, { argv: [] });
  return (second ?? history).told.code ?? -1;
}

/** The same again with the code that a refused plan told; null when there was none. */
async function approved(
  stage: Stage,
  { told }: History,
  run: Pick<Run, 'argv' | 'token' | 'isFaulted'>,
): Promise<History | null> {
  const code = told.code === 4 ? told.plan?.refusals[0]?.approve : undefined;
  return code === undefined ? null : runOnce(stage, { ...run, command: 'apply', approve: code });
}

interface Run {
  readonly command: 'plan' | 'apply';
  readonly argv: readonly string[];
  readonly approve?: string;
  readonly token?: string | null;
  /** Whether the schedule's signal, other clients, prompt, format and broken output belong to this run. */
  readonly isFaulted?: boolean;
  /** Whether other clients change what the plan writes before this run. */
  readonly isChanged?: boolean;
}

async function runOnce(stage: Stage, run: Run): Promise<History> {
  const { scenario, schedule, clock, recording, root, histories } = stage;
  const isFaulted = run.isFaulted ?? false;
  const stateFolder = join(root, 'state');
  const stop = stopWith(schedule.signal?.name);
  const hooks = isFaulted ? hooksOf(stage, stop.stop) : {};
  recording.listen({ ...hooks, intended: (method, path) => hasIntent(stateFolder, method, path) });
  const before = recording.snapshot();
  if (run.isChanged) await changeAll(stage, schedule.changesSinceSaved);
  const prompt = isFaulted ? schedule.prompt : null;
  let confirmedAt: number | null = null;
  const started = clock.now();
  const credentials = run.token
    ? { TENANT_SYNC_TOKEN: run.token }
    : { TENANT_SYNC_CLIENT_ID: testClient.client_id, TENANT_SYNC_CLIENT_SECRET: testClient.client_secret };
  const env = {
    TENANT_SYNC_BASE_URL: recording.baseUrl,
    TENANT_SYNC_STATE_DIR: stateFolder,
    ...credentials,
    ...scenario.environment,
  };
  const format = isFaulted ? schedule.format : 'json';
  const argv = [run.command, join(root, 'files'), '--format', format, ...run.argv];
  if (run.command === 'apply' && prompt === null) argv.push('--yes');
  if (run.approve !== undefined) argv.push('--approve', run.approve);
  const result = await runToEnd(argv, {
    env,
    clock: clock.command,
    signal: stop.signal,
    onOutput: outputOf(isFaulted ? schedule : null, clock),
    ...(prompt !== null && {
      confirm: () => true,
      beforeAnswer: async () => {
        await clock.command.sleep(prompt.ms / 2);
        await changeAll(stage, prompt.seeds);
        await clock.command.sleep(prompt.ms / 2);
        confirmedAt = clock.now();
        // So that what happens from now on happens later.
        await clock.command.sleep(1);
      },
    }),
  });
  // What arrives at the tenant after the end of a run stops nothing any more.
  const stopped = stop.signal.aborted;
  await clock.drained();
  const [after, steps] = [recording.snapshot(), recording.takeSteps()];
  const history: History = {
    command: run.command,
    isSaved: run.argv.includes('--plan'),
    meaning: scenario.meaning,
    before,
    after,
    steps,
    told: {
      ...result,
      plan: withCreatedIds(result.plan, steps, after),
      texts: [...result.texts, ...(await filesBelow(root, ['state', 'saved.json']))],
      readable: result.readable && format === 'json',
    },
    elapsedMs: clock.now() - started,
    signal: stopped ? (schedule.signal?.number ?? null) : null,
    approved: run.approve ?? null,
    approvedBefore: approvedPlans(histories),
    confirmedAt,
    lagMs: isFaulted ? schedule.lagMs : 0,
    earlierChanges: histories.flatMap(({ steps }) => steps.filter((step) => step.type === 'foreign')),
    secrets: [testClient.client_secret, streamSecret, providerSecret, clientSecret, ...recording.tokens],
    environment: scenario.environment,
  };
  histories.push(history);
  return history;
}

function approvedPlans(histories: readonly History[]): readonly Plan[] {
  const codes = new Set(histories.map(({ approved }) => approved));
  const plans = histories.flatMap(({ told }) => told.plan ?? []);
  return plans.filter(({ refusals: [refusal] }) => refusal !== undefined && codes.has(refusal.approve));
}

/** Changes of what the plan writes, one for each seed. */
async function changeAll({ recording, planned }: Stage, seeds: readonly number[]): Promise<void> {
  for (const seed of seeds) await recording.change((state) => changePlanned(seededRandom(seed), state, planned));
}

function hooksOf(stage: Stage, stop: () => void): RequestHooks {
  const { recording, schedule } = stage;
  const { interventions, plannedChanges, signal } = schedule;
  const interveneAt = async (when: 'before' | 'after', { request, write }: RequestNumber) => {
    for (const one of interventions.filter(({ at }) => at === request)) {
      if (one.when === when) await recording.change((state) => changeAnything(seededRandom(one.seed), state));
    }
    const planned = plannedChanges.filter((one) => one.when === when && one.at === write);
    await changeAll(
      stage,
      planned.map(({ seed }) => seed),
    );
  };
  const moveLists = movesOf(stage);
  return {
    arrived: async (number) => {
      if (signal?.at === number.request) stop();
      await interveneAt('before', number);
    },
    performed: async (number) => {
      await interveneAt('after', number);
      await moveLists(number);
    },
  };
}

const listings = new Map([
  ['list_rate_limit_policies', 'rate_limit_policies'],
  ['list_event_streams', 'event_streams'],
  ['list_roles', 'roles'],
]);

/** Moves the lists of which pages are read. */
function movesOf({ recording, schedule }: Stage): (number: RequestNumber) => Promise<void> {
  const counts = new Map<string, number>();
  return async ({ operation, page = null }) => {
    const kind = listings.get(operation ?? '');
    if (kind === undefined || page === null) return;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    for (const move of schedule.moves.filter((one) => one.kind === kind && one.page === count))
      await recording.change((state) => moveList(seededRandom(move.seed), state, { ...move, page }));
    const { churn } = schedule;
    if (kind !== 'roles' || churn === null || count > churn.times) return;
    const random = seededRandom(churn.seed).branch(String(count));
    const movement = random.pick(['insert', 'remove', 'forward'] as const);
    await recording.change((state) => moveList(random, state, { kind, movement, page }));
  };
}

/** What is printed keeps the clock still. Where the output is broken, printing a result throws. */
function outputOf(schedule: Schedule | null, clock: VirtualClock): (text: string) => void {
  return (text) => {
    clock.touch();
    if (schedule?.breaksOutput && text.startsWith('{')) throw new BrokenOutput('write EPIPE');
  };
}

class BrokenOutput extends Error {}

async function runToEnd(argv: readonly string[], options: RunOptions): Promise<Told> {
  const late = new AbortController();
  const nothing = { texts: [], plan: null, outcomes: null, verification: null, readable: false, hung: false };
  try {
    const end = await Promise.race([runCommand(argv, options), setTimeout(patienceMs, null, { signal: late.signal })]);
    if (end === null) return { ...nothing, code: null, hung: true };
    const { code, stdout, stderr } = end;
    return { ...readOutput(stdout), code, texts: [stdout, stderr], hung: false };
  } catch (error) {
    if (error instanceof BrokenOutput) return { ...nothing, code: null };
    throw error;
  } finally {
    late.abort();
  }
}

/** Texts of files that the tool wrote. */
async function filesBelow(root: string, names: readonly string[]): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files
      .filter((file) => names.some((name) => file.startsWith(join(root, name))))
      .map((file) => readFile(file, 'utf8')),
  );
}
