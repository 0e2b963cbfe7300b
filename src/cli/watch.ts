import type { Listener } from '../engine/events.ts';
import type { CommandContext } from './io.ts';
import { noticeLines } from './notices.ts';
import { openProgress } from './progress.ts';
import { reportBeside } from './report-end.ts';

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
