// A command on a tenant, or on each of several of a project, and what became of them as one result.
import { setFlagsFromString } from 'node:v8';
import { desiredFingerprint } from '../engine/desired-fingerprint.ts';
import { stateProblems } from '../engine/load.ts';
import type { PlanOptions, ReadOptions } from '../engine/options.ts';
import type { ApplyResult, DriftResult, PlanResult, PullResult } from '../engine/results.ts';
import { allKinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DiagnosticsReport, Documents, ReportDocument } from '../report/document.ts';
import { terminalText } from '../report/escape.ts';
import { ofTenants } from '../report/of-tenants.ts';
import { variableNames } from '../secrets/credentials.ts';
import { validate } from '../sync/validate.ts';
import type { CommandContext } from './context.ts';
import { stateUrl, withVariablesOf } from './environment.ts';
import { CommandError, exitCode, exitCodeOf } from './exit-codes.ts';
import { reportBeside } from './output.ts';
import {
  type DocumentContext,
  internalError,
  printDocuments,
  reportErrors,
  reportStop,
  withoutSecrets,
} from './print-document.ts';
import { openBases, readOptions } from './run-options.ts';
import { exposedSecrets, sharedSecrets, type UsedSecrets } from './shared-secrets.ts';
import { asksForSeveral, nameOf, type Target } from './targets.ts';
import { noticesOf, watch } from './watch.ts';
import { watchTenants } from './watch-tenants.ts';

type RunResult = PlanResult | DriftResult | PullResult | ApplyResult;

/** What a command does with one tenant. */
export type Use = (inputs: Inputs, target: Target) => Promise<RunResult>;

/** Of a three-way plan with the base. */
type Inputs = ReadOptions & Pick<PlanOptions, 'base'>;

/** A tenant whose files and environment are valid. */
export interface Prepared extends UsedSecrets {
  readonly inputs: ReadOptions;
  /** Equal as long as the tenant's files and variables are; '' unless they are applied. */
  readonly fingerprint: string;
}

/** What became of a tenant. */
export interface Ended extends Shown {
  readonly target: Target;
  readonly code: number;
  /** Null after an internal error. */
  readonly result: RunResult | null;
}

interface Shown {
  readonly document: ReportDocument;
  /** What is said beside it. */
  readonly beside: readonly Diagnostic[];
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
  const found: (readonly [string, Diagnostic])[] = [];
  for (const target of targets) {
    const { one, problems } = await prepare(context, target);
    if (one !== null) ready.push(one);
    found.push(...problems.map((diagnostic) => [nameOf(target), diagnostic] as const));
  }
  const exposed = exposedSecrets(ready);
  found.push(...exposed);
  if (ready.length < targets.length || exposed.length > 0)
    throw new CommandError(exitCode.invalid, ofTenants(found, targets.length));
  if (['plan', 'apply'].includes(context.arguments.command)) reportBeside(context.output, sharedSecrets(ready));
  return ready;
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
    const { secretNames, uses } = result;
    return { one: { target, secretNames, uses, inputs: { ...inputs, tenant }, fingerprint }, problems: [] };
  } catch (error) {
    if (error instanceof CommandError) return { one: null, problems: error.diagnostics };
    throw error;
  }
}

interface RunOptions {
  /** Errors that the command found. */
  readonly problems?: readonly Diagnostic[];
  /** Of each of several tenants, when it ends. */
  readonly save?: SaveResult;
}

/** Runs the use case for each of several tenants, or for the only one while people see its progress. Throws a CommandError. */
export async function runTenants(
  context: CommandContext,
  targets: readonly Target[],
  use: Use,
  { problems = [], save }: RunOptions = {},
): Promise<readonly Ended[]> {
  const { arguments: options, io } = context;
  const [target] = targets;
  if (target === undefined || asksForSeveral(options))
    return eachTenant(context, await prepared(context, targets), use, save);
  const { baseOf, problems: unusable } = await openBases(io, options);
  const inputs = await readOptions(io, options, target, [...problems, ...unusable]);
  const base = await baseOf(target);
  return [await watch(context, (onEvent) => endedOf(context, { ...inputs, ...base, onEvent }, target, use))];
}

/**
 * Runs the use case for each tenant, so many at once as --parallel. One that fails stops no other. A selected item that
 * one tenant does not have is an error only if none has it.
 */
export async function eachTenant(
  context: CommandContext,
  tenants: readonly Prepared[],
  use: Use,
  save?: SaveResult,
): Promise<readonly Ended[]> {
  const { arguments: options, io } = context;
  const { baseOf, problems } = await openBases(io, options);
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  const all = await watchTenants(context, tenants.length, (watched) =>
    atOnce(options.parallel, tenants, async (one) => {
      const ended = await runOne(watched, one, async (inputs) =>
        use({ ...inputs, ...(await baseOf(one.target)) }, one.target),
      );
      await save?.(ended);
      return ended;
    }),
  );
  if (all.every(({ document }) => isUnmatched(document))) return all;
  return all.map((one) => (isUnmatched(one.document) ? { ...one, document: nothing, code: exitCode.done } : one));
}

/** What was stopped has no result. */
export function hasResult({ document }: Pick<Ended, 'document'>): boolean {
  return document.type !== 'diagnostics' || document.diagnostics.length > 0;
}

/** What a tenant does not have is no error if another one has it. */
export function isUnmatched(document: ReportDocument | null): boolean {
  if (document?.type !== 'diagnostics' || document.diagnostics.length === 0) return false;
  return document.diagnostics.every(({ code }) => code === 'OPTION_MATCHES_NOTHING');
}

const nothing: ReportDocument = { type: 'diagnostics', command: '', diagnostics: [], files: 0 };

/** Never rejects: what other tenants have got must be shown. What guards refuse is reported for all tenants together. */
export async function runOne(
  context: CommandContext,
  { target, inputs }: Pick<Prepared, 'target' | 'inputs'>,
  use: Use,
): Promise<Ended> {
  const { arguments: options, output, progress } = context;
  const show = progress?.begin(nameOf(target));
  const warnings: Diagnostic[] = [];
  const onEvent: ReadOptions['onEvent'] = (event) => {
    show?.(event);
    if (event.type === 'warnings') warnings.push(...event.diagnostics);
    // That the run stops is said once, for all of them.
    const notices = event.type === 'stopping' ? [] : noticesOf(event, context);
    for (const notice of notices) output.talk(terminalText(`${nameOf(target)}: ${notice}`));
  };
  try {
    const { document, beside, ...ended } = await endedOf(context, { ...inputs, onEvent }, target, use);
    return {
      ...ended,
      document: withoutSecrets(document.type === 'diagnostics' ? named(document, target) : document, output.mask),
      beside: [...warnings, ...beside.filter(({ code }) => code !== 'GUARD_REFUSED')],
    };
  } catch (error) {
    const document = errorsOf(nameOf(target), options.command, [internalError(error, output, options.debug)]);
    return { target, document: named(document, target), beside: warnings, code: exitCode.failed, result: null };
  } finally {
    progress?.end(nameOf(target));
  }
}

/** Errors with the tenant that they are about. */
function named(document: DiagnosticsReport, target: Target): DiagnosticsReport {
  const diagnostics = document.diagnostics.map((one) => ({ ...one, message: `${nameOf(target)}: ${one.message}` }));
  return { ...document, diagnostics };
}

async function endedOf(context: CommandContext, inputs: ReadOptions, target: Target, use: Use): Promise<Ended> {
  const result = await use({ ...inputs, onSecret: context.output.hide }, target);
  const { document, beside } = shownOf(result, context, target);
  const shown =
    document.type === 'diagnostics'
      ? { ...document, diagnostics: withVariables(document.diagnostics, target) }
      : document;
  const code = exitCodeOf(result, context.arguments);
  return { target, code, result, document: shown, beside: withVariables(beside, target) };
}

/** The hints name the variables of the tenant. */
function withVariables(diagnostics: readonly Diagnostic[], { tenant }: Target): readonly Diagnostic[] {
  if (tenant === null) return diagnostics;
  return diagnostics.map(({ hint, ...one }) => ({
    ...one,
    ...(hint !== undefined && { hint: withVariablesOf(tenant.environment, hint) }),
  }));
}

/** What a run shows, and what is said beside it. */
function shownOf(result: RunResult, context: CommandContext, target: Target): Shown {
  const { io, output } = context;
  const { command, debug } = context.arguments;
  if ('outcomes' in result) {
    const document = { type: 'outcomes', outcomes: result.outcomes } as const;
    if (result.status === 'refused') return { document, beside: result.refusals };
    const bugs = result.bug === null ? [] : [internalError(result.bug.cause, output, debug)];
    return { document, beside: [...result.diagnostics, ...bugs] };
  }
  switch (result.status) {
    case 'planned':
    case 'refused': {
      const diagnostics = [...result.warnings, ...(result.status === 'refused' ? result.refusals : [])];
      return { document: { type: 'plan', plan: result.plan, diagnostics }, beside: diagnostics };
    }
    case 'compared':
      return { document: { type: 'drift', plan: result.plan, diagnostics: [] }, beside: [] };
    case 'pulled':
      return {
        document: {
          type: 'pull',
          pull: { ...result, tenant: result.plan.tenant, variables: variablesOf(result.variables, io, target) },
        },
        beside: result.warnings,
      };
    default: {
      const diagnostics = result.status === 'stopped' ? [] : result.diagnostics;
      const files = result.status === 'invalid' ? result.files : 0;
      return { document: { ...errorsOf(nameOf(target), command, diagnostics), files }, beside: [] };
    }
  }
}

/** The tenant's own variable of each name in the files, or the shared one where that alone is set. */
function variablesOf(
  variables: readonly string[],
  { env }: CommandContext['io'],
  { tenant }: Target,
): readonly string[] {
  return variables.map((name) => {
    const names = variableNames(name, tenant?.environment);
    return names.find((one) => env[one] !== undefined) ?? names[0] ?? name;
  });
}

/** Prints what became of the only tenant, or of each of several. Returns the exit code. */
export async function report(context: CommandContext, ended: readonly Ended[]): Promise<number> {
  const [only] = ended;
  if (only === undefined || asksForSeveral(context.arguments)) return reportTenants(context, ended);
  const { document, beside, code } = only;
  if (document.type !== 'diagnostics') {
    // The plan of a refused apply is printed already, and there is no outcome to add.
    const isPrinted = document.type === 'outcomes' && only.result?.status === 'refused';
    const scopes = context.arguments.printScopes;
    if (scopes) await allKinds();
    await printDocuments(context, [document], { scopes }, isPrinted ? [] : [document]);
    reportBeside(context.output, beside);
  } else if (document.diagnostics.length > 0) await reportErrors(context, document.diagnostics, document.files);
  else reportStop(context);
  return code;
}

/** Prints the documents as one result, in the order of the tenants. Returns the exit code. */
export async function reportTenants(
  context: CommandContext,
  ended: readonly Ended[],
  together: readonly Diagnostic[] = [],
  notBegun = 0,
): Promise<number> {
  const { io, output, arguments: options } = context;
  const documents = ended.filter(hasResult).map(({ document }) => document);
  if (options.printScopes) await allKinds();
  await printTogether(context, documents, together, { isList: true, scopes: options.printScopes, notBegun });
  const beside = ended.flatMap(({ target, beside }) => beside.map((one) => [nameOf(target), one] as const));
  reportBeside(output, [...ofTenants(beside, ended.length), ...together]);
  if (io.signal.aborted) reportStop(context);
  return worst(ended.map(({ code }) => code));
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
  const all = together.length === 0 && documents.length > 0 ? documents : [...documents, last];
  // As text, diagnostics are on standard error only.
  await printDocuments(context, all, about, documents);
}

/** The most important exit code of several runs. */
export function worst(codes: readonly number[]): number {
  const { failed, refused, invalid, difference, done } = exitCode;
  return [failed, refused, invalid, difference].find((code) => codes.includes(code)) ?? done;
}

/** What is shown of a tenant that has no other document. */
export function errorsOf(tenant: string, command: string, diagnostics: readonly Diagnostic[]): DiagnosticsReport {
  return { type: 'diagnostics', command, diagnostics, files: 0, tenant };
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
