// Documents that runs have saved: plans, outcomes, errors, and the results of tenants.
import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { problem } from '../diagnostics/problem.ts';
import { type ParsedDocument, type ParsedResult, parseDocument } from '../document/parse-document.ts';
import type { Documents, ReportDocument } from '../report/document.ts';
import { compareText } from '../values/text-order.ts';
import type { CommandContext } from './context.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import { readSavedText } from './plan-file.ts';
import { maskDocument } from './print-document.ts';
import { isSelectionFile } from './results.ts';

/** A document, and what is known of the run if it is the result of a tenant. */
export interface SavedDocument {
  readonly document: ReportDocument;
  readonly result: ParsedResult | null;
}

export interface Kept {
  /** Null for one that is read again. */
  readonly document: ReportDocument | null;
}

/** The files themselves, and the JSON files in folders and in their subfolders. */
export async function findFiles(cwd: string, operands: readonly string[]) {
  const found = await Promise.all(operands.map((operand) => filesOf(cwd, operand)));
  return {
    paths: found.flatMap(({ paths }) => paths),
    problems: found.flatMap(({ problems }) => problems),
    isList: operands.length > 1 || found.some(({ isFolder }) => isFolder),
  };
}

async function filesOf(cwd: string, operand: string) {
  const present = await stat(resolve(cwd, operand)).catch(() => null);
  if (!present?.isDirectory()) return { isFolder: false, paths: [operand], problems: [] };
  const names = await readdir(resolve(cwd, operand), { recursive: true });
  const paths = names
    .filter(isDocument)
    .sort(compareText)
    .map((name) => join(operand, name));
  const none = problem('OPTION_INVALID', `${operand} has no .json file.`, 'name a folder with saved plans, or files');
  return { isFolder: true, paths, problems: paths.length === 0 ? [none] : [] };
}

/** Not the index of saved plans, and nothing that is hidden. */
function isDocument(path: string): boolean {
  const [name = '', ...folders] = path.split(sep).reverse();
  return (/^[^._].*\.json$/.test(name) || isSelectionFile(name)) && folders.every((folder) => !/^[._]/.test(folder));
}

/** Throws a CommandError if it cannot be shown. */
export function readDocument({ io, output: { mask } }: CommandContext, path: string): SavedDocument {
  const text = readSavedText(resolve(io.cwd, path));
  const parsed = parseDocument(text, path);
  if (parsed.status !== 'parsed') throw new CommandError(exitCode.invalid, parsed.diagnostics);
  const document = documentOf(parsed);
  return { document: mask(text) === text ? document : maskDocument(document, mask), result: parsed.result ?? null };
}

function documentOf(parsed: ParsedDocument & { readonly status: 'parsed' }): ReportDocument {
  const { command = 'show', tenant, diagnostics } = parsed.result ?? {};
  switch (parsed.type) {
    case 'plan':
      return { type: command === 'drift' ? 'drift' : 'plan', plan: parsed.plan, diagnostics: diagnostics ?? [] };
    case 'outcomes':
      return { type: 'outcomes', outcomes: parsed.outcomes };
    case 'diagnostics': {
      const about = { command, files: 0, ...(tenant !== undefined && { tenant }) };
      return { type: 'diagnostics', ...about, diagnostics: diagnostics ?? parsed.diagnostics };
    }
  }
}

/** Reads one document at a time: folders may have more of them than fit into memory. */
export function documentsOf(context: CommandContext, parts: readonly (Kept & { readonly path: string })[]): Documents {
  return {
    length: parts.length,
    *[Symbol.iterator]() {
      for (const { path, document } of parts) yield document ?? readDocument(context, path).document;
    },
  };
}
