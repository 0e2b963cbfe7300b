import { resolve } from 'node:path';
import { nearestWord } from '../diagnostics/near-names.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type FormatName, formatNames, formatRow } from '../report/formats.ts';
import { listed } from '../report/wording.ts';
import { CommandError } from './command-error.ts';
import { formatsOfCommand } from './command-options.ts';
import { exitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { pathProblem, samePath } from './output-path.ts';
import type { Arguments } from './parse-arguments.ts';

/** A file that gets the result of a run in a format of its own. */
export interface ReportFile {
  readonly format: FormatName;
  readonly path: string;
  /** The path as it was given. */
  readonly shown: string;
}

type Options = Pick<Arguments, 'command' | 'report' | 'out' | 'events' | 'plan'>;

/** The files of --report. Throws a CommandError with every one that cannot be used, before anything is sent. */
export async function reportFiles({ cwd }: Pick<Io, 'cwd'>, options: Options): Promise<readonly ReportFile[]> {
  const { command, report = [] } = options;
  const formats = formatsOfCommand(command);
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
  command: string,
  formats: readonly FormatName[],
): Diagnostic | Omit<ReportFile, 'path'> {
  const [, name = '', shown = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  const format = formats.find((candidate) => candidate === name);
  if (format !== undefined && shown !== '') return { format, shown };
  const wanted = `--report ${text}`;
  if (format !== undefined) return invalid(`${wanted} names no file.`, `write FORMAT=FILE, as in ${name}=report`);
  const list = listed(formats);
  if (formatNames.some((candidate) => candidate === name))
    return invalid(
      `${wanted}: the result of ${command} has no ${name} form; its formats are ${list}.`,
      'use one of them',
    );
  const near = nearestWord(name, formats);
  const hint = near === undefined ? 'write FORMAT=FILE, as in markdown=report.md' : `did you mean "${near}=…"?`;
  return invalid(`${wanted} does not begin with a format and "="; the formats are ${list}.`, hint);
}

/** Two outputs in one file would replace each other. */
async function sharedPaths(cwd: string, files: readonly ReportFile[], { out, events, plan }: Options) {
  const others = { '--out': out, '--events': events, '--plan': plan };
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
  const { start } = formatRow(format);
  const why = await pathProblem(path, (text) =>
    start.test(text) ? null : `it is a file with other content than a ${format} report`,
  );
  if (why === null) return [];
  return [invalid(`--report ${format}=${shown} cannot be used: ${why}.`, 'name a new file in a folder that exists')];
}

function invalid(message: string, hint: string): Diagnostic {
  return problem('OPTION_INVALID', message, hint);
}
