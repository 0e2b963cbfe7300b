import { type SourceText, sourceText } from '../../diagnostics/source-text.ts';
import type { FileContent, FileSource, ListingProblem } from '../../model/file-source.ts';
import type { Problem, Report } from '../errors/problem.ts';
import { decodeText } from './decode-text.ts';
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

function unreadableFile(file: string, { reason, detail }: FileContent & { ok: false }): Problem {
  if (reason === 'too_large') return { ...tooLarge(detail), at: startOf(file) };
  if (reason === 'outside') return outsideFile(file);
  if (reason === 'missing') return unreadable(file, 'The file does not exist.', 'create the file, or correct the path');
  return reason === 'not_a_file'
    ? notAFile(file)
    : unreadable(file, `The file cannot be read (${detail}).`, permissions);
}

export function listingProblem({ path, reason, detail }: ListingProblem): Problem {
  if (reason === 'outside') return outsideFile(path);
  if (reason === 'missing')
    return unreadable(path, 'The file is a link whose target does not exist.', 'correct the link, or delete it');
  if (reason === 'not_a_file') return notAFile(path);
  return unreadable(path, `The folder cannot be listed (${detail}).`, permissions);
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
    message: `The file has ${bytes} bytes; the maximum is ${mostBytes} (5 MB).`,
    hint,
  } as const;
}

const permissions = 'check the permissions';

function notAFile(file: string): Problem {
  return unreadable(file, 'This is not a regular file.', 'delete it, or replace it with a regular file');
}

function unreadable(file: string, message: string, hint: string): Problem {
  return { code: 'CONFIG_FILE_UNREADABLE', message, hint, at: startOf(file) };
}

function outsideFile(file: string): Problem {
  return {
    code: 'CONFIG_REFERENCE_OUTSIDE',
    message: 'This link leads out of the tenant folder. Only files below the folder are read.',
    hint: 'replace the link with a copy of its target',
    at: startOf(file),
  };
}

/** A place in a file of which no text is known. */
function startOf(file: string) {
  return { source: sourceText(file, ''), start: 0, end: 0 };
}
