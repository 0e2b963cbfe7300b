import { isUtf8 } from 'node:buffer';
import { type SourceText, sourceText } from '../../diagnostics/source-text.ts';
import type { FileContent, FileSource, ListingProblem } from '../../model/file-source.ts';
import type { Problem, Report } from '../errors/problem.ts';
import { mostBytes } from './folder-source.ts';

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

/** Bytes as text, without the byte order mark of UTF-8. A problem is placed at the first bad byte. */
export function decodeSource(file: string, bytes: Uint8Array, report: Report): SourceText | null {
  // The decoder removes the mark; positions then count from the first real character.
  if (isUtf8(bytes)) return sourceText(file, new TextDecoder().decode(bytes));
  const { before, byte } = firstBad(bytes);
  const isMark = before === '' && (byte === 0xff || byte === 0xfe);
  report({
    code: 'CONFIG_BAD_ENCODING',
    message: `The file is not valid UTF-8: it has ${isMark ? 'the byte order mark of UTF-16' : `the byte 0x${byte.toString(16)}`} here.`,
    hint: 'save the file as UTF-8',
    at: { source: sourceText(file, `${before}\ufffd`), start: before.length, end: before.length + 1 },
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

/** Decoding with replacement characters shows where: at the first one that is not in the bytes themselves. */
function firstBad(bytes: Uint8Array): { readonly before: string; readonly byte: number } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  let done = 0;
  for (let index = text.indexOf('\ufffd'); index >= 0; index = text.indexOf('\ufffd', index + 1)) {
    offset += Buffer.byteLength(text.slice(done, index));
    done = index;
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) break;
  }
  return { before: text.slice(0, done).replace(/^\ufeff/, ''), byte: bytes[offset] ?? 0 };
}
