import type { CheckedTenant } from '../model/checks.generated.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KnownKind } from '../model/kind.ts';
import type { Outcome, OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { PullDocument } from '../model/pull.generated.ts';
import type { ShortName } from '../values/short-url.ts';
import type { Style } from './terminal.ts';
import type { Detail, PlanView } from './view/plan-view.ts';

/** The result of a run, before it has a format. */
export type ReportDocument =
  | ViewedDocument
  | ChecksReport
  | { readonly type: 'pull'; readonly pull: PullReport }
  | DiagnosticsReport;

/** The last checks of the tenants of a project. */
export interface ChecksReport {
  readonly type: 'checks';
  readonly tenants: readonly CheckedTenant[];
}

/** Documents that become a view. */
export type ViewedDocument = (PlanDocument | { readonly type: 'outcomes'; readonly outcomes: OutcomesDocument }) & {
  readonly group?: Group;
};

/** Of one report of several tenants: what some have in common, as a document of one whose name is a title. */
export interface Group {
  /** Texts: names of the tenants; none if they are not listed. */
  readonly tenants: readonly string[];
  /** Whether other groups have more of some of them, so that nothing can be concluded about these. */
  readonly isPart: boolean;
  /** Whether it does not say of its tenants that they have no changes, because others do or it has notes alone. */
  readonly isNote: boolean;
  /** Words: titles of the groups that have more of the only tenant. */
  readonly also?: readonly string[];
  /** What is shown in place of what follows from the document. */
  readonly shown?: Partial<PlanView>;
}

export function isViewed(document: ReportDocument): document is ViewedDocument {
  return 'plan' in document || 'outcomes' in document;
}

export function planOf(document: ViewedDocument): Plan {
  return document.type === 'outcomes' ? document.outcomes.plan : document.plan;
}

/** The tenant that a document is about; undefined for errors, and for what is about several. */
export function tenantOf(document: ReportDocument): Plan['tenant'] | undefined {
  if (document.type === 'pull') return document.pull.tenant;
  return isViewed(document) ? planOf(document).tenant : undefined;
}

/** What is found beside a plan; the plan itself has its refusals. */
export function warningsOf(document: ViewedDocument | ChecksReport): readonly Diagnostic[] {
  return 'diagnostics' in document ? document.diagnostics.filter(({ code }) => code !== 'GUARD_REFUSED') : [];
}

export type Documents = readonly ReportDocument[];

export interface PlanDocument {
  /** `drift` describes the same plan from the tenant's side. */
  readonly type: 'plan' | 'drift';
  readonly plan: Plan;
  /** Warnings, and refusals that the plan itself does not have. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Errors and warnings: the result of validate, and of every run that ends before it has another one. */
export interface DiagnosticsReport {
  readonly type: 'diagnostics';
  /** Name of the command. */
  readonly command: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files read. */
  readonly files: number;
  /** The only tenant that they are about, of several. */
  readonly tenant?: string;
  /** Words: how many tenants are what, if none of them has another document. */
  readonly totals?: readonly string[];
}

/** What is known about a pull. */
export interface PullReport {
  readonly tenant: Plan['tenant'];
  readonly complete: boolean;
  readonly files: readonly { readonly file: string; readonly before: string | null; readonly after: string }[];
  readonly edits: readonly PullDocument['edits'][number][];
  readonly warnings: readonly Diagnostic[];
  readonly variables: readonly string[];
  readonly notAdded: readonly string[];
}

/** How one document is written; HTML is a document of its own. */
export type Format = 'text' | 'json' | 'markdown' | 'github';

export interface ReportContext {
  readonly style: Style;
  readonly kinds: readonly KnownKind[];
  /** Folder of the files, relative to the repository; '' if it is the repository. */
  readonly folder: string;
  /** Columns of the terminal; without one, nothing is cut or wrapped. */
  readonly width?: number | null;
  /** Default: compact. */
  readonly detail?: Detail;
  /** Documents are one list, even if there is only one. */
  readonly isList?: boolean;
  /** Actions that a saved plan has, and that are not sent. */
  readonly ended?: readonly Outcome[];
  /** The short form of a name in all documents of a report. Default: what is short enough in its own document. */
  readonly shortOf?: ShortName;
  /** List the scopes that a plan needs. */
  readonly scopes?: boolean;
  /** The longest Markdown, in UTF-16 units. Default: that of a comment. */
  readonly longest?: number;
}

/** What a view depends on. */
export type ViewContext = Pick<ReportContext, 'kinds'> & Partial<ReportContext> & Pick<ViewedDocument, 'group'>;

export interface FormatContext extends ReportContext {
  /** Version of this program. */
  readonly version: string;
  /** Where the forge shows the files of the commit that was checked out, without a final slash; null if not known. */
  readonly filesUrl?: string | null;
}

/** Writes one document, or several as one text, in pieces. */
export type Renderer = (documents: Documents, context: FormatContext) => Iterable<string>;

/** What is before, between and after documents. */
type Frame = readonly [start: string, between: string, end: string];

export function* framed(
  [start, between, end]: Frame,
  documents: Documents,
  textOf: (document: ReportDocument) => string,
) {
  let separator = start;
  for (const document of documents) {
    yield separator;
    yield textOf(document);
    separator = between;
  }
  yield end;
}

/** The pieces as one text. */
export async function joined(pieces: Iterable<string> | AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
