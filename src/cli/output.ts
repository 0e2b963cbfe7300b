import { colourStyle, plainStyle, type Style } from '../report/style.ts';
import { secretVariables } from './environment.ts';
import type { Io, Sink } from './io.ts';

/** Where a command's results and its talk go. Secrets of the environment cannot pass, whatever text they are in. */
export interface Output {
  /** Results, to standard output. */
  result(text: string): void;
  /** Talk, to standard error. */
  talk(text: string): void;
  readonly resultStyle: Style;
  readonly talkStyle: Style;
}

export function openOutput(io: Io): Output {
  const redact = redactor(io.env);
  return {
    result: (text) => io.stdout.write(endLine(redact(text))),
    talk: (text) => io.stderr.write(endLine(redact(text))),
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

/** Replaces the values of secret variables in every form in which a text may carry them. */
function redactor(env: Io['env']): (text: string) => string {
  const values = secretVariables.flatMap((name) => env[name] ?? []).filter((value) => value.length >= 4);
  const forms = new Set(
    values.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), Buffer.from(value).toString('base64')]),
  );
  return (text) => [...forms].reduce((safe, form) => safe.replaceAll(form, '***'), text);
}
