import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/model/clock.ts';
import type { Random } from './random.ts';

/**
 * Time that moves, and requests that are taken up, only when nobody has anything to do but wait. The command and the tenant share it, each through a clock of its
 * own: a request that the tenant lets wait is no work in hand, any other request is.
 *
 * Two waits of a second that begin together end together, so what happens during a wait can be seen. Of requests that are under way
 * together the seed picks the one that is first, and not the system.
 */
export interface VirtualClock {
  readonly command: Clock;
  readonly tenant: Clock;
  now(): number;
  /** Something happened: time stands still for some more turns. */
  touch(): void;
  /** A request is in hand until `leave`; `turn` resolves when it is taken up. */
  enter(): void;
  turn(name: string): Promise<void>;
  leave(): void;
  /** Resolves when no request is in hand. */
  drained(): Promise<void>;
}

interface Sleeper {
  readonly due: number;
  readonly ofTenant: boolean;
  readonly wake: () => void;
}

/** Turns of the event loop without anything happening, after which everybody is taken to wait. */
const quietTurns = 6;

/** Milliseconds that pass from one look at a clock to the next: what happens later is later on real clocks as well. */
const tick = 1e-6;

/** Whether a file is being read or written: several actions are put on record at once, and which of them is first must not be up to the disk. */
function isWriting(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));
}

export function startVirtualClock(start: number, random: Random): VirtualClock {
  let time = start;
  let ticks = 0;
  let activity = 0;
  let inHand = 0;
  let pumping = false;
  const sleepers: Sleeper[] = [];
  const queue: { readonly name: string; readonly go: () => void }[] = [];
  const touch = () => {
    activity += 1;
  };

  async function quiet(): Promise<void> {
    for (let turns = 0, seen = activity; turns < quietTurns; ) {
      await setImmediate();
      const waiting = sleepers.filter(({ ofTenant }) => ofTenant).length;
      if (seen === activity && inHand === waiting + queue.length && !isWriting()) turns += 1;
      else turns = 0;
      seen = activity;
    }
  }

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    while (sleepers.length + queue.length > 0) {
      await quiet();
      if (queue.length > 0) takeUp();
      else passTime();
    }
    pumping = false;
  }

  function takeUp(): void {
    queue.sort((one, other) => (one.name < other.name ? -1 : 1));
    queue.splice(random.int(0, queue.length - 1), 1)[0]?.go();
    touch();
  }

  function passTime(): void {
    const [next] = sleepers.toSorted((one, other) => one.due - other.due);
    time = Math.max(time, next?.due ?? time);
    next?.wake();
  }

  function clockOf(ofTenant: boolean): Clock {
    return {
      now: () => {
        touch();
        return time;
      },
      monotonic: () => {
        touch();
        ticks += tick;
        return time - start + ticks;
      },
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const leave = () => {
            touch();
            signal?.removeEventListener('abort', stop);
            sleepers.splice(sleepers.indexOf(sleeper), 1);
          };
          const stop = () => {
            leave();
            reject(signal?.reason);
          };
          const wake = () => {
            leave();
            resolve();
          };
          const sleeper: Sleeper = { due: time + Math.max(0, ms), ofTenant, wake };
          sleepers.push(sleeper);
          // As many waits as there are requests may listen to one signal.
          if (signal !== undefined) setMaxListeners(0, signal);
          signal?.addEventListener('abort', stop, { once: true });
          touch();
          void pump();
        }),
    };
  }

  return {
    command: clockOf(false),
    tenant: clockOf(true),
    now: () => time,
    touch,
    enter: () => {
      inHand += 1;
      touch();
    },
    turn: (name) =>
      new Promise((resolve) => {
        queue.push({ name, go: resolve });
        touch();
        void pump();
      }),
    leave: () => {
      inHand -= 1;
      touch();
    },
    drained: async () => {
      while (inHand > 0) await setImmediate();
    },
  };
}
