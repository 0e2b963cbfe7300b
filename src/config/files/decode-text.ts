import { isUtf8 } from 'node:buffer';

/** A text, or the text before the first bytes that are not UTF-8 and what they seem to be. */
export type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly before: string; readonly found: string };

const byteOrderMarks: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
];

/** Strict: nothing is replaced. A byte order mark of UTF-8 is removed. */
export function decodeText(bytes: Uint8Array): Decoded {
  const mark = byteOrderMarks.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) return { ok: false, before: '', found: `the byte order mark of ${mark[0]}` };
  // The decoder removes the mark; positions then count from the first real character.
  if (isUtf8(bytes)) return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  return firstBad(bytes);
}

/** Decoding with replacements shows where: the first replacement that the bytes do not hold themselves. */
function firstBad(bytes: Uint8Array): Decoded {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  let done = 0;
  for (let index = text.indexOf('\ufffd'); index >= 0; index = text.indexOf('\ufffd', index + 1)) {
    offset += Buffer.byteLength(text.slice(done, index));
    done = index;
    const genuine = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (!genuine)
      return {
        ok: false,
        before: text.slice(0, index).replace(/^\ufeff/, ''),
        found: `the byte 0x${(bytes[offset] ?? 0).toString(16).padStart(2, '0')}`,
      };
  }
  return { ok: false, before: text, found: 'a byte' };
}
