import { resolve } from 'node:path';
import { loadDesired } from '../config/load-desired.ts';
import { nearestWord } from '../diagnostics/nearest-word.ts';
import { kinds } from '../kinds/index.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Selection } from '../model/plan.generated.ts';
import { parseSelector } from '../plan/selection.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { exitCode } from './exit-codes.ts';
import { Fault, problem } from './fault.ts';
import type { Io } from './io.ts';

export interface Prepared {
  readonly desired: Desired;
  readonly environment: Environment;
  readonly warnings: readonly Diagnostic[];
  readonly files: number;
}

/** Everything that can be checked before anything is sent; throws one Fault that holds every error found. */
export async function prepare(io: Io, folder: string, selection: Selection): Promise<Prepared> {
  const { desired, diagnostics, files } = await loadDesired(resolve(io.cwd, folder), kinds);
  const environment = readEnvironment(io.env);
  const faults = [...diagnostics, ...selectionFaults(selection), ...('baseUrl' in environment ? tenantFaults(desired, environment) : environment)];
  if (desired === null || !('baseUrl' in environment) || faults.some(({ severity }) => severity === 'error')) throw new Fault(exitCode.invalid, faults, files);
  return { desired, environment, warnings: faults, files };
}

/** A base_url in the files is an assertion: when it names another tenant, the folder is not meant for these credentials. */
function tenantFaults(desired: Desired | null, { baseUrl }: Environment): Diagnostic[] {
  const declared = desired?.tenant.base_url;
  if (declared === undefined || declared === baseUrl) return [];
  const source = desired?.tenantAt('/base_url');
  const message = `These files belong to ${declared}, but TENANT_SYNC_BASE_URL is ${baseUrl}.`;
  return [
    { ...problem('TENANT_MISMATCH', message, 'use the credentials and the base URL of the tenant that the folder belongs to'), ...(source && { source }) },
  ];
}

function selectionFaults({ only, except }: Selection): Diagnostic[] {
  const names = kinds.map((kind) => kind.name);
  const options = [...only.map((text) => ({ option: '--only', text })), ...except.map((text) => ({ option: '--except', text }))];
  return options.flatMap(({ option, text }) => {
    const { kind, key } = parseSelector(text);
    if (names.some((name) => name === kind))
      return key === '' ? [problem('OPTION_INVALID', `${option} ${text} ends in a slash without a key.`, `write ${option} ${kind} for the whole kind`)] : [];
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
