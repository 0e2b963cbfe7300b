import { isUtf8 } from 'node:buffer';
import { type SourceText, sourceText } from '../../diagnostics/source-text.ts';
import type { FileContent } from '../../model/file-source.ts';
import { thousands } from '../../values/thousands.ts';
import type { Problem, ProblemText, Report } from '../errors/problem.ts';
import { mostBytes } from './folder-source.ts';

/** Text of a YAML file that was read; null after a report of why it could not be. `file` is its name in messages. */
export function textOf(file: string, content: FileContent, report: Report): SourceText | null {
  if (content.ok) return decodeSource(file, content.bytes, report);
  report(unreadableFile(file, content));
  return null;
}

/** An entry of a folder, or a file of an option, that is not read. Only a reference has codes for what is no text. */
export function unreadableFile(file: string, { reason, detail }: Omit<FileContent & { ok: false }, 'ok'>): Problem {
  const text = refusedText(reason, 'The file', detail);
  const isNoText = reason === 'missing' || reason === 'not_a_file';
  return {
    ...text,
    ...(isNoText && { code: 'CONFIG_FILE_UNREADABLE' }),
    ...(reason === 'missing' && { hint: 'create it, or correct the path' }),
    at: startOf(file),
  };
}

/** Why a file is not read, and what to do. */
const refusals = {
  outside: {
    code: 'CONFIG_REFERENCE_OUTSIDE',
    what: 'may point outside the tenant folder, of which only the files below it are read',
    hint: 'copy the file into the tenant folder; a reference is a relative path with forward slashes',
  },
  hidden: {
    code: 'CONFIG_REFERENCE_HIDDEN',
    what: 'leads to a file or folder whose name starts with a dot, or into node_modules, which are not read',
    hint: 'copy the text to a file with another name',
  },
  several_names: {
    code: 'CONFIG_REFERENCE_HARD_LINK',
    what: 'has several hard links, so it may be a file from outside the tenant folder',
    hint: 'replace it with a copy of its own',
  },
  missing: {
    code: 'CONFIG_REFERENCE_MISSING',
    what: 'does not exist',
    hint: 'create it, or correct the link or the path, which is relative to the YAML file',
  },
  not_a_file: {
    code: 'CONFIG_REFERENCE_NOT_A_FILE',
    what: 'is not a regular file',
    hint: 'replace it with a regular file, or name another one',
  },
  too_large: {
    code: 'CONFIG_FILE_TOO_LARGE',
    what: `has more than ${thousands(mostBytes)} bytes (4 MB), which is the limit`,
    hint: 'shorten it, or split it: sections of several YAML files are joined',
  },
  unreadable: { code: 'CONFIG_FILE_UNREADABLE', what: 'cannot be read', hint: 'check the permissions' },
} as const;

export type Refusal = keyof typeof refusals;

/** `subject` is what messages may show of the path. */
export function refusedText(reason: Refusal, subject: string, detail = ''): ProblemText {
  const { code, what, hint } = refusals[reason];
  return {
    code,
    message: `${subject} ${what}${reason === 'unreadable' && detail !== '' ? ` (${detail})` : ''}.`,
    hint,
  };
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

/** A place in a file of which no text is known. */
export function startOf(file: string) {
  return { source: sourceText(file, ''), start: 0, end: 0 };
}

/** Bytes that differ from what their text is encoded to are bad, or follow others of a letter that is not complete. */
function firstBad(bytes: Uint8Array): { readonly before: string; readonly byte: number } {
  const decode = (part: Uint8Array, stream: boolean) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(part, { stream });
  const encoded = Buffer.from(decode(bytes, false));
  const differs = bytes.findIndex((byte, index) => byte !== encoded[index]);
  const before = decode(bytes.subarray(0, differs < 0 ? bytes.length : differs), true);
  return { before: before.replace(/^\ufeff/, ''), byte: bytes[Buffer.byteLength(before)] ?? 0 };
}
