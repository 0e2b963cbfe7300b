// A command on several tenants of a project: each runs by itself, and their documents are one result.
import { setFlagsFromString } from 'node:v8';
import { desiredFingerprint } from '../engine/desired-fingerprint.ts';
import type { Listener } from '../engine/events.ts';
import type { ReadOptions } from '../engine/options.ts';
import type {
  Applied,
  ApplyRefused,
  Compared,
  Failed,
  Invalid,
  Locked,
  Planned,
  PlanRefused,
  Pulled,
  Stopped,
} from '../engine/results.ts';
import { stateProblems } from '../engine/state-problems.ts';
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DiagnosticsReport, Documents, ReportDocument } from '../report/document.ts';
import { terminalText } from '../report/escape.ts';
import { validate } from '../sync/validate.ts';
import type { CommandContext } from './context.ts';
import { stateUrl } from './environment.ts';
import { CommandError, exitCode, exitCodeOf } from './exit-codes.ts';
import { reportBeside } from './output.ts';
import {
  type DocumentContext,
  internalError,
  printDocuments,
  reportErrors,
  reportStop,
  withoutSecrets,
  writeReports,
} from './print-document.ts';
import { readOptions } from './run-options.ts';
import { asksForSeveral, nameOf, ofTenants, type Target } from './targets.ts';
import { noticesOf, watch } from './watch.ts';

/** A run that has more to show than errors. */
type Complete = Planned | PlanRefused | Compared | Pulled | Applied | ApplyRefused;
type Incomplete = Invalid | Failed | Locked | Stopped;

/** What a command does with one tenant. */
export interface Use<Of extends Complete> {
  readonly run: (inputs: ReadOptions, target: Target) => Promise<Of | Incomplete>;
  /** What a run shows, and what is said beside it. */
  readonly shown: (result: Of) => Shown;
  readonly differs?: (result: Of) => boolean;
  /** Of each tenant, when it ends. */
  readonly save?: SaveResult | undefined;
}

interface Shown {
  readonly document: ReportDocument;
  readonly beside: readonly Diagnostic[];
}

/** A tenant whose files and environment are valid. */
export interface Prepared {
  readonly target: Target;
  readonly inputs: ReadOptions;
  /** Equal as long as the tenant's files and variables are; '' unless they are applied. */
  readonly fingerprint: string;
}

export interface Ended<Of extends Complete = Complete> extends Shown {
  readonly target: Target;
  readonly code: number;
  /** Null if there are only errors. */
  readonly result: Of | null;
}

/** Writes the result of a tenant; `again` is one beside the first. */
export type SaveResult = (ended: Ended, again?: 'again') => Promise<void>;

/**
 * Everything that can be checked before anything is sent to any tenant. Throws a CommandError with what is wrong; what
 * several tenants share is reported once.
 */
export async function prepared(context: CommandContext, targets: readonly Target[]): Promise<readonly Prepared[]> {
  // What one tenant needed is garbage with the next one. By default the heap may grow to four times what is alive.
  setFlagsFromString('--heap-growing-percent=100');
  const ready: Prepared[] = [];
  const found: (readonly [Target, Diagnostic])[] = [];
  for (const target of targets) {
    const { one, problems } = await prepare(context, target);
    if (one !== null) ready.push(one);
    found.push(...problems.map((diagnostic) => [target, diagnostic] as const));
  }
  if (ready.length === targets.length) return ready;
  throw new CommandError(exitCode.invalid, ofTenants(found, targets.length));
}

/** Null with what is wrong with the files, the options or the environment of the tenant. */
export async function prepare({ io, arguments: options, output }: CommandContext, target: Target) {
  try {
    const inputs = await readOptions(io, options, target);
    const result = await validate({ ...inputs, onSecret: output.hide });
    if (result.status === 'invalid') return { one: null, problems: result.diagnostics };
    const missing = options.command === 'apply' ? stateProblems(result.desired, stateUrl(io)) : [];
    if (missing.length > 0) return { one: null, problems: missing };
    const fingerprint = options.command === 'apply' ? desiredFingerprint(result.desired) : '';
    // A plan, its apply and what checks it share a token.
    const tenant = { ...inputs.tenant, kept: { current: null } };
    return { one: { target, inputs: { ...inputs, tenant }, fingerprint }, problems: [] };
  } catch (error) {
    if (error instanceof CommandError) return { one: null, problems: error.diagnostics };
    throw error;
  }
}

/**
 * Runs the use case for each tenant, so many at once as --parallel. One that fails stops no other. A selected item that
 * one tenant does not have is an error only if none has it.
 */
export async function eachTenant<Of extends Complete>(
  context: CommandContext,
  tenants: readonly Prepared[],
  use: Use<Of>,
): Promise<Ended<Of>[]> {
  const all = await atOnce(context.arguments.parallel, tenants, async (one) => {
    const ended = await runOne(context, one, use);
    await use.save?.(ended);
    return ended;
  });
  if (all.every(({ document }) => isUnmatched(document))) return all;
  return all.map((one) => (isUnmatched(one.document) ? { ...one, document: nothing, code: exitCode.done } : one));
}

/** What a tenant does not have is no error if another one has it. */
export function isUnmatched(document: ReportDocument | null): boolean {
  if (document?.type !== 'diagnostics' || document.diagnostics.length === 0) return false;
  return document.diagnostics.every(({ code }) => code === 'OPTION_MATCHES_NOTHING');
}

const nothing: ReportDocument = { type: 'diagnostics', command: '', diagnostics: [], files: 0 };

/** Never rejects: what other tenants have got must be shown. What guards refuse is reported for all tenants together. */
export async function runOne<Of extends Complete>(
  context: CommandContext,
  { target, inputs }: Pick<Prepared, 'target' | 'inputs'>,
  use: Use<Of>,
): Promise<Ended<Of>> {
  const { arguments: options, output } = context;
  const warnings: Diagnostic[] = [];
  const onEvent: ReadOptions['onEvent'] = (event) => {
    if (event.type === 'warnings') warnings.push(...event.diagnostics);
    // That the run stops is said once, for all of them.
    const notices = event.type === 'stopping' ? [] : noticesOf(event, context);
    for (const notice of notices) output.talk(terminalText(`${nameOf(target)}: ${notice}`));
  };
  try {
    const { document, beside, ...ended } = await endedOf(context, { ...inputs, onEvent }, target, use);
    return {
      ...ended,
      document: document.type === 'diagnostics' ? named(document, target) : withoutSecrets(document, output.mask),
      beside: [...warnings, ...beside.filter(({ code }) => code !== 'GUARD_REFUSED')],
    };
  } catch (error) {
    const document = errorsOf(nameOf(target), options.command, [internalError(error, output, options.debug)]);
    return { target, document: named(document, target), beside: warnings, code: exitCode.failed, result: null };
  }
}

/** Errors with the tenant that they are about, and with its variables. */
function named(document: DiagnosticsReport, { tenant }: Target): DiagnosticsReport {
  const diagnostics = document.diagnostics.map(({ message, hint, ...one }) => ({
    ...one,
    message: `${tenant?.name}: ${message}`,
    ...(hint !== undefined && { hint: hint.replaceAll('TENANT_SYNC_', `${tenant?.environment}_`) }),
  }));
  return { ...document, diagnostics };
}

async function endedOf<Of extends Complete>(
  { arguments: options, output }: CommandContext,
  inputs: ReadOptions,
  target: Target,
  { run, shown, differs }: Use<Of>,
): Promise<Ended<Of>> {
  const result = await run({ ...inputs, onSecret: output.hide }, target);
  const code = exitCodeOf(result);
  if (isIncomplete(result)) {
    const diagnostics = result.status === 'stopped' ? [] : result.diagnostics;
    const files = result.status === 'invalid' ? result.files : 0;
    const document = { ...errorsOf(nameOf(target), options.command, diagnostics), files };
    return { target, document, beside: [], code, result: null };
  }
  const isDifferent = code === exitCode.done && differs?.(result);
  return { target, ...shown(result), code: isDifferent ? exitCode.difference : code, result };
}

function isIncomplete(result: Complete | Incomplete): result is Incomplete {
  return !('plan' in result || 'outcomes' in result);
}

/** What is different for the only tenant of a command. */
interface Alone {
  /** Errors that the command found. */
  readonly problems?: readonly Diagnostic[];
  /** Null for a command that may begin without files. */
  readonly check?: typeof validate | null;
  readonly listen?: Listener;
}

/** Runs the use case for the only tenant, while people see its progress. Throws a CommandError. */
export async function runAlone<Of extends Complete>(
  context: CommandContext,
  target: Target,
  use: Use<Of>,
  { problems = [], check = validate, listen }: Alone = {},
): Promise<Ended<Of>> {
  const inputs = await readOptions(context.io, context.arguments, target, problems, check);
  return watch(context, (onEvent) => endedOf(context, { ...inputs, onEvent }, target, use), listen);
}

/** Prints what became of the only tenant. Returns the exit code. */
export async function reportAlone(
  context: CommandContext,
  { document, beside, code }: Ended,
  about: DocumentContext = { kinds },
): Promise<number> {
  if (document.type !== 'diagnostics') {
    await printDocuments(context, [document], about);
    reportBeside(context.output, beside);
  } else if (document.diagnostics.length > 0) await reportErrors(context, document.diagnostics, document.files);
  else reportStop(context);
  return code;
}

/** Runs the use case for the only tenant, or for each of several, and prints what became of them. */
export async function runAndReport<Of extends Complete>(
  context: CommandContext,
  targets: readonly Target[],
  use: Use<Of>,
  alone?: Alone,
): Promise<{ readonly code: number; readonly ended: readonly Ended<Of>[] }> {
  const [target] = targets;
  if (target === undefined || asksForSeveral(context.arguments)) {
    const ended = await eachTenant(context, await prepared(context, targets), use);
    return { code: await reportTenants(context, ended), ended };
  }
  const ended = await runAlone(context, target, use, alone);
  return { code: await reportAlone(context, ended), ended: [ended] };
}

/** What is shown of a tenant that has no other document. */
export function errorsOf(tenant: string, command: string, diagnostics: readonly Diagnostic[]): DiagnosticsReport {
  return { type: 'diagnostics', command, diagnostics, files: 0, tenant };
}

/** Prints the documents as one result, in the order of the tenants. Returns the exit code. */
export async function reportTenants(
  context: CommandContext,
  ended: readonly Ended[],
  together: readonly Diagnostic[] = [],
): Promise<number> {
  const { io, output, arguments: options } = context;
  const documents = ended.filter(hasResult).map(({ document }) => document);
  await printTogether(context, documents, together, { kinds, isList: true, scopes: options.printScopes });
  const beside = ended.flatMap(({ target, beside }) => beside.map((one) => [target, one] as const));
  reportBeside(output, [...ofTenants(beside, ended.length), ...together]);
  if (io.signal.aborted) reportStop(context);
  return worst(ended.map(({ code }) => code));
}

/** What was stopped has no result. */
export function hasResult({ document }: Pick<Ended, 'document'>): boolean {
  return document.type !== 'diagnostics' || document.diagnostics.length > 0;
}

/** Prints documents of several tenants as one result, and after them what is true of all tenants together. */
export async function printTogether(
  context: CommandContext,
  documents: Documents,
  together: readonly Diagnostic[],
  about: DocumentContext & Partial<Pick<DiagnosticsReport, 'command'>>,
): Promise<void> {
  const { command = context.arguments.command } = about;
  const last: ReportDocument = { type: 'diagnostics', command, diagnostics: together, files: 0 };
  const all = together.length === 0 && documents.length > 0 ? documents : followedBy(documents, last);
  // As text, diagnostics are on standard error only.
  const isText = context.arguments.format === 'text';
  if (!isText || documents.length > 0)
    await printDocuments({ ...context, reports: [] }, isText ? documents : all, about);
  await writeReports(context, all, about);
}

function followedBy(documents: Documents, last: ReportDocument): Documents {
  return {
    length: documents.length + 1,
    *[Symbol.iterator]() {
      yield* documents;
      yield last;
    },
  };
}

/** The most important exit code of several runs. */
export function worst(codes: readonly number[]): number {
  const { failed, refused, invalid, difference, done } = exitCode;
  return [failed, refused, invalid, difference].find((code) => codes.includes(code)) ?? done;
}

/** Results in the order of the items, of which so many are worked on at once. */
export async function atOnce<Item, Of>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Of>,
): Promise<Of[]> {
  const results: Of[] = [];
  const waiting = [...items.entries()];
  const workNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: most }, workNext));
  return results;
}
