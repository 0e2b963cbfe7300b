import type { Source } from '../../model/diagnostic.ts';
import type { TextChange } from '../../model/kind.ts';
import type { Origin } from '../../model/plan.generated.ts';
import type { ItemName } from './items.ts';

/**
 * What people read about a plan, its drift or its outcomes, before it has a format. Text, Markdown, annotations and the
 * HTML report are written from this one value. Words come from the composers and need no escaping. Texts are data:
 * already cut, not yet escaped, because escaping depends on the format.
 */
export interface PlanView {
  /** Words: names the report in a heading and in the marker of a comment. */
  readonly name: 'plan' | 'drift' | 'apply';
  readonly tenant: { readonly name: string; readonly baseUrl: string };
  /** Texts: names of the tenants that share all of it; empty for one tenant, whose place a title has otherwise. */
  readonly tenants: readonly string[];
  /** The selection, and the state of the files that the plan is compared with. Words and texts. */
  readonly facts: readonly Fact[];
  /** Words: refusals and other reasons for no apply first, then totals. */
  readonly headline: readonly string[];
  /** Words: sentences for the first screen, such as what a merge would also revert. */
  readonly sentences: readonly string[];
  /** Only sections with rows or notes, the most urgent first. */
  readonly sections: readonly ViewSection[];
  /** Words and texts: one sentence each about what needs no action. */
  readonly remarks: readonly Fact[];
  /** Words: `Apply sends 13 requests, about 7 s.`; '' if it sends nothing. */
  readonly sends: string;
  /** Words and texts at the end. */
  readonly closing: readonly Fact[];
}

/** A view without anything. */
export const emptyView: Omit<PlanView, 'name' | 'tenant' | 'headline' | 'sections'> = {
  tenants: [],
  facts: [],
  sentences: [],
  remarks: [],
  sends: '',
  closing: [],
};

export type Detail = 'compact' | 'full';

/** Words and a text: `base URL`, `https://…`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Set if the text is to be copied: a line of a file. */
  readonly code?: 'line';
}

interface SectionTraits {
  /** Words; what a composer counts comes in place of it. */
  readonly title: string;
  readonly weight: Weight;
  /** How a page frames it. */
  readonly panel?: 'error' | 'warn' | 'delete' | 'add';
}

const folded = { weight: 'folded' } as const;
const visible = { weight: 'visible' } as const;

/** What a report can have: consequences of a plan, its rules and changes, the states of drift, and outcomes. */
const traits = {
  critical: { title: 'Check first', weight: 'critical', panel: 'error' },
  refused: { title: 'Refused', ...visible, panel: 'error' },
  approved: { title: 'Approved', ...visible },
  header: { title: 'Changed rules', ...visible, panel: 'warn' },
  errors: { title: 'Errors', ...visible, panel: 'error' },
  lost: { title: 'Loses access', ...visible, panel: 'delete' },
  gained: { title: 'Gains access', ...visible, panel: 'add' },
  effects: { title: 'Effects', ...visible, panel: 'warn' },
  deletions: { title: 'Deletions', ...visible },
  changes: { title: 'Changes', ...visible },
  additions: { title: 'Additions', ...visible },
  unsent: { title: 'Secrets that apply does not send', ...visible },
  unread: { title: 'Sent by every apply, because live state cannot be read', ...visible },
  'not-fixable': { title: 'Cannot be fixed by apply', ...folded },
  undeclared: { title: 'On the tenant, but not in the files', ...visible },
  missing: { title: 'In the files, but not on the tenant', ...visible },
  different: { title: 'Different: files → tenant', ...visible },
  'not-compared': { title: 'Not compared, because live state cannot be read', ...folded },
  'not-checked': { title: 'Not checked', ...folded },
  rules: { title: 'Rules to check', ...visible },
  failed: { title: 'Failed', ...visible, panel: 'error' },
  unknown: { title: 'Unknown, may have been carried out', ...visible, panel: 'error' },
  conflict: { title: 'Conflict, changed since the plan', ...visible, panel: 'error' },
  'not-attempted': { title: 'Not attempted', ...visible },
  done: { title: 'Done', ...folded },
  'check-failed': { title: 'The last check failed', ...visible, panel: 'error' },
  'never-checked': { title: 'Never checked', ...visible, panel: 'warn' },
  differing: { title: 'Different', ...visible },
  'in-sync': { title: 'No differences', ...folded },
} as const satisfies Readonly<Record<string, SectionTraits>>;

export type SectionName = keyof typeof traits;

/** The heading of what reviewers need to see whatever else they skip. */
export const checkFirst = traits.critical.title;

export interface ViewSection extends SectionTraits {
  readonly name: SectionName;
  readonly rows: readonly Row[];
  /** What to do; words and texts. */
  readonly notes: readonly Fact[];
}

/** How a comment shows a section: cut last, unfolded, or folded. */
export type Weight = 'critical' | 'visible' | 'folded';

/**
 * `-` deletes, `+` adds, `~` changes, `!` needs attention, `x` failed or refused, `?` unknown, `=` unchanged.
 */
export type Sign = '-' | '+' | '~' | '!' | 'x' | '?' | '=';

/** The verbs that people read. */
export type Verb = 'delete' | 'change' | 'add';

const noDetails = () => [];

/**
 * One line about one item, or about several if the same is true of all. A class, because a plan can have a hundred thousand
 * rows, and objects of as many fields that are spread take ten times as long.
 */
export class Row {
  readonly sign!: Sign;
  /** Null if it is no change of an item. */
  readonly verb: Verb | null = null;
  /** Name of the kind; `tenant` for the header and the options. */
  readonly kind!: string;
  /** Text: the key of the item, that of the first one of a group, or `*` for an entire kind. */
  readonly key!: string;
  /** Text: `policy`. */
  readonly noun!: string;
  /** Text: names the item shortly; '' for an entire kind. */
  readonly name!: string;
  /** Texts: names of the items of a group, in their order; empty for one item. */
  readonly names: readonly string[] = [];
  /** Number of items: 1, or that of the group. */
  readonly count: number = 1;
  /** Text, one line: `limit 200 → 50`. */
  readonly what: string = '';
  /** Texts: what changes part by part, such as the permissions of a role, if that is too long for `what`. */
  readonly parts: readonly string[] = [];
  /** Text: why, with the code of a finding; null if the row has everything. */
  readonly sentence: string | null = null;
  /** Text: `roles.yaml:6`, or `not in the files`; '' if there is none. */
  readonly place: string = '';
  readonly source: Source | null = null;
  readonly origin: Origin = null;
  /** Long texts that change, complete. */
  readonly texts: readonly TextChange[] = [];
  /** Operations, paths, ids, reasons and complete values: made when they are written, for the full form alone. */
  readonly details: () => readonly Fact[] = noDetails;
  /** True if a live value is gone afterwards. */
  readonly isLoss: boolean = false;
  readonly annotation: Annotation | null = null;

  constructor(own: Pick<Row, 'sign' | 'kind' | keyof ItemName> & Partial<Row>) {
    Object.assign(this, own);
  }
}

/** How a row is shown at its place in the files. */
export interface Annotation {
  readonly level: Level;
  /** A code of the diagnostics, or `plan/delete` for what a plan intends. */
  readonly code: string;
  /** Words after the item: `will be deleted`; `what` if that of the row follows it as a sentence. */
  readonly says?: string;
  /** Texts: lines to copy. */
  readonly lines?: readonly string[];
}

export type Level = 'critical' | 'error' | 'warning' | 'notice';

export function section(
  name: SectionName,
  rows: readonly Row[],
  about: Partial<Pick<ViewSection, 'title' | 'notes'>> = {},
): ViewSection {
  return { ...traits[name], name, rows, notes: [], ...about };
}
