import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { problem } from '../../diagnostics/problem.ts';
import { type ParsedDocument, parseDocument } from '../../document/parse-document.ts';
import { kinds } from '../../kinds/index.ts';
import type { Documents, ReportDocument } from '../../report/document.ts';
import { compareText } from '../../values/text-order.ts';
import { checkedTenants } from '../checked-tenants.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { readSavedText } from '../plan-file.ts';
import { maskDocument, printDocuments } from '../print-document.ts';

/** Prints saved plans and outcomes, of files and of the JSON files in folders. Needs no environment. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io } = context;
  if (options.state !== undefined) return showChecks(context, options.state);
  if (options.operands.length === 0)
    throw invalidOption('show needs <file...>.', 'name files or folders, or a project with --state');
  const found = await Promise.all(options.operands.map((operand) => filesOf(io.cwd, operand)));
  const paths = found.flatMap((operand) => operand.paths);
  const problems = found.flatMap((operand) => operand.problems);
  const only: ReportDocument[] = [];
  for (const path of paths) {
    try {
      const document = readDocument(context, path);
      if (paths.length === 1) only.push(document);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  const isList = options.operands.length > 1 || found.some(({ isFolder }) => isFolder);
  const documents = paths.length === 1 ? only : readAgain(context, paths);
  await printDocuments(context, documents, { kinds, isList, filesUrl: null });
  return exitCode.done;
}

/** The last checks of the tenants of a project, and what they found. */
async function showChecks(context: CommandContext, folder: string): Promise<number> {
  await printDocuments(context, await checkedTenants(context, folder), { kinds, isList: true });
  return exitCode.done;
}

/** Reads one document at a time: a folder may have more of them than fit into memory. */
function readAgain(context: CommandContext, paths: readonly string[]): Documents {
  return {
    length: paths.length,
    *[Symbol.iterator]() {
      for (const path of paths) yield readDocument(context, path);
    },
  };
}

/** The file itself, or the JSON files directly in a folder. */
async function filesOf(cwd: string, operand: string) {
  const present = await stat(resolve(cwd, operand)).catch(() => null);
  if (!present?.isDirectory()) return { isFolder: false, paths: [operand], problems: [] };
  const names = await readdir(resolve(cwd, operand));
  const paths = names
    .filter((name) => /^[^._].*\.json$/.test(name))
    .sort(compareText)
    .map((name) => join(operand, name));
  const none = problem('OPTION_INVALID', `${operand} has no .json file.`, 'name a folder with saved plans, or files');
  return { isFolder: true, paths, problems: paths.length === 0 ? [none] : [] };
}

/** Throws a CommandError if it cannot be shown. */
function readDocument({ io, output: { mask } }: CommandContext, path: string): ReportDocument {
  const text = readSavedText(resolve(io.cwd, path));
  const parsed = parseDocument(text, path);
  if (parsed.status !== 'parsed') throw new CommandError(exitCode.invalid, parsed.diagnostics);
  const document = documentOf(parsed);
  return mask(text) === text ? document : maskDocument(document, mask);
}

function documentOf(parsed: ParsedDocument & { readonly status: 'parsed' }): ReportDocument {
  switch (parsed.type) {
    case 'plan':
      return { type: 'plan', plan: parsed.plan, diagnostics: [] };
    case 'outcomes':
      return { type: 'outcomes', outcomes: parsed.outcomes };
    case 'diagnostics':
      return { type: 'diagnostics', command: 'show', diagnostics: parsed.diagnostics, files: 0 };
  }
}
