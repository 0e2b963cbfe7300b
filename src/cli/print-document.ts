import { problem, warning } from '../diagnostics/problem.ts';
import { version } from '../files/package-file.ts';
import { writeAtomically } from '../files/safe-file-access.ts';
import { knownKinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.generated.ts';
import { planChecksum, planDigest } from '../plan/digest.ts';
import {
  type DiagnosticsReport,
  type Documents,
  type FormatContext,
  isViewed,
  type ReportDocument,
} from '../report/document.ts';
import { type FormatName, formatRow } from '../report/formats.ts';
import { plainStyle } from '../report/terminal.ts';
import { isCommit } from '../values/commit-id.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import type { EndContext } from './context.ts';
import { shownFolder } from './environment.ts';
import type { Io, StopReason } from './io.ts';
import type { ReportFile } from './output.ts';
import { type Output, reportBeside, terminalWidth } from './output.ts';

/** What the documents of a run need besides their data. */
export type DocumentContext = Partial<
  Pick<FormatContext, 'scopes' | 'isList' | 'filesUrl' | 'folder' | 'style' | 'width' | 'ended'>
> & {
  /** How many selected tenants have no document, because the run ended before. */
  readonly notBegun?: number;
};

/**
 * Documents in one format, without secrets, in pieces: several may be longer than a text can be. What several tenants have
 * in common is written once, except as JSON.
 */
export async function* rendered(
  context: EndContext,
  documents: Documents,
  format: FormatName,
  about: DocumentContext = {},
): AsyncGenerator<string, void> {
  const render = await formatRow(format).load();
  const { mask } = context.output;
  const { notBegun = 0 } = about;
  const isOne = documents.length + notBegun === 1 || format === 'json';
  const reported = isOne ? documents : (await import('../report/same-changes.ts')).sameChanges(documents, notBegun);
  const masked = reported.map((document) => withoutSecrets(document, mask));
  // Only what becomes a view needs the names, and their code.
  const names = masked.some(isViewed) ? await import('../report/view/short-names.ts') : null;
  const shown = formatContext(context, about);
  const shortOf = names?.shortNames(masked, shown.kinds);
  for (const piece of render(masked, { ...shown, ...(shortOf && { shortOf }) })) yield mask(piece);
}

export function formatContext({ io, arguments: options }: EndContext, about: DocumentContext): FormatContext {
  return {
    style: plainStyle,
    // What a run plans and reads is of kinds that it has loaded.
    kinds: knownKinds(),
    ...(options !== undefined && { detail: options.detail }),
    folder: shownFolder(io, options?.folder ?? '.'),
    filesUrl: filesUrl(io.env),
    version: version(),
    ...about,
  };
}

/** Before it is rendered: a secret may be cut, or be a part of an escape, once it is in a format. */
export function withoutSecrets(document: ReportDocument, mask: Mask): ReportDocument {
  return hasSecret(document, (text) => mask(text) !== text) ? maskDocument(document, mask) : document;
}

/**
 * Whether a text or a name in a document is secret. A plan of 100,000 actions is searched text by text: as one text it would
 * take as much memory as the plan. Its checksum is computed when it is read, and says nothing; what a tenant calls so is
 * searched. `known`: names that were searched.
 */
function hasSecret(value: unknown, isSecret: (text: string) => boolean, known = new Set<string>()): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' && isSecret(value);
  if (Array.isArray(value)) {
    for (const item of value) if (hasSecret(item, isSecret, known)) return true;
    return false;
  }
  // Names alone: lists of them take a third of the time.
  for (const name in value) {
    if (name === 'checksum' && Object.getOwnPropertyDescriptor(value, name)?.get !== undefined) continue;
    if (!known.has(name)) {
      if (isSecret(name)) return true;
      known.add(name);
    }
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'string' ? isSecret(member) : hasSecret(member, isSecret, known)) return true;
  }
  return false;
}

/**
 * The result of a run, or several as one: on stdout in its format, then in every file of --report. `asText`: what people
 * have not read elsewhere, if its format is text.
 */
export async function printDocuments(
  context: EndContext,
  documents: Documents,
  about: DocumentContext = {},
  asText = documents,
): Promise<void> {
  const { io, output } = context;
  const format = context.arguments?.format ?? 'text';
  // Only text depends on where it is shown.
  const place = format === 'text' ? { style: output.resultStyle, width: terminalWidth(io.stdout) } : {};
  const shown = format === 'text' ? asText : documents;
  if (shown.length > 0)
    for await (const piece of rendered(context, shown, format, { ...about, ...place })) io.stdout.write(piece);
  await writeReports(context, documents, about);
}

/** Reports are for other programs and people, like any file that a build makes; a saved plan is not. */
const reportMode = 0o666;

/** Writes the files of --report. What cannot be written is a warning: the run itself is not affected. */
async function writeReports(context: EndContext, documents: Documents, about: DocumentContext): Promise<void> {
  for (const report of context.reports ?? []) {
    const pieces = marked(report.format, rendered(context, documents, report.format, about));
    await writeAtomically(report.path, pieces, undefined, reportMode).catch((error: unknown) =>
      reportBeside(context.output, [notWritten(report, error)]),
    );
  }
}

async function* marked(format: FormatName, pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield formatRow(format).mark ?? '';
  yield* pieces;
}

function notWritten({ format, shown }: ReportFile, error: unknown) {
  const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const hint = 'the exit code and the output are not affected; free some space, or choose another path';
  return warning('REPORT_NOT_WRITTEN', `--report ${format}=${shown} could not be written: ${why}.`, hint);
}

type Mask = Output['mask'];

/**
 * A document without secrets of the environment, which a tenant may repeat anywhere. A plan that has one is sealed
 * again, so that the document is consistent; it can be read, but no longer applied where the secret was a part of a
 * request.
 */
function maskDocument(document: ReportDocument, mask: Mask): ReportDocument {
  const masked = maskTexts(document, mask);
  switch (masked.type) {
    case 'plan':
    case 'drift':
      return { ...masked, plan: sealed(masked.plan) };
    case 'outcomes':
      return { ...masked, outcomes: { ...masked.outcomes, plan: sealed(masked.outcomes.plan) } };
    default:
      return masked;
  }
}

function sealed(plan: Plan): Plan {
  const signed = { ...plan, digest: planDigest(plan) };
  return { ...signed, checksum: planChecksum(signed) };
}

function maskTexts<Value>(value: Value, mask: Mask): Value {
  if (typeof value === 'string') return mask(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, mask)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [mask(name), maskTexts(child, mask)] as const),
  ) as Value;
}

/** Where GitHub or GitLab shows the files of the commit that a job has checked out; null outside of their jobs. */
export function filesUrl(env: Io['env']): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  const files = project ? `${project}/-/blob` : `${server}/${repository}/blob`;
  const commit = (project ? env['CI_COMMIT_SHA'] : env['GITHUB_SHA']) ?? '';
  const url = isCommit(commit) && /^https:\/\/[^?#@\\\s]+$/.test(files) ? parsedUrl(files) : null;
  return url === null ? null : `${url.href}/${commit}`;
}

/**
 * Errors as the result of a run: on standard error for people, on standard output in every other format, and in every
 * file of --report.
 */
export async function reportErrors(context: EndContext, diagnostics: readonly Diagnostic[], files = 0): Promise<void> {
  const { output, arguments: options } = context;
  const format = options?.format ?? 'text';
  const document: DiagnosticsReport = {
    type: 'diagnostics',
    command: options?.command ?? 'validate',
    diagnostics,
    files,
  };
  await printDocuments(context, [document], {}, []);
  if (format !== 'github') reportBeside(output, diagnostics, files);
}

export function reportStop({ io, output }: EndContext): void {
  output.talk(`Stopped by ${(io.signal.reason as StopReason).name}.`);
}

/** A bug as a diagnostic; with --debug its stack is printed. */
export function internalError(error: unknown, output: Output, debug: boolean): Diagnostic {
  if (debug && error instanceof Error) output.talk(error.stack ?? error.message);
  const message = `Internal error: ${error instanceof Error ? error.message : String(error)}`;
  return problem('INTERNAL_ERROR', message, 'report it with the output of --debug');
}
