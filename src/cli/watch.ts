import type { Listener, Resolution, ResolvedAction, SyncEvent } from '../engine/events.ts';
import type { Clock } from '../model/clock.ts';
import { terminalText } from '../report/escape.ts';
import { quantity, shortList } from '../report/wording.ts';
import type { CommandContext } from './context.ts';
import type { Bar, StopReason } from './io.ts';
import { reportBeside } from './output.ts';

/** Runs the engine while its events are shown. */
export async function watch<Result>(
  context: CommandContext,
  run: (onEvent: Listener) => Promise<Result>,
): Promise<Result> {
  const { output } = context;
  const bar = output.bar();
  const show = openProgress(bar, context);
  const onEvent: Listener = (event) => {
    show(event);
    if (event.type === 'warnings') reportBeside(output, event.diagnostics);
    const lines = noticesOf(event, context).map(terminalText);
    if (lines.length > 0) output.talk(lines.join('\n'));
  };
  try {
    return await run(onEvent);
  } finally {
    bar?.stop();
  }
}

/** Messages for people in addition to the result; none for most events. */
export function noticesOf(event: SyncEvent, { io, arguments: options }: CommandContext): readonly string[] {
  switch (event.type) {
    case 'last_apply': {
      const ended = event.finished ? 'left unknown outcomes' : 'did not finish';
      return [`The last apply, started ${event.started}, ${ended}: ${event.done} done, ${event.unknown} unknown.`];
    }
    case 'last_apply_resolved':
      return resolutionLines(event.actions);
    case 'stopping':
      return [`${(io.signal.reason as StopReason).name}: requests in flight are finished, no more are sent.`];
    case 'authentication':
      return options.debug ? [`debug: authentication: ${event.method}`] : [];
    case 'request':
      if (!options.debug) return [];
      return [
        `debug: ${event.method} ${event.path}: ${event.status ?? `no response (${event.error})`} in ${event.ms} ms`,
      ];
    default:
      return [];
  }
}

const words: Readonly<Record<Resolution, string>> = {
  not_needed: 'is already in place',
  needed: 'was not carried out and is in this plan',
  unknown: 'is still unknown; the plan shows whether it is sent again',
};

const shownActions = 20;

function resolutionLines(actions: readonly ResolvedAction[]): readonly string[] {
  const lines = actions.map(({ id, resolution }) => `  ${id} ${words[resolution]}`);
  return shortList(lines, shownActions, (rest) => `  and ${rest} more`);
}

/** Without a terminal a long run reports at this interval, and a short one not at all. */
export const lineIntervalMs = 10_000;
const reading = 'reading the tenant';

type Print = (done: number, total: number, text: () => string) => void;

/** A bar on a terminal, and occasional lines elsewhere. */
function openProgress(bar: Bar | null, { io: { clock }, output: { talk, mask } }: CommandContext) {
  const update: Print = (done, total, text) => bar?.update(done, total, mask(text()));
  const print = bar === null ? occasionalLines(clock, talk) : update;
  let phase = { done: 0, total: 0, what: reading };
  /** Actions that are done or have failed; the others may still be resolved. */
  const ended = new Set<string>();
  const step = (text: () => string, done: number) => {
    phase = { ...phase, done, total: Math.max(phase.total, done) };
    print(phase.done, phase.total, () => `${phase.what}: ${terminalText(text())}`);
  };
  return (event: SyncEvent) => {
    switch (event.type) {
      case 'reading':
        phase = { done: 0, total: event.requests, what: reading };
        return print(0, phase.total, () => reading);
      case 'read':
        // A read during an apply does not advance the bar.
        return step(
          () => `${event.operation}, ${quantity(event.total, 'item')}`,
          phase.what === reading ? phase.done + 1 : phase.done,
        );
      case 'waiting': {
        const { ms, operation, reason } = event;
        const text = `waiting up to ${(ms / 1000).toFixed(1)} s for ${operation}: ${reason}`;
        return print(phase.done, phase.total, () => terminalText(text));
      }
      case 'planned':
        phase = { done: 0, total: event.plan.actions.length, what: 'applying' };
        return bar?.stop();
      case 'action_ended': {
        const { action, outcome } = event;
        if (outcome.outcome === 'done' || outcome.outcome === 'failed') ended.add(action.id);
        else ended.delete(action.id);
        return step(() => `${outcome.outcome}: ${action.action} ${action.key}`, ended.size);
      }
    }
  };
}

/** Prints a line if there was none for a while; no other line is made. */
function occasionalLines({ now }: Pick<Clock, 'now'>, talk: (text: string) => void): Print {
  let printed = now();
  return (done, total, text) => {
    if (now() - printed < lineIntervalMs) return;
    printed = now();
    talk(`${done} of ${total}, ${text()}`);
  };
}
