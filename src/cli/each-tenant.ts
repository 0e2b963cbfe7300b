// A command on several tenants of a project, whose documents are one result.
import type { ReadOptions } from '../engine/options.ts';
import type { DriftResult, PlanResult } from '../engine/results.ts';
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ReportDocument } from '../report/document.ts';
import { validate } from '../sync/validate.ts';
import type { CommandContext } from './context.ts';
import { CommandError, exitCode, exitCodeOf } from './exit-codes.ts';
import { ofTenants } from './of-tenants.ts';
import { reportBeside } from './output.ts';
import { printDocuments, reportErrors } from './print-document.ts';
import { type GivenBase, readOptions, withBase } from './run-options.ts';
import type { Target } from './targets.ts';

/** What a command does with one tenant. */
export interface Use<Result> {
  readonly run: (inputs: ReadOptions & Pick<GivenBase, 'base'>) => Promise<Result>;
  /** Null for a run that has no plan to show. */
  readonly documentOf: (result: Result) => ReportDocument | null;
  readonly differs: (result: Result) => boolean;
}

/**
 * Plans or compares the tenants, so many at once as --parallel, and prints their documents in the order of their names.
 * Nothing is sent before the files and the environment of all are valid; a tenant that fails stops no other.
 */
export async function eachTenant<Result extends PlanResult | DriftResult>(
  context: CommandContext,
  targets: readonly Target[],
  use: Use<Result>,
): Promise<number> {
  const found: (readonly [Target, Diagnostic])[] = [];
  for (const target of targets) for (const one of await problemsOf(context, target)) found.push([target, one]);
  if (found.some(([, { severity }]) => severity === 'error')) {
    await reportErrors(context, ofTenants(found, targets.length));
    return exitCode.invalid;
  }
  const results = await atOnce(context.arguments.parallel, targets, (target) => runOne(context, target, use));
  const beside = results.flatMap(({ target, beside }) => beside.map((one) => [target, one] as const));
  await printDocuments(
    context,
    results.map(({ document }) => document),
    { kinds, isList: true },
  );
  reportBeside(context.output, ofTenants([...found, ...beside], targets.length));
  return worst(results.map(({ code }) => code));
}

/** What is wrong with the files, the options or the environment of a tenant. */
async function problemsOf({ io, arguments: options }: CommandContext, target: Target): Promise<readonly Diagnostic[]> {
  try {
    const result = await validate(await readOptions(io, options, [], validate, target));
    return result.status === 'invalid' ? result.diagnostics : [];
  } catch (error) {
    if (error instanceof CommandError) return error.diagnostics;
    throw error;
  }
}

async function runOne<Result extends PlanResult | DriftResult>(
  { io, arguments: options, output }: CommandContext,
  target: Target,
  { run, documentOf, differs }: Use<Result>,
) {
  const beside: Diagnostic[] = [];
  const onEvent: ReadOptions['onEvent'] = (event) =>
    void (event.type === 'warnings' && beside.push(...event.diagnostics));
  const result = await withBase(
    io,
    options,
    async ({ base, problems }) => {
      const inputs = await readOptions(io, options, problems, validate, target);
      return run({ ...inputs, ...(base !== undefined && { base }), onEvent, onSecret: output.hide });
    },
    target,
  );
  const document = documentOf(result) ?? failedDocument(options.command, target, result);
  const code = exitCodeOf(result);
  return { target, document, beside, code: code === exitCode.done && differs(result) ? exitCode.difference : code };
}

function failedDocument(command: string, { tenant }: Target, result: PlanResult | DriftResult): ReportDocument {
  const found = 'diagnostics' in result ? result.diagnostics : [];
  const diagnostics = found.map((one) => ({ ...one, message: `${tenant?.name}: ${one.message}` }));
  return { type: 'diagnostics', command, diagnostics, files: 0 };
}

/** The most important exit code of several runs. */
function worst(codes: readonly number[]): number {
  const { failed, refused, invalid, difference, done } = exitCode;
  return [failed, refused, invalid, difference].find((code) => codes.includes(code)) ?? done;
}

/** Results in the order of the items, of which so many are worked on at once. */
async function atOnce<Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const workNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  const workers = await Promise.allSettled(Array.from({ length: most }, workNext));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results;
}
