import { isUtf8 } from 'node:buffer';
import { type SourceText, sourceText } from '../../diagnostics/source-text.ts';
import type { FileContent, FileSource, ListingProblem } from '../../model/file-source.ts';
import type { Problem, Report } from '../errors/problem.ts';
import { mostBytes } from './read-regular-file.ts';

/** Text of a listed YAML file; null after a report. `file` is its name in messages. */
export async function readSource(source: FileSource, file: string, report: Report): Promise<SourceText | null> {
  return textOf(file, await source.read(file), report);
}

/** Text of a YAML file that was read, or a report of why it could not be. */
export function textOf(file: string, content: FileContent, report: Report): SourceText | null {
  if (content.ok) return decodeSource(file, content.bytes, report);
  report(unreadableFile(file, content));
  return null;
}

/** An entry of a folder that is not a file to read. */
export function listingProblem({ path, reason, detail }: ListingProblem): Problem {
  if (reason === 'missing')
    return unreadable(path, 'The file is a link whose target does not exist.', 'correct the link, or delete it');
  if (reason === 'unreadable') return unreadable(path, `The folder cannot be listed (${detail}).`);
  return unreadableFile(path, { reason, detail });
}

function unreadableFile(file: string, { reason, detail }: Omit<FileContent & { ok: false }, 'ok'>): Problem {
  switch (reason) {
    case 'too_large':
      return { ...tooLarge(detail), at: startOf(file) };
    case 'missing':
      return unreadable(file, 'The file does not exist.', 'create the file, or correct the path');
    case 'not_a_file':
      return unreadable(file, 'This is not a regular file.', 'delete it, or replace it with a regular file');
    case 'unreadable':
      return unreadable(file, `The file cannot be read (${detail}).`);
    default:
      return { ...linkProblems[reason], hint: 'replace the link with a copy of its target', at: startOf(file) };
  }
}

const linkProblems = {
  outside: {
    code: 'CONFIG_REFERENCE_OUTSIDE',
    message: 'This link points outside the tenant folder. Only files below the folder are read.',
  },
  hidden: {
    code: 'CONFIG_REFERENCE_HIDDEN',
    message: 'This link leads to a file whose name starts with a dot, or into .git or node_modules. They are not read.',
  },
} as const;

function unreadable(file: string, message: string, hint = 'check the permissions'): Problem {
  return { code: 'CONFIG_FILE_UNREADABLE', message, hint, at: startOf(file) };
}

/** Bytes as text. A problem is placed at the first bad byte. */
export function decodeSource(file: string, bytes: Uint8Array, report: Report): SourceText | null {
  const decoded = decodeText(bytes);
  if (decoded.ok) return sourceText(file, decoded.text);
  const source = sourceText(file, `${decoded.before}\ufffd`);
  report({
    code: 'CONFIG_BAD_ENCODING',
    message: `The file is not valid UTF-8: it has ${decoded.found} here.`,
    hint: 'save the file as UTF-8',
    at: { source, start: decoded.before.length, end: decoded.before.length + 1 },
  });
  return null;
}

export function tooLarge(bytes: string, hint = 'split the file: sections of several files are joined') {
  return {
    code: 'CONFIG_FILE_TOO_LARGE',
    message: `The file has ${bytes} bytes; the maximum is ${mostBytes} (4 MB).`,
    hint,
  } as const;
}

/** A place in a file of which no text is known. */
export function startOf(file: string) {
  return { source: sourceText(file, ''), start: 0, end: 0 };
}

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
function decodeText(bytes: Uint8Array): Decoded {
  const mark = byteOrderMarks.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) return { ok: false, before: '', found: `the byte order mark of ${mark[0]}` };
  // The decoder removes the mark; positions then count from the first real character.
  if (isUtf8(bytes)) return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  return firstBad(bytes);
}

/** Decoding with replacement characters shows where: at the first one that is not in the bytes themselves. */
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
