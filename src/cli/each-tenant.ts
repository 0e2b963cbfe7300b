// A command on several tenants of a project, whose documents are one result.

import { problem } from '../diagnostics/problem.ts';
import type { ReadOptions } from '../engine/options.ts';
import { type ApplyResult, type DriftResult, invalid, type PlanResult } from '../engine/results.ts';
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
import { internalError, printDocuments, reportErrors } from './print-document.ts';
import { type GivenBase, given, readOptions, withBase } from './run-options.ts';
import type { Target } from './targets.ts';

/** What a command does with one tenant. */
export interface Use<Result> {
  readonly run: (inputs: ReadOptions & Pick<GivenBase, 'base'>) => Promise<Result>;
  /** What a run shows, and what is said beside it; null for one that has no plan to show. */
  readonly shown: (result: Result) => Shown | null;
  readonly differs?: (result: Result) => boolean;
}

interface Shown {
  readonly document: ReportDocument;
  readonly beside: readonly Diagnostic[];
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
  const prepared: Prepared[] = [];
  const found: (readonly [Target, Diagnostic])[] = [];
  for (const target of targets) {
    const { inputs, problems } = await prepare(context, target);
    if (inputs !== null) prepared.push({ target, inputs });
    found.push(...problems.map((one) => [target, one] as const));
  }
  if (prepared.length < targets.length) {
    await reportErrors(context, ofTenants(found, targets.length));
    return exitCode.invalid;
  }
  const waves = inWaves ? groupBy(prepared, ({ target }) => target.tenant?.wave ?? 1) : new Map([[1, prepared]]);
  const results: Ended[] = [];
  for (const [, ofWave] of [...waves].sort(([one], [other]) => one - other)) {
    if (inWaves && results.some(({ code }) => code !== exitCode.done)) break;
    results.push(...(await atOnce(options.parallel, ofWave, (one) => runOne(context, one, use))));
  }
  const began = new Set(results.map(({ target }) => target));
  const ended = targets.flatMap((target) => results.find((result) => result.target === target) ?? []);
  await printDocuments(
    context,
    ended.map(({ document }) => document),
    { kinds, isList: true, scopes: options.printScopes },
  );
  const beside = ended.flatMap(({ target, beside }) => beside.map((one) => [target, one] as const));
  const left = targets.filter((target) => !began.has(target));
  reportBeside(output, [...ofTenants(beside, targets.length), ...(left.length > 0 ? [notBegun(left)] : [])]);
  return worst(ended.map(({ code }) => code));
}

interface Prepared {
  readonly target: Target;
  readonly inputs: ReadOptions;
}

interface Ended extends Shown {
  readonly target: Target;
  readonly code: number;
}

function notBegun(left: readonly Target[]): Diagnostic {
  const names = left.flatMap(({ tenant }) => tenant?.name ?? []);
  const message = `An earlier wave did not end well, so nothing was sent to ${shortList(names, 10).join(', ')}.`;
  return problem('APPLY_WAVE', message, 'correct it, and apply again');
}

/** What the run of a tenant needs; null with what is wrong with its files, its options or its environment. */
async function prepare({ io, arguments: options, output }: CommandContext, target: Target) {
  try {
    const inputs = await readOptions(io, options, [], validate, target);
    const result = await validate({ ...inputs, onSecret: output.hide });
    return result.status === 'valid' ? { inputs, problems: [] } : { inputs: null, problems: result.diagnostics };
  } catch (error) {
    if (error instanceof CommandError) return { inputs: null, problems: error.diagnostics };
    throw error;
  }
}

/** Never rejects: what other tenants have got must be shown. */
async function runOne<Result extends PlanResult | DriftResult | ApplyResult>(
  { io, arguments: options, output }: CommandContext,
  { target, inputs }: Prepared,
  { run, shown, differs }: Use<Result>,
): Promise<Ended> {
  const warnings: Diagnostic[] = [];
  const onEvent: ReadOptions['onEvent'] = (event) =>
    void (event.type === 'warnings' && warnings.push(...event.diagnostics));
  const failed = (diagnostics: readonly Diagnostic[], code: number) => {
    const named = diagnostics.map((one) => ({ ...one, message: `${target.tenant?.name}: ${one.message}` }));
    const document = { type: 'diagnostics', command: options.command, diagnostics: named, files: 0 } as const;
    return { target, document, beside: warnings, code };
  };
  try {
    const result = await withBase(
      io,
      options,
      async ({ base, problems }) =>
        problems.length > 0
          ? invalid(problems)
          : run({ ...inputs, ...given({ base }), onEvent, onSecret: output.hide }),
      target,
    );
    const code = exitCodeOf(result);
    const view = result.status === 'invalid' ? null : shown(result as Result);
    if (view === null) return failed('diagnostics' in result ? result.diagnostics : [], code);
    const isDifferent = code === exitCode.done && differs?.(result as Result);
    return { target, ...view, beside: [...warnings, ...view.beside], code: isDifferent ? exitCode.difference : code };
  } catch (error) {
    return failed([internalError(error, output, options.debug)], exitCode.failed);
  }
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
  await Promise.all(Array.from({ length: most }, workNext));
  return results;
}
