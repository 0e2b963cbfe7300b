// A command on several tenants of a project, whose documents are one result.

import { problem } from '../diagnostics/problem.ts';
import type { ReadOptions } from '../engine/options.ts';
import type { ApplyResult, DriftResult, PlanResult } from '../engine/results.ts';
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ReportDocument } from '../report/document.ts';
import { shortList } from '../report/wording.ts';
import { validate } from '../sync/validate.ts';
import { groupBy } from '../values/group-by.ts';
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
 * Runs the use case for each tenant, so many at once as --parallel, and prints their documents in the order of their
 * names. Nothing is sent before the files and the environment of all are valid; a tenant that fails stops no other of
 * its wave. With `inWaves`, a wave begins only if the one before ended without a failure.
 */
export async function eachTenant<Result extends PlanResult | DriftResult | ApplyResult>(
  context: CommandContext,
  targets: readonly Target[],
  use: Use<Result>,
  inWaves = false,
): Promise<number> {
  const { output, arguments: options } = context;
  const found: (readonly [Target, Diagnostic])[] = [];
  for (const target of targets) for (const one of await problemsOf(context, target)) found.push([target, one]);
  if (found.some(([, { severity }]) => severity === 'error')) {
    await reportErrors(context, ofTenants(found, targets.length));
    return exitCode.invalid;
  }
  const waves = inWaves ? groupBy(targets, ({ tenant }) => tenant?.wave ?? 1) : new Map([[1, targets]]);
  const results: Ended[] = [];
  for (const [, ofWave] of [...waves].sort(([one], [other]) => one - other)) {
    if (inWaves && results.some(({ code }) => code !== exitCode.done)) break;
    results.push(...(await atOnce(options.parallel, ofWave, (target) => runOne(context, target, use))));
  }
  const began = new Set(results.map(({ target }) => target));
  const ended = targets.flatMap((target) => results.find((result) => result.target === target) ?? []);
  await printDocuments(
    context,
    ended.map(({ document }) => document),
    { kinds, isList: true },
  );
  for (const { target, beside } of ended) found.push(...beside.map((one) => [target, one] as const));
  const left = targets.filter((target) => !began.has(target));
  reportBeside(output, [...ofTenants(found, targets.length), ...(left.length > 0 ? [notBegun(left)] : [])]);
  return worst(ended.map(({ code }) => code));
}

interface Ended {
  readonly target: Target;
  readonly document: ReportDocument;
  readonly beside: readonly Diagnostic[];
  readonly code: number;
}

function notBegun(left: readonly Target[]): Diagnostic {
  const names = left.flatMap(({ tenant }) => tenant?.name ?? []);
  const message = `An earlier wave did not end well, so nothing was sent to ${shortList(names, 10).join(', ')}.`;
  return problem('APPLY_WAVE', message, 'correct it, and apply again');
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

async function runOne<Result extends PlanResult | DriftResult | ApplyResult>(
  { io, arguments: options, output }: CommandContext,
  target: Target,
  { run, documentOf, differs }: Use<Result>,
): Promise<Ended> {
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

function failedDocument(
  command: string,
  { tenant }: Target,
  result: PlanResult | DriftResult | ApplyResult,
): ReportDocument {
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
