import { colourStyle, plainStyle, type Style } from '../report/style.ts';
import { secretVariables } from './environment.ts';
import type { Io, Sink } from './io.ts';

/** Where a command's results and its talk go. Secrets of the environment cannot pass, whatever text they are in. */
export interface Output {
  /** Results, to standard output. */
  result(text: string): void;
  /** Talk, to standard error. */
  talk(text: string): void;
  /** From now on this text cannot pass either. */
  hide(secret: string): void;
  readonly resultStyle: Style;
  readonly talkStyle: Style;
}

export function openOutput(io: Io): Output {
  const hidden = new Set(secretVariables.flatMap((name) => formsOf(io.env[name] ?? '')));
  const redact = (text: string) => [...hidden].reduce((safe, form) => safe.replaceAll(form, '***'), text);
  return {
    result: (text) => io.stdout.write(endLine(redact(text))),
    talk: (text) => io.stderr.write(endLine(redact(text))),
    hide: (secret) => {
      for (const form of formsOf(secret)) hidden.add(form);
    },
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

/** Every form in which a text may carry a secret; one of three characters or less would hide half of what is said. */
function formsOf(secret: string): string[] {
  if (secret.length < 4) return [];
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ];
}
