// Documents that runs have saved: plans, outcomes, errors and results of tenants, in files and in the database of workers.
import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { Session } from '../database/connect.ts';
import { problem } from '../diagnostics/problem.ts';
import { type ParsedDocument, type ParsedResult, parseDocument } from '../document/parse-document.ts';
import type { ReportDocument } from '../report/document.ts';
import { compareText } from '../values/text-order.ts';
import { readChecks, readDocuments } from '../worker/checks.ts';
import type { CommandContext } from './context.ts';
import { errorsOf } from './each-tenant.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import { withoutSecrets } from './print-document.ts';
import { isSelectionFile } from './results.ts';
import { readSavedText } from './saved-plans.ts';

/** A document, and what is known of the run if it is the result of a tenant. */
export interface SavedDocument {
  readonly document: ReportDocument;
  readonly result: ParsedResult | null;
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
export function readDocument({ io, output }: CommandContext, path: string): SavedDocument {
  const parsed = parseDocument(readSavedText(resolve(io.cwd, path)), path);
  if (parsed.status !== 'parsed') throw new CommandError(exitCode.invalid, parsed.diagnostics);
  return { document: withoutSecrets(documentOf(parsed), output.mask), result: parsed.result ?? null };
}

/** The last checks of these tenants, and what each found. */
export async function checkedDocuments(session: Session, names: readonly string[]): Promise<readonly ReportDocument[]> {
  const tenants = await readChecks(session, names);
  const found = (await readDocuments(session, names)).map(({ tenant, document }) => {
    const parsed = parseDocument(document, `the last check of ${tenant}`);
    return parsed.status === 'parsed' ? documentOf(parsed) : errorsOf(tenant, 'drift', parsed.diagnostics);
  });
  return [{ type: 'checks', tenants }, ...found];
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
