// Documents that runs have saved: plans, outcomes, errors, and the results of tenants.
import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { problem } from '../diagnostics/problem.ts';
import { type PlainDocument, parseDocument } from '../document/parse-document.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Documents, ReportDocument } from '../report/document.ts';
import { compareText } from '../values/text-order.ts';
import type { CommandContext } from './context.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import { readSavedText } from './plan-file.ts';
import { maskDocument } from './print-document.ts';
import { isSelectionFile } from './results.ts';

export interface SavedDocument {
  readonly path: string;
  /** Its position in the file. */
  readonly at: number;
  readonly document: ReportDocument;
  /** Null for a document that is not the result of a tenant. */
  readonly result: { readonly tenant: string; readonly command: string; readonly code: number } | null;
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

/** The documents of a file. Throws a CommandError if it cannot be shown. */
export function readDocuments({ io, output: { mask } }: CommandContext, path: string): readonly SavedDocument[] {
  const text = readSavedText(resolve(io.cwd, path));
  const parsed = parseDocument(text, path);
  if (parsed.status !== 'parsed') throw new CommandError(exitCode.invalid, parsed.diagnostics);
  const documents: readonly Omit<SavedDocument, 'path' | 'at'>[] =
    parsed.type !== 'result'
      ? [{ document: documentOf(parsed, { command: 'show' }), result: null }]
      : parsed.result.entries.map(({ code, document, diagnostics }) => {
          const { tenant, command } = parsed.result;
          return {
            document: documentOf(document, { command, tenant, diagnostics }),
            result: { tenant, command, code },
          };
        });
  const isMasked = mask(text) !== text;
  return documents.map(({ document, result }, at) => ({
    path,
    at,
    document: isMasked ? maskDocument(document, mask) : document,
    result,
  }));
}

interface Origin {
  readonly command: string;
  readonly tenant?: string;
  readonly diagnostics?: readonly Diagnostic[];
}

function documentOf(parsed: PlainDocument, { diagnostics, ...origin }: Origin): ReportDocument {
  switch (parsed.type) {
    case 'plan':
      return { type: origin.command === 'drift' ? 'drift' : 'plan', plan: parsed.plan, diagnostics: diagnostics ?? [] };
    case 'outcomes':
      return { type: 'outcomes', outcomes: parsed.outcomes };
    case 'diagnostics':
      return { type: 'diagnostics', ...origin, diagnostics: diagnostics ?? parsed.diagnostics, files: 0 };
  }
}

/** Reads one document at a time: folders may have more of them than fit into memory. */
export function documentsAgain(
  context: CommandContext,
  parts: readonly (Pick<SavedDocument, 'path' | 'at'> & { readonly document: ReportDocument | null })[],
): Documents {
  return {
    length: parts.length,
    *[Symbol.iterator]() {
      for (const { path, at, document } of parts)
        yield* document === null
          ? readDocuments(context, path)
              .slice(at, at + 1)
              .map((one) => one.document)
          : [document];
    },
  };
}
