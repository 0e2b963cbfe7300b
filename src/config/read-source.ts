import type { FaultText } from '../diagnostics/fault-at.ts';
import { type SourceText, sourceText } from '../diagnostics/source-text.ts';
import { decodeText } from './decode-text.ts';
import type { Report } from './fault.ts';
import { fileFault, startOf } from './find-files.ts';
import { type FileBytes, mostBytes, readRegularFile } from './read-regular-file.ts';

/** Text of a YAML file that `findFiles` found; null after a fault. */
export function readSource(file: string, path: string, report: Report): SourceText | null {
  const read = readRegularFile(path);
  if (read.ok) return decodeSource(file, read.bytes, report);
  report(
    read.why === 'too_large'
      ? { ...tooLarge(read), at: startOf(file) }
      : fileFault(
          file,
          read.why === 'not_a_file' ? 'it is not a regular file' : `the system says ${read.detail}`,
          'check that it is a regular file, and its permissions',
        ),
  );
  return null;
}

/** Bytes as text; a fault stands at the first bad byte. */
export function decodeSource(file: string, bytes: Uint8Array, report: Report): SourceText | null {
  const decoded = decodeText(bytes);
  if (decoded.ok) return sourceText(file, decoded.text);
  const source = sourceText(file, `${decoded.before}\ufffd`);
  report({
    ...badEncoding(decoded.found),
    at: { source, start: decoded.before.length, end: decoded.before.length + 1 },
  });
  return null;
}

export function tooLarge(read: FileBytes & { ok: false }): FaultText {
  return {
    code: 'CONFIG_FILE_TOO_LARGE',
    message: `The file has ${read.detail} bytes; a file may have ${mostBytes} (5 MB).`,
    hint: 'split it: the sections of all files of a folder are joined',
  };
}

function badEncoding(found: string): FaultText {
  return {
    code: 'CONFIG_BAD_ENCODING',
    message: `The file is not UTF-8: ${found} stands here.`,
    hint: 'save the file as UTF-8',
  };
}
