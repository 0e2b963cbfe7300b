/**
 * The built command in a process of its own, killed at a chosen point of an apply, and run again: one more apply has to reach the
 * goal, and nothing may be lost or done twice on the way.
 */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/client/system-clock.ts';
import { runBuilt } from '../support/built-command.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { checkHistory } from './check-history.ts';
import { checkSeries } from './check-series.ts';
import { violation } from './checks/steps-and-items.ts';
import { withCreatedIds } from './created-ids.ts';
import type { History, Violation } from './history.ts';
import { isIntended, journalsIn, journalsOf } from './intents.ts';
import { seededRandom } from './random.ts';
import { readOutput } from './read-output.ts';
import {
  ClientGone,
  calmTenant,
  openRecordingTenant,
  type RecordingTenant,
  type RequestHooks,
} from './recording-tenant.ts';
import { makeScenario, type Scenario, streamSecret } from './scenario.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { writeFiles } from './write-files.ts';

/**
 * - `arrived`, `performed`, `answered`: when the write is at that point on the tenant's side
 * - `intent`, `outcome`: when so many lines of that kind are in the journal's file, seen from outside
 * - `output`: nothing is killed, but the reader of its standard output goes away
 */
export const moments = ['arrived', 'performed', 'answered', 'intent', 'outcome', 'output'] as const;

export interface KillPoint {
  /** Of the tenant and the files. */
  readonly seed: number;
  /** Counted from 1. */
  readonly write: number;
  readonly moment: (typeof moments)[number];
}

export interface PlayedPoint {
  readonly point: KillPoint;
  /** False when the command came to its end before the point. */
  readonly reached: boolean;
  readonly violations: readonly Violation[];
}

/** A tenant and files, and how many writes the plan for them has. */
interface Target {
  readonly scenario: Scenario;
  readonly writes: number;
}

/** About ten. */
const fewestWrites = 8;
const mostWrites = 16;
const mostPolicies = 30;

/** So many points: every moment of every write of one plan, then of the next one. */
export async function* killPoints(
  count: number,
): AsyncGenerator<{ readonly point: KillPoint; readonly target: Target }> {
  let left = count;
  for (let seed = 1; left > 0; seed += 1) {
    const target = await targetOf(seed);
    if (target === null) continue;
    for (let write = 1; write <= target.writes; write += 1) {
      for (const moment of moments) {
        if (left <= 0) return;
        left -= 1;
        yield { point: { seed, write, moment }, target };
      }
    }
  }
}

async function targetOf(seed: number): Promise<Target | null> {
  const scenario = makeScenario(seededRandom(seed));
  if (scenario.meaning.api !== 'full' || (scenario.live.rate_limit_policies ?? []).length > mostPolicies) return null;
  const plan = await withStage(
    scenario,
    null,
    async (stage) => readOutput((await inProcess(stage, ['plan'])).stdout).plan,
  );
  const writes = plan?.actions.length ?? 0;
  return writes >= fewestWrites && writes <= mostWrites ? { scenario, writes } : null;
}

interface Stage {
  readonly scenario: Scenario;
  readonly recording: RecordingTenant;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly database: string | null;
  /** The journals as they are now, read past the product. */
  journals(): Promise<string[]>;
}

async function withStage<Result>(
  scenario: Scenario,
  database: string | null,
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const recording = await openRecordingTenant({ clients: [testClient], ...scenario.live }, realTime, seededRandom(1));
  const root = await mkdtemp(join(tmpdir(), 'tenant-sync-kill-'));
  try {
    await writeFiles(join(root, 'files'), scenario.files);
    await recording.open(calmTenant);
    const credentials = {
      TENANT_SYNC_CLIENT_ID: testClient.client_id,
      TENANT_SYNC_CLIENT_SECRET: testClient.client_secret,
    };
    const env = {
      TENANT_SYNC_BASE_URL: recording.baseUrl,
      TENANT_SYNC_STATE_DIR: join(root, 'state'),
      ...(database !== null && { TENANT_SYNC_STATE_URL: database }),
      ...credentials,
      ...scenario.environment,
    };
    const journals = async () => (database === null ? journalsIn(join(root, 'state')) : journalsOf(database));
    return await play({ scenario, recording, root, env, database, journals });
  } finally {
    await recording.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** A process of its own has a clock of its own, so here time is the real one. */
const realTime: VirtualClock = {
  command: systemClock,
  tenant: systemClock,
  now: () => systemClock.now(),
  touch: () => {},
  enter: () => {},
  turn: async () => {},
  leave: () => {},
  drained: async () => {},
};

/** With its state in a folder, or in a database that no other point uses. */
export async function playPoint(
  point: KillPoint,
  { scenario }: Target,
  database: string | null = null,
): Promise<PlayedPoint> {
  return withStage(scenario, database, async (stage) => {
    // A code is for one base URL, and every stage has its own.
    const plan = readOutput((await inProcess(stage, ['plan'])).stdout).plan;
    const approve = plan?.refusals[0]?.approve ?? null;
    const killed = await record(stage, approve, (listen) => killAt(point, stage, applying(stage, approve), listen));
    // A killed command tells no plan; it was about to perform this one. Where only its output went, its exit code is judged below.
    const { steps, after } = killed.history;
    const told = {
      ...killed.history.told,
      plan: withCreatedIds(plan, steps, after),
      readable: point.moment !== 'output',
    };
    const first = { ...killed.history, told };
    const second = { ...(await applyAgain(stage)), approvedBefore: plan === null ? [] : [plan] };
    const last = await inProcess(stage, ['plan', '--exit-code']);
    const series = checkSeries({
      meaning: scenario.meaning,
      codes: [second.told.code ?? -1],
      last: { code: last.code, plan: readOutput(last.stdout).plan },
      after: stage.recording.snapshot(),
      repeated: [],
    });
    const { code, reached } = killed.result;
    const unread =
      point.moment === 'output' && code !== 0
        ? [violation('I5', `nobody read its output, and it answered ${code}`)]
        : [];
    return { point, reached, violations: [...checkHistory(first), ...checkHistory(second), ...series, ...unread] };
  });
}

function applying({ root }: Stage, approve: string | null): string[] {
  return [
    'apply',
    join(root, 'files'),
    '--yes',
    '--format',
    'json',
    ...(approve === null ? [] : ['--approve', approve]),
  ];
}

/** What is left to do may be refused by a guard, like the whole of it. */
async function applyAgain(stage: Stage): Promise<History> {
  const run = async (approve: string | null) =>
    (await record(stage, approve, () => built(stage, applying(stage, approve)))).history;
  const history = await run(null);
  const approve = history.told.code === 4 ? history.told.plan?.refusals[0]?.approve : undefined;
  return approve === undefined ? history : run(approve);
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly reached: boolean;
}

async function built({ env }: Stage, argv: readonly string[]): Promise<Ended> {
  return { ...(await runBuilt(argv, env)), reached: true };
}

async function killAt(
  { write, moment }: KillPoint,
  stage: Stage,
  argv: readonly string[],
  listen: (hooks: RequestHooks) => void,
): Promise<Ended> {
  let child: ChildProcess | null = null;
  let reached = false;
  const end = async () => {
    reached = true;
    if (moment === 'output') child?.stdout?.destroy();
    else await kill(child);
  };
  const at = (name: KillPoint['moment']) => async (number: { readonly write: number | null }) => {
    if (number.write !== write || (name !== moment && !(name === 'arrived' && moment === 'output'))) return;
    await end();
    if (moment === 'arrived') throw new ClientGone();
  };
  listen({ arrived: at('arrived'), performed: at('performed'), answered: at('answered') });
  const over = new AbortController();
  const watching =
    moment === 'intent' || moment === 'outcome'
      ? watchJournal(stage, moment, write, over.signal).then((seen) => (seen ? end() : undefined))
      : Promise.resolve();
  const result = await runBuilt(argv, stage.env, (started) => {
    child = started;
  });
  over.abort();
  await watching;
  return { ...result, reached };
}

async function kill(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** True when so many records of a kind are in the file; false when it is over before. */
async function watchJournal(
  stage: Stage,
  record: 'intent' | 'outcome',
  count: number,
  over: AbortSignal,
): Promise<boolean> {
  while (!over.aborted) {
    const [journal = ''] = await stage.journals();
    if (journal.split(`"record":"${record}"`).length > count) return true;
    await setTimeout(1);
  }
  return false;
}

/** A run with everything that the tenant saw of it. */
async function record(
  stage: Stage,
  approved: string | null,
  run: (listen: (hooks: RequestHooks) => void) => Promise<Ended>,
): Promise<{ readonly history: History; readonly result: Ended }> {
  const { scenario, recording } = stage;
  const intended: RequestHooks['intended'] = async (method, path) =>
    (await stage.journals()).some((journal) => isIntended(journal, method, path));
  recording.listen({ intended });
  const before = recording.snapshot();
  const started = Date.now();
  const result = await run((hooks) => recording.listen({ ...hooks, intended }));
  // A write that was under way when the command was killed may still be carried out, after its intent was looked up.
  await setTimeout(stage.database === null ? 20 : 500);
  const [after, steps] = [recording.snapshot(), recording.takeSteps()];
  const output = readOutput(result.stdout);
  const history: History = {
    command: 'apply',
    isSaved: false,
    meaning: scenario.meaning,
    before,
    after,
    steps,
    told: {
      ...output,
      plan: withCreatedIds(output.plan, steps, after),
      code: result.code,
      hung: false,
      texts: [result.stdout, result.stderr, ...(await stage.journals())],
    },
    elapsedMs: Date.now() - started,
    signal: null,
    approved,
    approvedBefore: [],
    confirmedAt: null,
    lagMs: 0,
    earlierChanges: [],
    secrets: [testClient.client_secret, streamSecret, ...recording.tokens],
    environment: scenario.environment,
  };
  return { history, result };
}

function inProcess({ root, env }: Stage, [command = '', ...options]: readonly string[]) {
  return runCommand([command, join(root, 'files'), '--format', 'json', ...options], { env, clock: systemClock });
}
