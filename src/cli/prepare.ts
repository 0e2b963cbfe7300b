import { resolve } from 'node:path';
import { folderSource } from '../config/files/folder-source.ts';
import { type Loaded, loadDesired } from '../config/load-desired.ts';
import { readVariableOptions, type VariableOptions } from '../config/variables/variable-options.ts';
import { canonicalBaseUrl } from '../contract/formats.ts';
import { nearestWord } from '../diagnostics/nearest-word.ts';
import { kinds } from '../kinds/index.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Selection } from '../model/plan.generated.ts';
import { parseSelector } from '../values/selector.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { exitCode } from './exit-codes.ts';
import { Fault, problem } from './fault.ts';
import type { Io } from './io.ts';
import type { Arguments } from './parse-arguments.ts';
import { quotaShareOf } from './quota-share.ts';

export interface PrepareOptions extends VariableOptions, Pick<Arguments, 'command' | 'quotaShare'> {
  readonly folder: string;
}

export interface Prepared {
  readonly desired: Desired;
  readonly environment: Environment;
  /** Undefined for what is usual. */
  readonly quotaShare: number | undefined;
  readonly warnings: readonly Diagnostic[];
  readonly files: number;
  /** Puts excerpts to faults that only the tenant could show. */
  readonly finish: Loaded['finish'];
}

/** Everything that can be checked before anything is sent; throws one Fault that holds every error found. */
export async function prepare(io: Io, options: PrepareOptions, selection: Selection): Promise<Prepared> {
  const quotaShare = quotaShareOf(options);
  const { variables, faults: optionFaults } = readVariableOptions(io, options);
  const loaded = await loadDesired(folderSource(resolve(io.cwd, options.folder)), kinds, variables);
  const { desired, diagnostics, files } = loaded;
  const environment = readEnvironment(io.env);
  const faults = [
    ...diagnostics,
    ...optionFaults,
    ...selectionFaults(selection),
    ...('baseUrl' in environment ? tenantFaults(loaded, environment) : environment),
  ];
  if (desired === null || !('baseUrl' in environment) || faults.some(({ severity }) => severity === 'error'))
    throw new Fault(exitCode.invalid, faults, files);
  return { desired, environment, quotaShare, warnings: faults, files, finish: loaded.finish };
}

/** A base_url in the files is an assertion: when it names another tenant, the folder is not meant for these credentials. */
function tenantFaults({ desired, writtenTenant }: Loaded, { baseUrl }: Environment): Diagnostic[] {
  const declared = desired?.tenant.base_url;
  if (declared === undefined || canonicalBaseUrl(declared) === baseUrl) return [];
  const source = desired?.tenantAt('/base_url');
  const message = `These files belong to ${writtenTenant.base_url}, but TENANT_SYNC_BASE_URL is ${baseUrl}.`;
  return [
    {
      ...problem(
        'TENANT_MISMATCH',
        message,
        'use the credentials and the base URL of the tenant that the folder belongs to',
      ),
      ...(source && { source }),
    },
  ];
}

function selectionFaults({ only, except, rotate }: Selection): Diagnostic[] {
  const names = kinds.map((kind) => kind.name);
  const options = [
    ...only.map((text) => ({ option: '--only', text })),
    ...except.map((text) => ({ option: '--except', text })),
    ...rotate.map((text) => ({ option: '--rotate', text })),
  ];
  return options.flatMap(({ option, text }) => {
    const { kind, key } = parseSelector(text);
    if (names.some((name) => name === kind))
      return key === ''
        ? [
            problem(
              'OPTION_INVALID',
              `${option} ${text} ends in a slash without a key.`,
              `write ${option} ${kind} for the whole kind`,
            ),
          ]
        : [];
    const near = nearestWord(kind, names);
    return [
      problem(
        'OPTION_INVALID',
        `${option} ${text}: "${kind}" is not a kind; the kinds are ${names.join(', ')}.`,
        near === undefined ? undefined : `did you mean "${near}"?`,
      ),
    ];
  });
}
