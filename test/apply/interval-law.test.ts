// A reading shows what had its response before the reading began, and nothing else: one generator of times for what is known,
// what a removal relies on, and what has to be read again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { scriptedKnowledge } from '../support/run-apply.ts';
import { propertyRuns } from '../support/thorough.ts';

/** Of the clock, in milliseconds; a reading may be four of them old. */
const step = 2500;
const maxAge = 4;
const request = { operation: 'made-up', method: 'POST', path: '/made-up' } as const;
const grants = ['x', 'y'].map((key) => buildAction({ key, action: 'create', request }));
const removal = buildAction({ key: 'old', action: 'delete' });
const steps = 14;
/** Nothing is read but what is drawn. */
const unread = Object.assign(new Error('not drawn'), { diagnostic: {} });
const time = (max: number) => fc.integer({ min: 0, max });

const some = fc.oneof({ weight: 2, arbitrary: fc.constant(grants) }, { weight: 1, arbitrary: fc.subarray(grants) });

interface Reading {
  readonly began: number;
  readonly arrived: number;
  readonly ended: number;
  readonly about: readonly Action[];
  readonly shown: ReadonlySet<Action>;
}

const scene = fc.record({
  /** When each grant has its response; all are sent at 0. */
  responses: fc.tuple(time(5), time(5)),
  readings: fc.array(
    fc.record({ began: time(10), first: time(3), rest: time(2), about: some, shown: some }).map(
      ({ began, first, rest, about, shown }): Reading => ({
        began,
        arrived: began + first,
        ended: began + first + rest,
        about,
        shown: new Set(shown.filter((grant) => about.includes(grant))),
      }),
    ),
    { minLength: 2, maxLength: 6 },
  ),
  /** How long the removal waits for a connection, and then for its response. */
  waits: time(5),
  takes: time(3),
});

test('law: what is known was shown by a reading that began after the responses, and is recent', async () => {
  const reached = { removals: 0, outdated: 0 };
  await fc.assert(
    fc.asyncProperty(scene, async ({ responses, readings, waits, takes }) => {
      const clock = startFakeClock();
      const { knowledge } = scriptedKnowledge(buildPlan({ actions: [...grants, removal] }), {
        clock,
        knowledge: { read: () => Promise.reject(unread) },
      });
      const start = clock.monotonic();
      for (const grant of grants) expect(knowledge.before(grant)).toBeNull();
      const lastResponse = Math.max(...responses);
      let readyAt: number | null = null;
      let wasReady = false;
      let sentAt: number | null = null;
      for (let now = 0; now <= steps; now += 1) {
        for (const [index, grant] of grants.entries())
          if (responses[index] === now) knowledge.responded(grant, { outcome: 'done' });
        if (sentAt !== null && now === sentAt + takes) knowledge.responded(removal, { outcome: 'done' });
        const ended = readings.filter((reading) => reading.ended === now);
        for (const { began, arrived, about, shown } of ended) {
          const actions = [...grants.filter((grant) => !shown.has(grant)), removal];
          const reading = { began: start + began * step, arrivedAt: start + arrived * step };
          knowledge.learn({ plan: buildPlan({ actions }), ...reading }, [
            ...about,
            ...(sentAt === null ? [removal] : []),
          ]);
        }
        const known = readings.filter((reading) => reading.ended <= now);
        for (const [index, grant] of grants.entries()) {
          const after = known.filter(({ began }) => began >= (responses[index] ?? 0));
          if (knowledge.shown(grant)?.state === 'reached')
            expect(after.some(({ shown }) => shown.has(grant))).toBe(true);
        }
        if (now >= lastResponse && sentAt === null) {
          const proving = known.filter(({ began, arrived }) => began >= lastResponse && arrived >= now - maxAge);
          const isProven: boolean =
            readyAt === null ? (await knowledge.before(removal)) === null : knowledge.isRecent(removal);
          if (isProven) for (const grant of grants) expect(proving.some(({ shown }) => shown.has(grant))).toBe(true);
          const isNewest = (one: Reading) => known.every((other) => other === one || other.arrived < one.arrived);
          const isEverything = (one: Reading) => one.shown.size === grants.length && isNewest(one);
          if (!wasReady && proving.length > 0 && proving.every(isEverything)) expect(isProven).toBe(true);
          wasReady ||= isProven;
          if (readyAt !== null && !isProven) knowledge.responded(removal, { outcome: 'not_attempted' });
          readyAt = isProven ? (readyAt ?? now) : null;
          if (readyAt !== null && now - readyAt >= waits) {
            sentAt = now;
            reached.removals += 1;
            if (takes === 0) knowledge.responded(removal, { outcome: 'done' });
          }
        }
        const answeredAt = sentAt === null ? steps + 1 : sentAt + takes;
        for (const grant of now < answeredAt ? [] : grants) {
          const isRead = known.some(({ began, about }) => began >= answeredAt && about.includes(grant));
          if (!isRead) expect(knowledge.outdated()).toContain(grant);
          reached.outdated += isRead ? 0 : 1;
        }
        clock.advance(step);
      }
    }),
    propertyRuns(5000, 1000),
  );
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(100);
});
