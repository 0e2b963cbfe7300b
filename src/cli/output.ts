// Where results, messages and reports go.
import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { proxiesIn, proxySecrets } from '../contract/proxies.ts';
import { didYouMean, nearestWord } from '../diagnostics/near-names.ts';
import { problem } from '../diagnostics/problem.ts';
import { openRegular } from '../files/safe-file-access.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type FormatName, formatRow, planStart } from '../report/formats.ts';
import { diagnosticsText } from '../report/render-diagnostics.ts';
import { colourStyle, plainStyle, type Style } from '../report/terminal.ts';
import { databaseSecrets, secretCredentials } from '../secrets/credentials.ts';
import { openMasker, shortestSecret } from '../secrets/masker.ts';
import { listed } from '../values/list-of.ts';
import { type CommandName, commandTable } from './command-table.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import type { Bar, Io, Sink } from './io.ts';
import type { Arguments } from './parse-arguments.ts';

/** The only client of an embedded tenant without a seed. Its secret is public. */
export const localClient = { id: 'local', secret: 'local-only' } as const;

export type Output = ReturnType<typeof openOutput>;

export const noColour = '--no-color';

/** Where results and messages go. Secrets of the environment are removed from every text. */
export function openOutput(io: Io) {
  const masker = openMasker({ shortest: shortestSecret });
  const { mask } = masker;
  /** Masks this secret from now on. That of the embedded tenant is public, and people need to read it. */
  const hide = (secret: string): void => {
    if (secret !== localClient.secret) masker.hide(secret);
  };
  const { TENANT_SYNC_STATE_URL: database } = io.env;
  const proxies = proxySecrets(proxiesIn(io.env));
  for (const secret of [...secretCredentials(io.env), ...databaseSecrets(database), ...proxies]) hide(secret);
  let shown: Bar | null = null;
  return {
    /** The bar of this run, which messages take away until its next step; null without a terminal. */
    bar: (): Bar | null => {
      shown ??= io.bar();
      return shown;
    },
    /** Results, to standard output. */
    result: (text: string): void => io.stdout.write(endLine(mask(text))),
    /** Messages for people, to standard error. */
    talk: (text: string): void => {
      shown?.stop();
      io.stderr.write(endLine(mask(text)));
    },
    hide,
    /** A text without secrets, for what is written elsewhere. */
    mask,
    resultStyle: styleFor(io, io.stdout),
    talkStyle: styleFor(io, io.stderr),
  };
}

/** Diagnostics in addition to a result, on standard error. */
export function reportBeside(output: Output, diagnostics: readonly Diagnostic[], files = 0): void {
  if (diagnostics.length > 0) output.talk(diagnosticsText({ diagnostics, files }, output.talkStyle));
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function styleFor({ argv, env }: Io, sink: Sink): Style {
  if (env['NO_COLOR'] || argv.includes(noColour)) return plainStyle;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced === '0' ? plainStyle : colourStyle;
  return sink.isTTY ? colourStyle : plainStyle;
}

/** The width of the terminal, or one that fits everywhere. */
export function outputWidth(sink: Sink): number {
  return terminalWidth(sink) ?? 80;
}

/** The width of the terminal; null for a file or a pipe. */
export function terminalWidth({ columns }: Sink): number | null {
  return columns !== undefined && columns > 0 ? Math.max(40, columns) : null;
}

/** A file that gets the result of a run in a format of its own. */
export interface ReportFile {
  readonly format: FormatName;
  readonly path: string;
  /** The path as it was given. */
  readonly shown: string;
}

/** The files of --report. Throws a CommandError with every one that cannot be used, before anything is sent. */
export async function reportFiles(
  { cwd }: Pick<Io, 'cwd'>,
  { command, report, out, plan }: Pick<Arguments, 'command' | 'report' | 'out' | 'plan'>,
): Promise<readonly ReportFile[]> {
  const files: ReportFile[] = [];
  const problems: Diagnostic[] = [];
  // Two outputs in one file would replace each other.
  const seen = new Map<string, string>();
  for (const [option, path] of Object.entries({ '--out': out, '--plan': plan }))
    if (path !== undefined) seen.set(await samePath(resolve(cwd, path)), option);
  for (const text of report) {
    const [, name = '', shown = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
    const format = commandTable[command].formats.find((candidate) => candidate === name);
    if (format === undefined || shown === '') {
      problems.push(noReport(text, name, command));
      continue;
    }
    const [path, option] = [resolve(cwd, shown), `--report ${format}`];
    const same = await samePath(path);
    const other = seen.get(same);
    if (other !== undefined)
      problems.push(invalid(`${option} and ${other} name one file, ${shown}.`, 'name two files'));
    seen.set(same, other ?? option);
    problems.push(...(await pathProblems(path, `${option}=${shown}`, formatRow(format).start, `a ${format} report`)));
    files.push({ format, path, shown });
  }
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  return files;
}

function noReport(text: string, name: string, command: CommandName): Diagnostic {
  const { formats } = commandTable[command];
  const near = nearestWord(name, formats);
  const hint = didYouMean(near && `${near}=…`) ?? 'write it as in markdown=report.md';
  return invalid(`--report ${text} is not FORMAT=FILE; the formats of ${command} are ${listed(formats)}.`, hint);
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
