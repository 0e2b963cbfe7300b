import { colourStyle, plainStyle, type Style } from '../report/style.ts';
import { openRedactor } from '../values/secret-spellings.ts';
import { secretVariables } from './environment.ts';
import type { Io, Sink } from './io.ts';

/** Where results and messages go. Secrets of the environment are removed from every text. */
export interface Output {
  /** Results, to standard output. */
  result(text: string): void;
  /** Messages for people, to standard error. */
  talk(text: string): void;
  /** Redacts this text from now on. */
  hide(secret: string): void;
  readonly resultStyle: Style;
  readonly talkStyle: Style;
}

/** Hiding a secret of three characters or less would hide half of a report. */
const shortest = 4;

export function openOutput(io: Io): Output {
  const { hide, redact } = openRedactor({ shortest });
  for (const name of secretVariables) hide(io.env[name] ?? '');
  return {
    result: (text) => io.stdout.write(endLine(redact(text))),
    talk: (text) => io.stderr.write(endLine(redact(text))),
    hide,
    resultStyle: styleFor(io, io.stdout),
    talkStyle: styleFor(io, io.stderr),
  };
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function styleFor({ env }: Io, sink: Sink): Style {
  if (env['NO_COLOR']) return plainStyle;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced === '0' ? plainStyle : colourStyle;
  return sink.isTTY ? colourStyle : plainStyle;
}
