// No write arrives on what does not hold any more, whatever it waits for when that happens.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, onTestFinished, test } from 'vitest';
import { openPipeline } from '../../src/apply/pipeline.ts';
import type { ClientEvent } from '../../src/model/client.ts';
import { operations } from '../../src/service/rate-limit-policies/description.generated.ts';
import { policyPage, startBench, writing } from '../client/builders.ts';
import { buildAction, deletePolicy } from '../support/build-action.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { buildPlan } from '../support/build-plan.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import type { RecordedRequest } from '../support/fault-server.ts';
import { scriptedKnowledge, someKinds } from '../support/run-apply.ts';

const conditions = [
  'the lock is lost',
  'the reading is too old',
  'the proof is too old',
  'the signal is aborted',
] as const;
const moments = ['its turn', 'its quota', 'a reading', 'a connection'] as const;
type Condition = (typeof conditions)[number];
type Moment = (typeof moments)[number];

const { id: _id, ...body } = buildLivePolicy({ consumer_selector: 'client_id:new' });
const created = buildAction({
  key: 'new',
  action: 'create',
  request: { operation: 'create_rate_limit_policy', method: 'POST', path: '/rate-limit-policies', body },
});
/** The first deletion has it read that the policy was created. The second one is under test. */
const [first, second] = [deletePolicy('client_id:one', 'rlp_1'), deletePolicy('client_id:two', 'rlp_2')] as const;
const actions = [created, first, second];

/** Milliseconds: how old a reading may be, and a part of that, of which two are too much. */
const [maxStalenessMs, partMs] = [10_000, 6_000];

/**
 * Sends the second deletion. While it waits for one thing, one condition ceases to hold, and others have changed by then what
 * was read for it.
 */
async function deleteSecond(moment: Moment, ceases: Condition | null, isChanged = true) {
  const clock = startFakeClock();
  const stop = new AbortController();
  let lost: Error | null = null;
  /** When the last reading of each action began. */
  const readAt = new Map([[second.id, clock.monotonic()]]);
  const done = new Set<string>();
  let moved: string | null = null;
  let isDue = false;
  let [hasCeased, reads, retries] = [false, 0, 0];

  const reach = (now: Moment) => {
    if (!isDue || now !== moment) return;
    isDue = false;
    hasCeased = true;
    if (ceases === 'the lock is lost') lost = new Error('another apply has the lock');
    if (ceases === 'the signal is aborted') stop.abort();
    if (ceases === 'the reading is too old') clock.advance(now === 'a reading' ? 2 * partMs : partMs);
    if (ceases === 'the proof is too old') clock.advance(partMs);
    if (isChanged && ceases === 'the reading is too old') moved = second.id;
    if (isChanged && ceases === 'the proof is too old') moved = created.id;
  };
  const isOld = ({ id }: { readonly id: string }) =>
    clock.monotonic() - (readAt.get(id) ?? Number.NEGATIVE_INFINITY) > maxStalenessMs;
  const ceased = (): Record<Condition, boolean> => ({
    'the lock is lost': lost !== null,
    'the reading is too old': isOld(second),
    'the proof is too old': isOld(created),
    'the signal is aborted': stop.signal.aborted,
  });

  /** Of the second deletion: what did not hold when it arrived. */
  const arrived: Condition[][] = [];
  const respond = ({ method, path }: RecordedRequest) => {
    const action = actions.find(({ request }) => request.method === method && path.endsWith(request.path));
    if (action !== undefined) done.add(action.id);
    if (action === second) arrived.push(conditions.filter((one) => ceased()[one]));
    const usedUp = {
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': `${clock.now() / 1000 + 2}`,
    };
    const headers = {
      date: new Date(clock.now()).toUTCString(),
      ...(method === 'GET' && usedUp),
      // The next request needs another connection.
      ...(moment === 'a connection' && { connection: 'close' }),
    };
    if (method === 'GET') return { headers, body: policyPage([]) };
    return method === 'POST' ? { status: 201, headers, body: { id: 'rlp_new', ...body } } : { status: 204, headers };
  };
  const onEvent = (event: ClientEvent) => {
    if (event.type !== 'waiting') return;
    if (event.reason === 'quota') reach('its quota');
    else retries += 1;
  };
  const onConnected = () => reach('a connection');
  subscribe('undici:client:connected', onConnected);
  onTestFinished(() => void unsubscribe('undici:client:connected', onConnected));
  await using bench = await startBench(respond, { clock, signal: stop.signal, onEvent });

  const { knowledge } = scriptedKnowledge(buildPlan({ actions }), {
    clock,
    knowledge: {
      maxStalenessMs,
      signal: stop.signal,
      prefersList: () => false,
      read: async (about) => {
        const began = clock.monotonic();
        const plan = buildPlan({
          actions: actions
            .filter(({ id }) => !done.has(id) || id === moved)
            .map((action) => (action.id === moved ? { ...action, precondition: 'sha256:other' } : action)),
        });
        for (const { id } of about) readAt.set(id, began);
        reads += 1;
        reach('a reading');
        return { plan, began, arrivedAt: began };
      },
    },
  });
  return await writing(bench.options, async (connection) => {
    const pipeline = openPipeline({
      kinds: someKinds,
      connection,
      knowledge,
      clock,
      journal: { intend: async () => {}, outcome: async () => {}, lostLock: () => lost },
      signal: stop.signal,
      onOutcome: () => {},
      unverified: [],
    });
    const isProofOlder = ceases === 'the proof is too old' && moment !== 'a reading';
    if (!isProofOlder) clock.advance(partMs);
    await pipeline.attempt(created);
    await pipeline.attempt(first);
    expect([...done]).toEqual([created.id, first.id]);
    if (isProofOlder) {
      clock.advance(partMs);
      await knowledge.readAgain([second]);
    }
    if (moment === 'its quota') await connection.reader.list(operations.list, {});
    // Its item is too old when the quota allows it, and what it relies on is not.
    if (moment === 'a reading') clock.advance(maxStalenessMs - partMs + 1);
    expect(ceased()).toMatchObject({ 'the reading is too old': moment === 'a reading', 'the proof is too old': false });
    reads = 0;
    isDue = true;
    reach('its turn');
    await pipeline.attempt(second);
    // Otherwise it has not waited for this.
    expect(hasCeased).toBe(true);
    return { arrived, reads, retries, outcome: pipeline.outcomes.get(second.id) };
  });
}

const ends: Readonly<Record<Condition, object>> = {
  'the lock is lost': { outcome: 'not_attempted', message: expect.stringContaining('another apply has the lock') },
  'the reading is too old': { outcome: 'conflict', conflict: { moved: 'tenant' } },
  'the proof is too old': {
    outcome: 'conflict',
    message: expect.stringContaining(`${created.id}, which it relies on, was changed`),
  },
  'the signal is aborted': { outcome: 'not_attempted', message: expect.stringContaining('interrupted') },
};

test.each(conditions.flatMap((condition) => moments.map((moment) => [condition, moment] as const)))(
  '%s while it waits for %s: nothing arrives',
  async (condition, moment) => {
    const { arrived, outcome, retries } = await deleteSecond(moment, condition);
    expect({ arrived, outcome }).toMatchObject({ arrived: [], outcome: ends[condition] });
    // No connection is opened for what must not be sent.
    if (moment !== 'a connection') expect(retries).toBe(0);
  },
);

test.each(
  (['the reading is too old', 'the proof is too old'] as const).flatMap((condition) =>
    moments.map((moment) => [condition, moment] as const),
  ),
)('%s while it waits for %s: it is read again and arrives, if nothing has changed', async (condition, moment) => {
  const { arrived, outcome, reads } = await deleteSecond(moment, condition, false);
  expect({ arrived, outcome }).toMatchObject({ arrived: [[]], outcome: { outcome: 'done', status: 204 } });
  expect(reads).toBeGreaterThan(moment === 'a reading' ? 1 : 0);
});

test.each(moments)('it waits for %s, and everything holds: it arrives', async (moment) => {
  const { arrived, outcome, reads } = await deleteSecond(moment, null);
  expect({ arrived, outcome, reads }).toMatchObject({
    arrived: [[]],
    outcome: { outcome: 'done', status: 204 },
    reads: moment === 'a reading' ? 1 : 0,
  });
});
