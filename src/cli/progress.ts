import type { ClientEvent } from '../model/client.ts';
import { terminalText } from '../report/harmless.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';

export interface Progress {
  onEvent(event: ClientEvent): void;
  stop(): void;
}

/** Shows what a long run is at: a spinner on a terminal, and lines only for what a log should keep. */
export async function startProgress(io: Io, output: Output, debug: boolean): Promise<Progress> {
  const spinner = await io.spin('reading the tenant');
  return {
    onEvent: (event) => {
      if (event.type === 'page' && spinner !== null) spinner.text = `${event.operation}: ${event.total} items`;
      else if (event.type === 'wait') tellWait(event, spinner, output);
      else if (event.type === 'unknown_fields' && debug)
        output.talk(terminalText(`debug: ${event.operation} answered with fields that are not specified: ${event.fields.join(', ')}`));
    },
    stop: () => {
      spinner?.stop();
    },
  };
}

function tellWait(event: ClientEvent & { type: 'wait' }, spinner: { text: string } | null, output: Output): void {
  const text = terminalText(`waiting ${(event.ms / 1000).toFixed(1)} s for ${event.operation}: ${event.reason}`);
  if (spinner !== null) spinner.text = text;
  else if (event.ms >= 1000) output.talk(text);
}
