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
  return fileProblem(
    file,
    reason === 'not_a_file' ? 'it is not a regular file' : `the system says ${detail}`,
    'check that it is a regular file, and its permissions',
  );
}

export function listingProblem({ path, reason, detail }: ListingProblem): Problem {
  if (reason === 'outside') return outsideFile(path);
  if (reason === 'missing')
    return fileProblem(path, 'it is a link to something that does not exist', 'correct the link, or remove it');
  if (reason === 'not_a_file')
    return fileProblem(path, 'it is not a regular file', 'remove it, or put a regular file in its place');
  return fileProblem(path, `the folder cannot be listed (${detail})`, 'check its permissions');
}

/** Bytes as text. A problem is placed at the first bad byte. */
export function decodeSource(file: string, bytes: Uint8Array, report: Report): SourceText | null {
  const decoded = decodeText(bytes);
  if (decoded.ok) return sourceText(file, decoded.text);
  const source = sourceText(file, `${decoded.before}\ufffd`);
  report({
    code: 'CONFIG_BAD_ENCODING',
    message: `The file is not UTF-8: ${decoded.found} stands here.`,
    hint: 'save the file as UTF-8',
    at: { source, start: decoded.before.length, end: decoded.before.length + 1 },
  });
  return null;
}

export function tooLarge(bytes: string) {
  return {
    code: 'CONFIG_FILE_TOO_LARGE',
    message: `The file has ${bytes} bytes; a file may have ${mostBytes} (5 MB).`,
    hint: 'split it: the sections of all files of a folder are joined',
  } as const;
}

function fileProblem(file: string, why: string, hint: string): Problem {
  return { code: 'CONFIG_FILE_UNREADABLE', message: `The file cannot be read: ${why}.`, hint, at: startOf(file) };
}

function outsideFile(file: string): Problem {
  return {
    code: 'CONFIG_REFERENCE_OUTSIDE',
    message: 'This link leads out of the tenant folder; only what is below the folder is read.',
    hint: 'copy the files into the folder',
    at: startOf(file),
  };
}

/** A place in a file of which no text is known. */
function startOf(file: string) {
  return { source: sourceText(file, ''), start: 0, end: 0 };
}
