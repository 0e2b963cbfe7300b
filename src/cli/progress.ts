import type { SyncEvent } from '../engine/events.ts';
import type { Clock } from '../model/clock.ts';
import { terminalText } from '../report/escape.ts';
import { quantity } from '../report/wording.ts';
import type { Bar } from './io.ts';

/** A bar on a terminal, and occasional lines elsewhere. */
export interface Progress {
  show(event: SyncEvent): void;
  /** Removes the bar until the next step, so that something can be printed. */
  pause(): void;
}

interface ProgressOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Prints a line, without secrets. */
  readonly talk: (text: string) => void;
  /** Removes secrets from the text of the bar. */
  readonly mask: (text: string) => string;
}

/** Without a terminal a long run reports at this interval, and a short one not at all. */
const intervalMs = 10_000;
const shortestWaitMs = 1000;
const reading = 'reading the tenant';

export function openProgress(bar: Bar | null, { clock, talk, mask }: ProgressOptions): Progress {
  const update: Bar['update'] = (done, total, text) => bar?.update(done, total, mask(text));
  const print = bar === null ? occasionalLines(clock, talk) : update;
  let phase = { done: 0, total: 0, what: reading };
  /** Actions that are done or have failed; the others may still be resolved. */
  const ended = new Set<string>();
  const step = (text: string, done: number) => {
    phase = { ...phase, done, total: Math.max(phase.total, done) };
    print(phase.done, phase.total, `${phase.what}: ${terminalText(text)}`);
  };
  let announcedUntil = Number.NEGATIVE_INFINITY;
  /** Many requests may wait for the same quota: one line reports it. */
  const announceWait = (ms: number, text: string) => {
    const until = clock.now() + ms;
    if (ms < shortestWaitMs || until <= announcedUntil + shortestWaitMs) return;
    announcedUntil = until;
    talk(text);
  };
  const show = (event: SyncEvent) => {
    switch (event.type) {
      case 'reading':
        phase = { done: 0, total: event.requests, what: reading };
        return print(0, phase.total, phase.what);
      case 'read':
        // A read during an apply does not advance the bar.
        return step(
          `${event.operation}, ${quantity(event.total, 'item')}`,
          phase.what === reading ? phase.done + 1 : phase.done,
        );
      case 'waiting': {
        const { ms, operation, reason } = event;
        const text = terminalText(`waiting up to ${(ms / 1000).toFixed(1)} s for ${operation}: ${reason}`);
        return bar === null ? announceWait(ms, text) : update(phase.done, phase.total, text);
      }
      case 'planned':
        phase = { done: 0, total: event.plan.actions.length, what: 'applying' };
        return bar?.stop();
      case 'action_ended': {
        const { action, outcome } = event;
        if (outcome.outcome === 'done' || outcome.outcome === 'failed') ended.add(action.id);
        else ended.delete(action.id);
        return step(`${outcome.outcome}: ${action.action} ${action.key}`, ended.size);
      }
    }
  };
  return { show, pause: () => bar?.stop() };
}

/** Prints a line if there was none for a while. */
function occasionalLines({ now }: Pick<Clock, 'now'>, talk: (text: string) => void): Bar['update'] {
  let printed = now();
  return (done, total, text) => {
    if (now() - printed < intervalMs) return;
    printed = now();
    talk(`${done} of ${total}, ${text}`);
  };
}
