import type { Diagnostic } from '../model/diagnostic.ts';
import { renderDiagnostics } from '../report/render-diagnostics.ts';
import { colourStyle, plainStyle, type Style } from '../report/terminal.ts';
import { secretCredentials } from '../secrets/credentials.ts';
import { openMasker, shortestSecret } from '../secrets/masker.ts';
import type { Io, Sink } from './io.ts';

/** The only client of an embedded tenant without a seed. Its secret is public. */
export const localClient = { id: 'local', secret: 'local-only' } as const;

/** Where results and messages go. Secrets of the environment are removed from every text. */
export interface Output {
  /** Results, to standard output. */
  result(text: string): void;
  /** Messages for people, to standard error. */
  talk(text: string): void;
  /** Masks this secret from now on. */
  hide(secret: string): void;
  /** A text without secrets, for what is written elsewhere. */
  mask(text: string): string;
  readonly resultStyle: Style;
  readonly talkStyle: Style;
}

export const noColour = '--no-color';

export function openOutput(io: Io): Output {
  const masker = openMasker({ shortest: shortestSecret });
  const { mask } = masker;
  // The secret of the embedded tenant is public, and people need to read it.
  const hide = (secret: string) => {
    if (secret !== localClient.secret) masker.hide(secret);
  };
  for (const secret of secretCredentials(io.env)) hide(secret);
  return {
    result: (text) => io.stdout.write(endLine(mask(text))),
    talk: (text) => io.stderr.write(endLine(mask(text))),
    hide,
    mask,
    resultStyle: styleFor(io, io.stdout),
    talkStyle: styleFor(io, io.stderr),
  };
}

/** Diagnostics in addition to a result, on standard error. */
export function reportBeside(output: Output, diagnostics: readonly Diagnostic[], files = 0): void {
  if (diagnostics.length > 0)
    output.talk(renderDiagnostics({ command: '', diagnostics, files }, 'text', { style: output.talkStyle }));
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function styleFor({ argv, env }: Io, sink: Sink): Style {
  if (env['NO_COLOR'] || argv.includes(noColour)) return plainStyle;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced === '0' ? plainStyle : colourStyle;
  return sink.isTTY ? colourStyle : plainStyle;
}

/** The width of the terminal, or one that fits everywhere. */
export function outputWidth(sink: Sink): number {
  return terminalWidth(sink) ?? 80;
}

/** The width of the terminal; null for a file or a pipe. */
export function terminalWidth({ columns }: Sink): number | null {
  return columns !== undefined && columns > 0 ? Math.max(40, columns) : null;
}
