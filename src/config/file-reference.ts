// `{ file: path }` stands for a text below the tenant folder. The path comes from a pull request, and what it names is sent to
// the tenant, so it may lead nowhere else: first as it is written, then as the file system resolves it, then on the opened file.
import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { FaultText } from '../diagnostics/fault-at.ts';
import { nearestWord } from '../diagnostics/nearest-word.ts';
import type { SourceText } from '../diagnostics/source-text.ts';
import type { Report } from './fault.ts';
import { isInside } from './is-inside.ts';
import { readRegularFile, reasonOf } from './read-regular-file.ts';
import { decodeSource, tooLarge } from './read-source.ts';

/** The text, or why there is none. `null`: the fault is in the text itself and has been reported there. */
export type Referenced = { readonly text: SourceText } | { readonly fault: FaultText } | null;

/** Resolves the references of one folder; each text is read once. `written` is the path as messages may show it. */
export type Resolve = (from: string, path: string, written: string) => Referenced;

/** A text that was read, or why not, once the path is known under which it was asked for. */
type Read = SourceText | null | ((written: string) => FaultText);

/** `root` is a real path. */
export function referenceResolver(root: string, report: Report): Resolve {
  const texts = new Map<string, Read>();
  return (from, path, written) => {
    const target = targetOf(root, from, path, written);
    if (typeof target !== 'string') return { fault: target };
    if (!texts.has(target)) texts.set(target, readReferenced(root, target, report));
    const text = texts.get(target) ?? null;
    if (text === null) return null;
    return typeof text === 'function' ? { fault: text(written) } : { text };
  };
}

/** The real path, or why it is refused. */
function targetOf(root: string, from: string, path: string, written: string): string | FaultText {
  if (!isPlainRelative(path)) return outside(written);
  const target = join(root, dirname(from), path);
  if (!isInside(root, target)) return target === root ? notAFile(written) : outside(written);
  try {
    const real = realpathSync(target);
    return isInside(root, real) ? real : outside(written);
  } catch (error) {
    const { why, detail } = reasonOf(error);
    if (why !== 'missing') return unreadable(written, detail);
    // A name that is near says much of a path that must not show.
    return missing(written, written === path ? nearestFile(target) : undefined);
  }
}

function isPlainRelative(path: string): boolean {
  return !/^(?:[/~]|[A-Za-z]:)|[\\\u0000]/.test(path);
}

function readReferenced(root: string, path: string, report: Report): Read {
  const file = relative(root, path).split(sep).join('/');
  const read = readRegularFile(path);
  if (read.ok) return decodeSource(file, read.bytes, report);
  if (read.why === 'not_a_file') return notAFile;
  return read.why === 'too_large' ? () => tooLarge(read) : (written) => unreadable(written, read.detail);
}

function nearestFile(target: string): string | undefined {
  return nearestWord(basename(target), namesIn(dirname(target)).sort());
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function outside(path: string): FaultText {
  return {
    code: 'CONFIG_REFERENCE_OUTSIDE',
    message: `${JSON.stringify(path)} may lead out of the tenant folder; a reference is a relative path with forward slashes that stays below the folder.`,
    hint: 'copy the file into the folder and name it relative to this YAML file',
  };
}

function missing(path: string, nearest: string | undefined): FaultText {
  return {
    code: 'CONFIG_REFERENCE_MISSING',
    message: `There is no file ${JSON.stringify(path)}; a reference is relative to the YAML file that names it.`,
    hint: nearest === undefined ? 'create the file, or correct the path' : `did you mean "${nearest}"?`,
  };
}

function notAFile(path: string): FaultText {
  return {
    code: 'CONFIG_REFERENCE_NOT_A_FILE',
    message: `${JSON.stringify(path)} is not a regular file; a reference must name one.`,
    hint: 'name a file',
  };
}

function unreadable(path: string, detail: string): FaultText {
  return {
    code: 'CONFIG_FILE_UNREADABLE',
    message: `${JSON.stringify(path)} cannot be read: the system says ${detail}.`,
    hint: 'check its permissions',
  };
}
