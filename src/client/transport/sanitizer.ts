import { knownWords } from '../../contract/known-words.ts';
import type { ConnectOptions } from '../../model/client.ts';
import { openMasker } from '../../secrets/masker.ts';

const longest = 300;
const shortestRun = 20;
/** With what the masker leaves, `***`, and line ends, where a text may be folded. */
const runs = /[\p{L}\p{N}\-_.+/=%&;*]+(?:\n[\p{L}\p{N}\-_.+/=%&;*]+)*/gu;

export type Sanitizer = ReturnType<typeof openSanitizer>;

/** Makes texts fit for a message. A service can echo the secrets that it was sent. */
export function openSanitizer(options: Pick<ConnectOptions, 'onSecret' | 'isKnownText'> = {}) {
  const { hide, mask, contains } = openMasker({ shortest: 1 });
  const complete = openMasker({ shortest: 1, prefixes: false });
  const parts = new Set<string>();
  /** Most runs need no message. */
  const pending: string[] = [];
  const hidePending = (): void => {
    for (const secret of pending.splice(0)) {
      for (const form of [secret, secret.replaceAll(/\s/g, '')]) hide(form);
      complete.hide(secret);
      for (const part of partsOf(secret)) parts.add(part);
    }
  };
  /** The same of a message of the service, with `[…]` for a run that neither `sent`, the files nor the contract have. */
  const sanitizeMessage = (message: string, sent: readonly string[]): string => {
    hidePending();
    const text = withLineEnds(complete.mask(message).slice(0, longest * shortestRun));
    // A secret that was cut, folded, or taken apart.
    if (contains(text.replaceAll(/\s/g, '')) || partsOf(text).some((part) => parts.has(part)) || pieces.test(text))
      return '[…]';
    const known = [knownWords, ...sent];
    const isShown = (run: string) =>
      run.length < shortestRun || known.some((each) => each.includes(run)) || options.isKnownText?.(run);
    return fitted(text.replaceAll(runs, (found) => (isShown(found.replaceAll(/\n|[.;]$/g, '')) ? found : '[…]')));
  };
  const hideEverywhere = (secret: string): void => {
    pending.push(secret);
    options.onSecret?.(secret);
  };
  /**
   * Hides every text of a value that may have secrets, wherever they are. Words, and what the files have as well, are shown:
   * a document without each `update` or `sha256` could not be read.
   */
  const hideTexts = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) hideTexts(one);
    else if (typeof value === 'string' && !isWord(value) && options.isKnownText?.(value) !== true)
      hideEverywhere(value);
  };
  /** The text without secrets, on one line, cut to 300 characters. */
  const sanitize = (text: string): string => {
    hidePending();
    return fitted(mask(text));
  };
  return { hide: hideEverywhere, hideTexts, sanitize, sanitizeMessage };
}

/** Bytes or characters one by one, such as `73 74 72`, `&#116;&#111;` or `s,t,r`: what they spell is not known. */
const pieces = /(?:(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]{1,2}|\d{3}|0?x[\da-f]{2}|u[\da-f]{4})[^\p{L}\p{N}]{1,6}){8}/iu;

const shortestSecret = 8;

/** Whether a text is too short or too simple for a secret of a service. */
function isWord(text: string): boolean {
  return text.length < shortestSecret || (text.length < shortestRun && /^[a-z]+([ _-][a-z]+)*$/i.test(text));
}

const partLength = 12;

/** Every so many letters and digits that follow each other, whatever is between them. */
function partsOf(text: string): string[] {
  const compact = text.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return Array.from({ length: Math.max(0, compact.length - partLength + 1) }, (_, at) =>
    compact.slice(at, at + partLength),
  );
}

/** One line end for white space that has any, also as an escape. */
function withLineEnds(text: string): string {
  return text.replaceAll(/(?:\\[nr]|\s)+/g, (blank) => (/[\n\r\u2028\u2029\\]/.test(blank) ? '\n' : ' '));
}

function fitted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
