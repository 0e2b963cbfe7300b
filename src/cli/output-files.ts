// Files that options name for what a run writes. They are checked before anything is sent.
import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean, nearestWord } from '../diagnostics/near-names.ts';
import { problem } from '../diagnostics/problem.ts';
import { openRegular } from '../files/safe-file-access.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type FormatName, formatRow, planStart } from '../report/formats.ts';
import { listed } from '../values/list-of.ts';
import { type CommandName, commandTable } from './command-table.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Arguments } from './parse-arguments.ts';

/** A file that gets the result of a run in a format of its own. */
export interface ReportFile {
  readonly format: FormatName;
  readonly path: string;
  /** The path as it was given. */
  readonly shown: string;
}

type Options = Pick<Arguments, 'command' | 'report' | 'out' | 'plan'>;

/** The files of --report. Throws a CommandError with every one that cannot be used, before anything is sent. */
export async function reportFiles({ cwd }: Pick<Io, 'cwd'>, options: Options): Promise<readonly ReportFile[]> {
  const { command, report } = options;
  const formats = commandTable[command].formats;
  const parsed = report.map((text) => parseReport(text, command, formats));
  const files = parsed.flatMap((one) => ('code' in one ? [] : [{ ...one, path: resolve(cwd, one.shown) }]));
  const problems = [
    ...parsed.filter((one) => 'code' in one),
    ...(await sharedPaths(cwd, files, options)),
    ...(await Promise.all(files.map(unusable))).flat(),
  ];
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  return files;
}

function parseReport(
  text: string,
  command: CommandName,
  formats: readonly FormatName[],
): Diagnostic | Omit<ReportFile, 'path'> {
  const [, name = '', shown = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  const format = formats.find((candidate) => candidate === name);
  if (format !== undefined && shown !== '') return { format, shown };
  const near = nearestWord(name, formats);
  const hint = didYouMean(near && `${near}=…`) ?? 'write it as in markdown=report.md';
  return invalid(`--report ${text} is not FORMAT=FILE; the formats of ${command} are ${listed(formats)}.`, hint);
}

/** Two outputs in one file would replace each other. */
async function sharedPaths(cwd: string, files: readonly ReportFile[], { out, plan }: Options) {
  const others = { '--out': out, '--plan': plan };
  const seen = new Map<string, string>();
  for (const [option, path] of Object.entries(others))
    if (path !== undefined) seen.set(await samePath(resolve(cwd, path)), option);
  const problems: Diagnostic[] = [];
  for (const { path, shown, format } of files) {
    const same = await samePath(path);
    const option = `--report ${format}`;
    const other = seen.get(same);
    if (other === undefined) seen.set(same, option);
    else problems.push(invalid(`${option} and ${other} name one file, ${shown}.`, 'name two files'));
  }
  return problems;
}

async function unusable({ format, path, shown }: ReportFile): Promise<readonly Diagnostic[]> {
  return pathProblems(path, `--report ${format}=${shown}`, formatRow(format).start, `a ${format} report`);
}

/** Refuses a path that is neither free nor a saved plan, before anything is sent. */
export async function checkPlanPath(path: string): Promise<void> {
  const problems = await pathProblems(path, `--out ${path}`, planStart, 'a plan');
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
}

function invalid(message: string, hint: string): Diagnostic {
  return problem('OPTION_INVALID', message, hint);
}

const firstBytes = 512;

/**
 * Why a file cannot be written to a path. A rename would replace a device, a link or a file of the tenant, so a path is
 * free, or has an empty file or one that begins as this program writes it.
 */
async function pathProblems(path: string, option: string, start: RegExp, what: string): Promise<readonly Diagnostic[]> {
  const why = await pathProblem(path, start, what);
  if (why === null) return [];
  return [invalid(`${option} cannot be used: ${why}.`, 'name a new file in a folder that exists')];
}

async function pathProblem(path: string, start: RegExp, what: string): Promise<string | null> {
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) return 'its folder does not exist';
  const isReadOnly = await access(dirname(path), constants.W_OK).catch(() => true);
  if (isReadOnly) return 'its folder cannot be written to';
  const present = await lstat(path).catch(() => null);
  const isFree = present === null || (present.isFile() && present.size === 0);
  if (isFree) return /\.ya?ml$/i.test(path) ? 'it would be read as a file of a tenant' : null;
  if (!present.isFile()) return 'it is not a plain file';
  const isOwn = start.test(await startOf(path));
  return isOwn ? null : `it is a file with other content than ${what}`;
}

/** The first characters of a file; '' if it cannot be read. */
async function startOf(path: string): Promise<string> {
  const file = await openRegular(path, constants.O_RDONLY).catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstBytes), 0, firstBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** One path for each file of a folder, even if a link leads to the folder. */
async function samePath(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}
