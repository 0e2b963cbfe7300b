import { resolve } from 'node:path';
import { readVariableOptions } from '../config/variables/variables.ts';
import { credentialsIn } from '../engine/credential-values.ts';
import type { BaseFiles, ReadOptions } from '../engine/options.ts';
import { version } from '../files/package-file.ts';
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { filesAt } from '../model/file-source.ts';
import { validate } from '../sync/validate.ts';
import { memoized, memoizedByObject } from '../values/memoized.ts';
import { readEnvironment, startOfPaths } from './environment.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Arguments } from './parse-arguments.ts';
import { earlierTargets, type Target } from './targets.ts';

/** A thousand tenants of a run have one environment, with the credentials of each, and no run changes it. */
const credentialsOf = memoizedByObject(credentialsIn);

/** Of the folder, or of a tenant of the project in it. */
export function fileOptions(io: Pick<Io, 'cwd' | 'env' | 'signal'>, options: Arguments, { files, tenant }: Target) {
  const { only, except, rotate } = options;
  const { env, cwd } = io;
  const at = startOfPaths(io, options.folder);
  const { variables, faults } = readVariableOptions({ env, cwd, at }, options);
  const selection = { only: [...only], except: [...except], rotate: [...rotate] };
  return {
    options: {
      kinds,
      files,
      variables: {
        ...variables,
        ...(tenant !== null && { tenant: tenant.variables, environment: tenant.environment }),
      },
      environmentCredentials: credentialsOf(env),
      selection,
      signal: io.signal,
    },
    problems: faults,
  };
}

/**
 * Options of the engine from the command line and the environment. `others` are errors that the command found. If there
 * is any, the files are checked as well, so that all errors are reported at once, except for a pull into a folder, which
 * may begin without files.
 */
export async function readOptions(
  io: Pick<Io, 'cwd' | 'env' | 'clock' | 'signal'>,
  options: Arguments,
  target: Target,
  others: readonly Diagnostic[] = [],
): Promise<ReadOptions> {
  const files = fileOptions(io, options, target);
  const environment = await readEnvironment(io, target.tenant?.environment);
  const tenant = 'baseUrl' in environment ? environment : null;
  const problems = [...files.problems, ...others, ...('baseUrl' in environment ? [] : environment)];
  if (tenant === null || problems.length > 0) {
    if (options.command === 'pull' && target.tenant === null) throw new CommandError(exitCode.invalid, problems);
    const result = await validate({ ...files.options, ...(tenant !== null && { tenant }) });
    const found = result.status === 'invalid' ? result.diagnostics : [];
    throw new CommandError(exitCode.invalid, [...found, ...problems], result.files);
  }
  return {
    ...files.options,
    tenant,
    clock: io.clock,
    signal: io.signal,
    toolVersion: version(),
    debug: options.debug,
    ...given({ quotaShare: options.quotaShare }),
  };
}

type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** Without the options that are undefined, which the engine does not take. */
export function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<Options>;
}

/** `baseOf` opens the base of a tenant; nothing without --base. `problems`: why there is no base although --base names one. */
interface Bases {
  readonly baseOf: (target: Target) => Promise<{ readonly base?: BaseFiles }>;
  readonly problems: readonly Diagnostic[];
}

/** The base that --base names, which is opened once for all tenants. */
export async function openBases(io: Pick<Io, 'cwd' | 'env'>, options: Arguments): Promise<Bases> {
  const none = { baseOf: async () => ({}), problems: [] };
  if (options.base === undefined) return none;
  // Git is not needed without a base.
  const { openBase } = await import('../git/open-base.ts');
  const { env, cwd } = io;
  const at = startOfPaths(io, options.folder);
  const { variables } = readVariableOptions({ env, cwd, at }, options);
  const opened = await openBase({
    folder: resolve(cwd, options.folder),
    ref: options.base,
    env,
    variableFiles: variables.files.map((now, index) => ({
      absolute: resolve(cwd, options.varFile[index] ?? ''),
      now,
    })),
  });
  if (opened.status === 'invalid') return { ...none, problems: opened.diagnostics };
  const { status: _status, variableFiles, files, layer, ...base } = opened;
  const layerAt = memoized(async (name: string) => filesAt(`${at}${name}/`, await layer(name)));
  const earlierOf = earlierTargets(filesAt(at, files), layerAt);
  const baseOf = async (target: Target) => {
    const { files, tenant } = await earlierOf(target);
    const own = { ...(tenant && { tenant: tenant.variables }), ...given({ environment: target.tenant?.environment }) };
    return { base: { ...base, files, variables: { ...variables, files: variableFiles, ...own } } };
  };
  return { baseOf, problems: [] };
}
