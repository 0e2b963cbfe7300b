import { setImmediate } from 'node:timers/promises';
import type { FileSource } from '../model/file-source.ts';
import { readSource } from './files/read-source.ts';
import { variableFile } from './variables/variables.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** One file as it is written: references are not replaced, and nothing is validated. */
export interface OutlinedFile {
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * The top-level mapping of every file that is YAML, for what needs names and can do without the files that have errors.
 * `signal` ends the reading.
 */
export async function outlineOf(source: FileSource, signal?: AbortSignal): Promise<readonly OutlinedFile[]> {
  const outlined: OutlinedFile[] = [];
  for (const file of (await source.list())?.files ?? []) {
    await setImmediate();
    signal?.throwIfAborted();
    if (file === variableFile) continue;
    const text = await readSource(source, file, ignore);
    const parsed = text === null ? null : parseYaml(text, ignore);
    if (parsed !== null) outlined.push({ file, value: parsed.value });
  }
  return outlined;
}

/** Errors of the files are those of another command. */
function ignore(): void {}
