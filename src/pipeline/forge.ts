/** What a pipeline needs of the forge that runs it: comments, issues, proposals, and the last applied commit. */
export interface Forge {
  /** How many UTF-16 units a comment may have. */
  readonly longestComment: number;
  /** Comments of this pipeline on a pull request, oldest first. Comments of other authors are not among them. */
  comments(change: number): Promise<readonly Text[]>;
  createComment(change: number, body: string): Promise<void>;
  updateComment(change: number, id: number, body: string): Promise<void>;
  /** Issues of this pipeline with this label, newest first. */
  issues(label: string): Promise<readonly Issue[]>;
  createIssue(issue: { readonly title: string; readonly body: string; readonly label: string }): Promise<void>;
  /** Without a state, the issue keeps its own. */
  updateIssue(id: number, change: { readonly body: string; readonly state?: Issue['state'] }): Promise<void>;
  /** Numbers of the merged pull requests that brought this commit to the default branch. */
  mergedChanges(commit: string): Promise<readonly number[]>;
  /** The newest commit that was recorded for this folder and tenant. */
  lastApplied(target: Target): Promise<string | null>;
  recordApplied(applied: Applied): Promise<void>;
  /** Opens a pull request, or updates the one that is open, and returns its address. */
  propose(proposal: Proposal): Promise<string>;
}

export interface Text {
  readonly id: number;
  readonly body: string;
}

export interface Issue extends Text {
  readonly state: 'open' | 'closed';
}

/** What is applied where. One environment may have several folders, and the address of a tenant may change. */
export interface Target {
  readonly environment: string;
  readonly folder: string;
  readonly baseUrl: string;
}

export interface Applied extends Target {
  readonly branch: string;
  readonly commit: string;
  readonly digest: string;
}

export interface ProposedFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** True if the commit that the proposal starts from has this file. */
  readonly exists: boolean;
}

export interface Proposal {
  readonly branch: string;
  /** The branch to merge into. */
  readonly target: string;
  /** The commit that the files were read from. */
  readonly parent: string;
  readonly files: readonly ProposedFile[];
  readonly title: string;
  readonly body: string;
}

/** The forge did not do what was asked. */
export class ForgeError extends Error {
  /** True if the request may have been carried out: there was no response, or one of an overloaded server. */
  readonly isUnsure: boolean;

  constructor(message: string, isUnsure = false) {
    super(message);
    this.isUnsure = isUnsure;
  }
}

/** Reads fields of responses whose shape is not proven. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

/** An id or a number, which every object of a forge has. */
export function numberField(value: unknown, name: string): number {
  const found = field(value, name);
  if (typeof found === 'number' && Number.isSafeInteger(found)) return found;
  throw new ForgeError(`A response of the forge has no number "${name}".`);
}
