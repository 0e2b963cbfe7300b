import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether a journal in the folder has an intent for a request, read at this very moment from the disk. Path is below the base URL.
 * Read by text and not by the code that reads journals, which may be wrong in the same way as the code that writes them.
 */
export function hasIntent(folder: string, method: string, path: string): boolean {
  const journals = namesIn(folder).filter((name) => name.endsWith('.journal'));
  return journals.some((name) =>
    linesOf(join(folder, name)).some(
      (line) => line['record'] === 'intent' && line['method'] === method && line['path'] === path,
    ),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linesOf(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Record<string, unknown>);
}
