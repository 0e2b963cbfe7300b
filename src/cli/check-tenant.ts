// What a worker does with one tenant.

import { isOutOfSync } from '../plan/summary.ts';
import { once } from '../values/memoized.ts';
import type { Found } from '../worker/checks.ts';
import type { CheckPayload } from '../worker/jobs.ts';
import type { Until } from '../worker/run-worker.ts';
import { driftUse } from './commands/drift.ts';
import type { CommandContext } from './context.ts';
import { type Ended, errorsOf, prepare, runOne } from './each-tenant.ts';
import { variablesOf } from './environment.ts';
import { exitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { openOutput } from './output.ts';
import { planUse } from './plan-tenants.ts';
import { withoutSecrets } from './print-document.ts';
import { resultText } from './results.ts';
import { nameOf, type Target, targetsOf } from './targets.ts';

/** A tenant, and the environment without the variables of the others. */
export interface Checkable {
  readonly target: Target;
  readonly env: Io['env'];
}

/** The tenants of the project by name. Its files are read anew for each run that is not known yet. */
export function openTargets(io: Pick<Io, 'env' | 'cwd'>, folder: string) {
  const read = async () => {
    const targets = await targetsOf(io, { folder, all: true });
    const envOf = openEnvironments(io.env, targets);
    return new Map(targets.map((target) => [nameOf(target), { target, env: envOf(target) }]));
  };
  const runs = new Set<string>();
  let targets = once(read);
  return async (run?: string): Promise<ReadonlyMap<string, Checkable>> => {
    if (run !== undefined && !runs.has(run)) targets = once(read);
    if (run !== undefined) runs.add(run);
    const asked = targets;
    try {
      return await asked();
    } catch (error) {
      // Files that are being replaced may be invalid, so another try reads them again.
      if (targets === asked) targets = once(read);
      throw error;
    }
  };
}

/** Thousands of tenants have tens of thousands of variables: they are divided once, not searched for each check. */
function openEnvironments(env: Io['env'], targets: readonly Target[]): (target: Target) => Io['env'] {
  const namesOf = ({ tenant }: Target) => (tenant === null ? [] : variablesOf(tenant.environment));
  const ofSome = new Set(targets.flatMap(namesOf));
  const shared = Object.entries(env).filter(([name]) => !ofSome.has(name));
  return (target) => {
    const own = namesOf(target).flatMap((name) => (name in env ? [[name, env[name]] as const] : []));
    return Object.fromEntries([...shared, ...own]);
  };
}

/** Compares a tenant with its files. Never rejects: what it finds is a result. */
export async function checkTenant(
  context: CommandContext,
  { tenant }: CheckPayload,
  targets: ReadonlyMap<string, Checkable>,
  { signal, maySend }: Until,
): Promise<Found> {
  const { run } = context.arguments;
  const found = targets.get(tenant);
  if (found === undefined) throw new Error(`${tenant} is not a tenant of the project`);
  const { target, env } = found;
  const io = { ...context.io, signal, env };
  // The secrets of a check, such as its tokens, are forgotten with it.
  const until = { ...context, io, output: openOutput(io) };
  const { one, problems } = await prepare(until, target);
  const ready = one && { target, inputs: { ...one.inputs, maySend } };
  const ended: Pick<Ended, 'target' | 'document' | 'code'> =
    ready === null
      ? { target, code: exitCode.invalid, document: errorsOf(tenant, run, problems) }
      : await (run === 'plan' ? runOne(until, ready, planUse) : runOne(until, ready, driftUse));
  // A tenant may repeat a secret of another one.
  const document = withoutSecrets(ended.document, context.output.mask);
  return {
    command: run,
    exitCode: ended.code,
    differs: differsOf(ended),
    problems: document.type === 'diagnostics' ? document.diagnostics.map(({ code }) => code) : [],
    document: await resultText(until, run, { ...ended, document }),
    isFinal: ended.code !== exitCode.failed,
  };
}

/** Null if it could not be compared. */
function differsOf({ code, document }: Pick<Ended, 'code' | 'document'>): boolean | null {
  if (code === exitCode.done) return false;
  const isRefused = code === exitCode.refused && document.type === 'plan' && isOutOfSync(document.plan);
  return code === exitCode.difference || isRefused ? true : null;
}
