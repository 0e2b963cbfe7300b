import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asAdmin } from '../support/ask-database.ts';

/**
 * Whether a journal in the folder has an intent for a request, read at this very moment from the disk. Path is below the base URL.
 * Read by text and not by the code that reads journals, which may be wrong in the same way as the code that writes them.
 */
export function hasIntent(folder: string, method: string, path: string): boolean {
  return journalsIn(folder).some((journal) => isIntended(journal, method, path));
}

/** The same of a text. */
export function isIntended(journal: string, method: string, path: string): boolean {
  return linesOf(journal).some(
    (line) => line['record'] === 'intent' && line['method'] === method && line['path'] === path,
  );
}

/** The journals in a folder, or in a database. */
export function journalsIn(folder: string): string[] {
  const names = namesIn(folder).filter((name) => name.endsWith('.journal'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8'));
}

export async function journalsOf(database: string): Promise<string[]> {
  const texts = "select string_agg(text, '' order by position) as text from tenant_sync.texts group by name";
  // Without the tables, there is none.
  return (await asAdmin(database, texts).catch(() => [])).map(({ text }) => String(text));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linesOf(journal: string): Record<string, unknown>[] {
  const lines = journal.split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Record<string, unknown>);
}
