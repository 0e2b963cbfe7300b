import type { Listener, Resolution, ResolvedAction, SyncEvent } from '../engine/events.ts';
import { terminalText } from '../report/escape.ts';
import type { CommandContext } from './context.ts';
import type { StopReason } from './io.ts';
import { reportBeside } from './output.ts';
import { openProgress } from './progress.ts';

/** Runs the engine while its events are logged and shown; `alsoListen` receives each event last. */
export async function watch<Result>(
  context: CommandContext,
  run: (onEvent: Listener) => Promise<Result>,
  alsoListen: Listener = () => {},
): Promise<Result> {
  const { io, output, events, arguments: options } = context;
  const progress = openProgress(await io.bar(), { clock: io.clock, talk: output.talk, mask: output.mask });
  const onEvent: Listener = (event) => {
    events.log(event);
    progress.show(event);
    if (event.type === 'warnings') reportBeside(output, event.diagnostics);
    const lines = noticeLines(event, { debug: options.debug, signal: io.signal });
    if (lines.length > 0) {
      progress.pause();
      output.talk(lines.join('\n'));
    }
    alsoListen(event);
  };
  try {
    return await run(onEvent);
  } finally {
    progress.pause();
  }
}

interface NoticeOptions {
  readonly debug: boolean;
  readonly signal: AbortSignal;
}

/** Messages for people in addition to the result; empty for most events. */
function noticeLines(event: SyncEvent, { debug, signal }: NoticeOptions): readonly string[] {
  return noticesOf(event, debug, signal).map(terminalText);
}

function noticesOf(event: SyncEvent, debug: boolean, signal: AbortSignal): readonly string[] {
  switch (event.type) {
    case 'last_apply': {
      const ended = event.finished ? 'left unknown outcomes' : 'did not finish';
      return [`The last apply, started ${event.started}, ${ended}: ${event.done} done, ${event.unknown} unknown.`];
    }
    case 'last_apply_resolved':
      return resolutionLines(event.actions);
    case 'stopping':
      return [`${(signal.reason as StopReason).name}: requests in flight are finished, no more are sent.`];
    case 'request':
      if (!debug) return [];
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
  resent: 'is still unknown; it is sent again, which is safe',
  replaced: 'is still unknown; this plan has another request for it',
  unknown: 'is still unknown',
};

const shownActions = 20;

function resolutionLines(actions: readonly ResolvedAction[]): readonly string[] {
  const lines = actions.slice(0, shownActions).map(({ id, resolution }) => `  ${id} ${words[resolution]}`);
  const more = actions.length - shownActions;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}
