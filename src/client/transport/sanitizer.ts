import { knownWords } from '../../contract/known-words.ts';
import type { ConnectOptions } from '../../model/client.ts';
import { openMasker } from '../../secrets/masker.ts';

/** Makes texts fit for a message. A service can echo the secrets that it was sent. */
export interface Sanitizer {
  hide(secret: string): void;
  /** The text without secrets, on one line, cut to 300 characters. */
  sanitize(text: string): string;
  /** The same of a message of the service, with `[…]` for a run that neither `sent`, the files nor the contract have. */
  sanitizeMessage(message: string, sent: readonly string[]): string;
}

const longest = 300;
const shortestRun = 20;
/** With what the masker leaves, `***`, and line ends, where a text may be folded. */
const runs = /[\p{L}\p{N}\-_.+/=%&;*]+(?:\n[\p{L}\p{N}\-_.+/=%&;*]+)*/gu;

export function openSanitizer(options: Pick<ConnectOptions, 'onSecret' | 'isKnownText'> = {}): Sanitizer {
  const { hide, mask, contains } = openMasker({ shortest: 1 });
  const complete = openMasker({ shortest: 1, prefixes: false });
  const sanitizeMessage = (message: string, sent: readonly string[]) => {
    const text = withLineEnds(complete.mask(message).slice(0, longest * shortestRun));
    // A secret that was cut, or folded.
    if (contains(text.replaceAll(/\s/g, ''))) return '[…]';
    const known = [knownWords, ...sent];
    const isShown = (run: string) =>
      run.length < shortestRun || known.some((each) => each.includes(run)) || options.isKnownText?.(run);
    return fitted(text.replaceAll(runs, (found) => (isShown(found.replaceAll(/\n|[.;]$/g, '')) ? found : '[…]')));
  };
  const hideEverywhere = (secret: string) => {
    for (const form of [secret, secret.replaceAll(/\s/g, '')]) hide(form);
    complete.hide(secret);
    options.onSecret?.(secret);
  };
  return { hide: hideEverywhere, sanitize: (text) => fitted(mask(text)), sanitizeMessage };
}

/** One line end for white space that has any, also as an escape. */
function withLineEnds(text: string): string {
  return text.replaceAll(/(?:\\[nr]|\s)+/g, (blank) => (/[\n\r\u2028\u2029\\]/.test(blank) ? '\n' : ' '));
}

function fitted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
