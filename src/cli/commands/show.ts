import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { problem } from '../../diagnostics/problem.ts';
import { kinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ReportDocument } from '../../report/document.ts';
import { canShow } from '../../report/formats.ts';
import { parseDocument } from '../../sync/parse-document.ts';
import { compareText } from '../../values/text-order.ts';
import { CommandError } from '../command-error.ts';
import { exitCode } from '../exit-codes.ts';
import type { CommandContext } from '../io.ts';
import { readSavedText } from '../plan-file.ts';
import { printDocuments } from '../print-document.ts';

interface Saved {
  readonly path: string;
  readonly document: ReportDocument;
}

/** Prints saved plans and outcomes, of files and of the JSON files in folders. Needs no environment. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io } = context;
  const found = await Promise.all(options.operands.map((operand) => filesOf(io.cwd, operand)));
  const read = await Promise.all(found.flatMap(({ paths }) => paths).map((path) => readDocument(io.cwd, path)));
  const saved = read.flatMap((one) => ('document' in one ? [one] : []));
  const problems = [
    ...found.flatMap(({ problems }) => problems),
    ...read.flatMap((one) => ('document' in one ? [] : one.problems)),
    ...unshowable(context, saved),
  ];
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  const isList = options.operands.length > 1 || found.some(({ isFolder }) => isFolder);
  await printDocuments(
    context,
    saved.map(({ document }) => document),
    { kinds, isList },
  );
  return exitCode.done;
}

/** The file itself, or the JSON files directly in a folder. */
async function filesOf(cwd: string, operand: string) {
  const present = await stat(resolve(cwd, operand)).catch(() => null);
  if (!present?.isDirectory()) return { isFolder: false, paths: [operand], problems: [] };
  const names = await readdir(resolve(cwd, operand));
  const paths = names
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort(compareText)
    .map((name) => join(operand, name));
  const none = problem('OPTION_INVALID', `${operand} has no .json file.`, 'name a folder with saved plans, or files');
  return { isFolder: true, paths, problems: paths.length === 0 ? [none] : [] };
}

async function readDocument(cwd: string, path: string): Promise<Saved | { readonly problems: readonly Diagnostic[] }> {
  const text = await readSavedText(resolve(cwd, path)).catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  if (text instanceof CommandError) return { problems: text.diagnostics };
  const parsed = parseDocument(text, path);
  if (parsed.status !== 'parsed') return { problems: parsed.diagnostics };
  switch (parsed.type) {
    case 'plan':
      return { path, document: { type: 'plan', plan: parsed.plan, diagnostics: [] } };
    case 'outcomes':
      return { path, document: { type: 'outcomes', outcomes: parsed.outcomes } };
    case 'diagnostics':
      return { path, document: { type: 'diagnostics', command: 'show', diagnostics: parsed.diagnostics, files: 0 } };
  }
}

/** A format that has no form for a document. */
function unshowable({ arguments: { format }, reports }: CommandContext, saved: readonly Saved[]): Diagnostic[] {
  const wanted = [...new Set([format, ...reports.map((report) => report.format)])];
  return saved.flatMap(({ path, document }) =>
    wanted
      .filter((name) => !canShow(name, document.type))
      .map((name) => {
        const message = `${path} has the ${document.type} of a run, which have no ${name} form.`;
        return problem('OPTION_INVALID', message, 'choose another format for it');
      }),
  );
}
