import type { Diagnostic } from '../model/diagnostic.ts';
import { renderDiagnostics } from '../report/render-diagnostics.ts';
import { colourStyle, plainStyle, type Style } from '../report/terminal.ts';
import { secretCredentials } from '../secrets/credentials.ts';
import { openMasker, shortestSecret } from '../secrets/masker.ts';
import type { Io, Sink } from './io.ts';

/** The only client of an embedded tenant without a seed. Its secret is public. */
export const localClient = { id: 'local', secret: 'local-only' } as const;

export type Output = ReturnType<typeof openOutput>;

export const noColour = '--no-color';

/** Where results and messages go. Secrets of the environment are removed from every text. */
export function openOutput(io: Io) {
  const masker = openMasker({ shortest: shortestSecret });
  const { mask } = masker;
  /** Masks this secret from now on. That of the embedded tenant is public, and people need to read it. */
  const hide = (secret: string): void => {
    if (secret !== localClient.secret) masker.hide(secret);
  };
  for (const secret of secretCredentials(io.env)) hide(secret);
  return {
    /** Results, to standard output. */
    result: (text: string): void => io.stdout.write(endLine(mask(text))),
    /** Messages for people, to standard error. */
    talk: (text: string): void => io.stderr.write(endLine(mask(text))),
    hide,
    /** A text without secrets, for what is written elsewhere. */
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
