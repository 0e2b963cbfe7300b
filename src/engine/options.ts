import type { KindSource } from '../config/load-kinds.ts';
import type { Variables } from '../config/variables/variables.ts';
import type { ConnectOptions } from '../model/client.ts';
import type { FileSource } from '../model/file-source.ts';
import type { Plan, Selection } from '../model/plan.generated.ts';
import type { EnvironmentCredentials } from './credential-values.ts';
import type { Listener } from './events.ts';

export interface ValidateOptions {
  readonly kinds: readonly KindSource[];
  /** Where the YAML files are. */
  readonly files: FileSource;
  /** Values of `${var:NAME}` and `${env:NAME}`; by default none. */
  readonly variables?: Variables;
  /** Those of `variables.env`, by default searched by each run: for many runs in an environment that does not change. */
  readonly environmentCredentials?: EnvironmentCredentials;
  /** `KIND` or `KIND/KEY`, with `*` as a wildcard in keys; by default everything, and no secret is rotated. */
  readonly selection?: Partial<Selection>;
  /** A `base_url` in the files must name the same tenant. */
  readonly tenant?: TenantAccess;
  /**
   * Called with each secret that the run knows: credentials, tokens, and secrets that the files name. Results and events
   * do not have them, but a tenant may repeat one, so hide them in what you print.
   */
  readonly onSecret?: (secret: string) => void;
  /** Ends the run. An apply finishes the requests in flight and sends no more. */
  readonly signal?: AbortSignal;
}

/** A tenant and the credentials that may be sent to it. */
export type TenantAccess = Pick<ConnectOptions, 'baseUrl' | 'credentials' | 'kept' | 'proxies'>;

export interface ReadOptions
  extends ValidateOptions,
    Pick<ConnectOptions, 'clock' | 'quotaShare' | 'debug' | 'maySend'> {
  readonly tenant: TenantAccess;
  /** For the plan, the journal and the user agent. */
  readonly toolVersion: string;
  readonly onEvent?: Listener;
  /** An apply overwrites and deletes nothing on a reading older than this, in seconds; 10 by default. */
  readonly maxStaleness?: number;
}

/** The files of an earlier commit: what `openBase` of this package returns, or any other source. */
export interface BaseFiles {
  /** For people: the branch that the files are compared with. */
  readonly ref: string;
  /** Its merge base with HEAD: 40 or 64 hexadecimal digits. */
  readonly commit: string;
  /** True if commits of the ref that HEAD lacks change the files. */
  readonly isBehind?: boolean;
  readonly files: FileSource;
  /** By default the variables of now. */
  readonly variables?: Variables;
}

export type DriftOptions = ReadOptions;

export interface PlanOptions extends ReadOptions {
  /** The code of a refused plan, approved in addition to those of `tenant.approvals`. */
  readonly approve?: string;
  /** Make a three-way plan: each action and finding gets the origin that the files of this base show. */
  readonly base?: BaseFiles;
  /**
   * Read and plan only what differs between the files of the base and those of now. `apply` does so by itself if the
   * files allow only `api: documented`: there, an apply would send everything again that cannot be read. A plan that is
   * applied at once does the same with `'documented'`.
   */
  readonly changed?: boolean | 'documented';
}

export interface ApplyOptions extends PlanOptions {
  /** A plan that was saved and reviewed: apply it and no other. Its selection replaces `selection`. */
  readonly saved?: Plan;
  /** A saved plan that is older, in seconds, is refused; 24 hours by default. */
  readonly maxAge?: number;
  /** Of a saved plan: nothing is sent if its first reading shows a conflict. */
  readonly allOrNothing?: boolean;
  /** The digest of the plan that was reviewed: a plan with another digest is refused. */
  readonly expect?: string;
  /**
   * Asked once, before the first write; `false` refuses the plan. Not asked when there is nothing to send. What is
   * planned is read again afterwards, because time has passed. `'skip'` performs the plan at once.
   */
  readonly confirm: ((plan: Plan) => Promise<boolean>) | 'skip';
  /** Kinds of which nothing is read at the end; by default everything that was written is. */
  readonly unverified?: readonly string[];
  /** How long the tenant may take to show what it has accepted, in seconds; 30 by default. */
  readonly visibleWithin?: number;
  /** Values of the secrets that the plan names; undefined for one that is not set. */
  readonly secret: (name: string) => string | undefined;
  /** Folder for the lock and the journal, absolute. Created if it does not exist. Unused with `stateUrl`. */
  readonly stateFolder?: string;
  /**
   * `postgres://USER:PASSWORD@HOST/DATABASE`: keep the lock and the journal in this database, which several machines
   * may share. Requires the package `pg`. Without an `sslmode`, certificates of other machines are checked.
   */
  readonly stateUrl?: string;
  /** Removes secrets from names in the journal. Default: those of this run; a run of several tenants knows more. */
  readonly mask?: (text: string) => string;
  /** Also gives up on writes in flight, whose outcome is then unknown. */
  readonly hangUp?: AbortSignal;
}

/** Of `files` with layers, the one at `at` is edited. */
export interface PullOptions extends ReadOptions {
  /**
   * `KIND` or `KIND/KEY`: undeclared live items to write as well. By default those that a plan would delete, and all of
   * them if the files have no section yet.
   */
  readonly add?: readonly string[];
  /** Also remove codes of `tenant.approvals` that approve nothing any more. Not with a selection. Default: false. */
  readonly fixApprovals?: boolean;
  /** What an interrupted writing has left to add: see `unfinishedPull`. Selectors without a match are ignored. */
  readonly resume?: readonly string[];
  /** The first line of a new YAML file at this path, without its line end; by default none. */
  readonly comment?: (file: string) => Promise<string>;
}
