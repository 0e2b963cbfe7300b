/** Forms of a secret that no list of encodings has, by their names. */
export const echoes: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'without its first word': withoutFirstWord,
  'folded by line ends': (secret) => folded(withoutFirstWord(secret), 16, '\n'),
  'folded by line ends with blanks': (secret) => folded(secret, 9, '\r\n  '),
  'folded in base64': (secret) => folded(base64(secret), 12, '\n'),
  'in base64 twice': (secret) => base64(base64(secret)),
  'in base64 twice, folded': (secret) => folded(base64(base64(secret)), 19, '\n'),
  'its last characters': (secret) => secret.slice(-24),
  'in pieces between commas': (secret) => folded(secret, 10, ', '),
  'quoted like mail': (secret) => folded(secret, 9, '\n> '),
  'as bytes': (secret) => `<Buffer ${eachByte(secret, (byte) => byte.toString(16).padStart(2, '0')).join(' ')}>`,
  'as a list of numbers': (secret) => `[${eachByte(secret, String).join(',')}]`,
  'as escapes': (secret) => eachByte(secret, (byte) => `\\u${byte.toString(16).padStart(4, '0')}`).join(''),
  'as characters of HTML': (secret) => eachByte(secret, (byte) => `&#${byte};`).join(''),
};

/** `Bearer abc` as `abc`. */
function withoutFirstWord(secret: string): string {
  return secret.slice(secret.indexOf(' ') + 1);
}

function folded(text: string, length: number, fold: string): string {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  ).join(fold);
}

function eachByte<Result>(text: string, as: (byte: number) => Result): Result[] {
  return [...Buffer.from(text)].map(as);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const recognizable = 8;

/**
 * The first part of an echo, of 8 characters, that a text has, whatever white space is in either; null if there is none.
 * SHA-256 digests are left out of the text: eighty of them in a journal contain eight given hexadecimal digits by chance
 * in one of some ten thousand runs.
 */
export function partIn(text: string, echo: string): string | null {
  const shown = compact(text.replaceAll(/\b[0-9a-f]{64}\b/g, ''));
  const parts = compact(echo);
  for (let at = 0; at + recognizable <= parts.length; at += 1) {
    const part = parts.slice(at, at + recognizable);
    if (shown.includes(part)) return part;
  }
  return null;
}

function compact(text: string): string {
  return text.replaceAll(/\\[nrt]|\s/g, '');
}
