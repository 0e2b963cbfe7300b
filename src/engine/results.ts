import { hasDiagnostic } from '../diagnostics/problem.ts';
import type { Desired, VariableUse } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { PullDocument } from '../model/pull.generated.ts';
import type { Listener, SyncEvent } from './events.ts';
import type { ReadOptions } from './options.ts';

/** The files or the options have errors. Nothing was sent to change the tenant. */
export interface Invalid {
  readonly status: 'invalid';
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files read. */
  readonly files: number;
}

/** The network, the service or the journal failed before the first write. */
export interface Failed {
  readonly status: 'failed';
  readonly diagnostics: readonly Diagnostic[];
}

/** The signal aborted before the first write. */
export interface Stopped {
  readonly status: 'stopped';
}

export interface Valid {
  readonly status: 'valid';
  readonly desired: Desired;
  /** Names of the variables that the files use for secrets. */
  readonly secretNames: readonly string[];
  /** Where they use environment variables. */
  readonly uses: readonly VariableUse[];
  readonly warnings: readonly Diagnostic[];
  readonly files: number;
}

export interface Planned {
  readonly status: 'planned';
  readonly plan: Plan;
  readonly warnings: readonly Diagnostic[];
}

/** A plan that apply would refuse. */
export interface PlanRefused {
  readonly status: 'refused';
  readonly plan: Plan;
  readonly warnings: readonly Diagnostic[];
  readonly refusals: readonly Diagnostic[];
}

export interface Compared {
  readonly status: 'compared';
  readonly plan: Plan;
  /** A difference is proven. An unreadable kind proves none; `plan.complete` shows whether everything was read. */
  readonly differs: boolean;
}

/** What the files have to become. Nothing was written. */
export interface Pulled {
  readonly status: 'pulled';
  /** What apply would do with the files as they are. */
  readonly plan: Plan;
  /** Files to write, in an order that is safe if writing is interrupted. */
  readonly files: readonly PulledFile[];
  readonly edits: readonly PulledEdit[];
  /** Items that stay different, and kinds that were not read. */
  readonly warnings: readonly Diagnostic[];
  /** Environment variables that new secrets refer to. */
  readonly variables: readonly string[];
  /** Undeclared live items that `protect` covers, as selectors: `add` writes them. */
  readonly notAdded: readonly string[];
  /** False if the tenant could not be read completely; nothing is removed from such a kind. */
  readonly complete: boolean;
  /** Selectors of `add` with which an interrupted writing is finished. */
  readonly add: readonly string[];
}

/** `before` is null for a new file. Texts are without a byte order mark. */
export interface PulledFile {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}

/** One item that changes in the files. The place is in the new text for a new item, and in the old one for others. */
export type PulledEdit = Readonly<PullDocument['edits'][number]>;

/** A file changed while the tenant was read. Nothing was written. */
export interface FilesChanged {
  readonly status: 'changed';
  readonly diagnostics: readonly Diagnostic[];
}

/** Another apply of this tenant is running. */
export interface Locked {
  readonly status: 'locked';
  readonly diagnostics: readonly Diagnostic[];
}

/** Nothing was sent: every action is `not_attempted`. */
export interface ApplyRefused {
  readonly status: 'refused';
  readonly plan: Plan;
  readonly refusals: readonly Diagnostic[];
  readonly outcomes: OutcomesDocument;
}

export interface Applied {
  readonly status: 'applied';
  readonly outcomes: OutcomesDocument;
  /** Every action is done and recorded. */
  readonly complete: boolean;
  /** The journal failed during the apply; the outcomes are still correct. */
  readonly diagnostics: readonly Diagnostic[];
  /** A bug, or a listener that threw, stopped the apply early; the outcomes are still correct. */
  readonly bug: { readonly cause: unknown } | null;
}

export type ValidateResult = Valid | Invalid;
export type PlanResult = Planned | PlanRefused | Invalid | Failed | Stopped;
export type PullResult = Pulled | FilesChanged | Invalid | Failed | Stopped;
export type DriftResult = Compared | Invalid | Failed | Stopped;
export type ApplyResult = Applied | ApplyRefused | Locked | Invalid | Failed | Stopped;

export function invalid(diagnostics: readonly Diagnostic[], files = 0): Invalid {
  return { status: 'invalid', diagnostics, files };
}

/**
 * Runs a use case between its first and its last event. Errors of the service, the network and the journal become a
 * result. Any other error is a bug and is rethrown.
 */
export async function runOf<Result extends { readonly status: string }>(
  command: Extract<SyncEvent, { readonly type: 'run_started' }>['command'],
  { onEvent = () => {}, signal }: Pick<ReadOptions, 'onEvent' | 'signal'>,
  work: (emit: Listener) => Promise<Result>,
): Promise<Result | Failed | Stopped> {
  onEvent({ type: 'run_started', command });
  const result = await work(onEvent).catch((error: unknown): Failed | Stopped => {
    if (signal?.aborted) return { status: 'stopped' };
    if (hasDiagnostic(error)) return { status: 'failed', diagnostics: [error.diagnostic] };
    throw error;
  });
  try {
    onEvent({ type: 'run_ended', status: result.status });
    return result;
  } catch (cause) {
    // What an apply has done is not lost because a listener throws at its end.
    if ('bug' in result) return Object.assign({}, result, { complete: false, bug: result.bug ?? { cause } });
    throw cause;
  }
}
