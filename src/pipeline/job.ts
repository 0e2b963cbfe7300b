import type { Checkout } from './checkout.ts';
import type { Forge, Target } from './forge.ts';
import type { RunContext } from './run-context.ts';
import type { Settings } from './settings.ts';

/** Everything a step works with. */
export interface Job {
  readonly forgeName: 'github' | 'gitlab';
  readonly settings: Settings;
  readonly run: RunContext;
  readonly checkout: Checkout;
  /** The folder of the checkout. */
  readonly workspace: string;
  /** The folder for results, as an absolute path. */
  readonly results: string;
  /** Base URL of the tenant; '' in a job without its credentials. */
  readonly baseUrl: string;
  /** Throws a SettingError without a token. */
  forge(): Forge;
  /** Runs the tool and returns its exit code. */
  tool(argv: readonly string[], cwd?: string): Promise<number>;
  /** A message on the page of the run. */
  notice(message: string): void;
  warn(message: string): void;
  /** For a step that returns another exit code than 0. */
  fail(message: string): void;
  /** A value for later steps and jobs. */
  output(name: string, value: string): Promise<void>;
  /** Markdown on the page of the run. */
  summary(markdown: string): Promise<void>;
  sleep(ms: number): Promise<void>;
}

/** Arguments that every command of the tool gets. */
export function toolArguments({ forgeName, settings: { folder, options } }: Job): readonly string[] {
  return [folder, '--format', forgeName === 'github' ? 'github' : 'text', ...options];
}

export function targetOf({ settings: { environment, folder } }: Job, baseUrl: string): Target {
  return { environment, folder, baseUrl };
}
