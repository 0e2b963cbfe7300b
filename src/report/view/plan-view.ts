import type { Source } from '../../model/diagnostic.ts';
import type { TextChange } from '../../model/kind.ts';
import type { Action, Origin } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { quantity } from '../wording.ts';
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
  /** Words: `Apply sends 13 requests.`; '' if it sends nothing. */
  readonly sends: string;
  /** Words and texts at the end. */
  readonly closing: readonly Fact[];
}

/** What a composer adds to what every view has. */
export interface OwnView
  extends Pick<PlanView, 'name' | 'headline'>,
    Partial<Omit<PlanView, 'name' | 'headline' | 'sections'>> {
  /** Rows of one section in their order. */
  readonly rows: readonly Row[];
  readonly notes?: SectionNotes;
}

export function viewOf(tenant: PlanView['tenant'], { rows, notes, ...own }: OwnView): PlanView {
  const nothing = { tenants: [], facts: [], sentences: [], remarks: [], sends: '', closing: [] };
  return { tenant, ...nothing, ...own, sections: sectionsOf(rows, notes) };
}

export type Detail = 'compact' | 'full';

/** Words and a text: `base URL`, `https://…`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Set if the text is to be copied: a line of a file. */
  readonly code?: 'line';
}

interface SectionTraits {
  /** Words. */
  readonly title: string;
  /** What its rows are, if the title counts them. */
  readonly counted?: string;
  readonly weight: Weight;
  /** How a page frames it. */
  readonly panel?: 'error' | 'warn' | 'delete' | 'add';
  /** That of its rows, unless they have another one. */
  readonly sign: Sign;
}

const folded = { weight: 'folded' } as const;
const visible = { weight: 'visible' } as const;

/**
 * What a report can have, in its order: consequences of a plan, its rules and changes, the states of drift, what was not
 * checked, outcomes, and the last checks of tenants.
 */
const traits = {
  critical: { title: 'Check first', weight: 'critical', panel: 'error', sign: '!' },
  refused: { title: 'Refused by', counted: 'guard', ...visible, panel: 'error', sign: 'x' },
  approved: { title: 'Approved:', counted: 'refusal', ...visible, sign: '=' },
  header: { title: 'Changed rules', ...visible, panel: 'warn', sign: '!' },
  errors: { title: 'Errors', ...visible, panel: 'error', sign: 'x' },
  lost: { title: 'Loses access', ...visible, panel: 'delete', sign: '-' },
  gained: { title: 'Gains access', ...visible, panel: 'add', sign: '+' },
  effects: { title: 'Effects', ...visible, panel: 'warn', sign: '!' },
  deletions: { title: 'Deletions', ...visible, sign: '-' },
  changes: { title: 'Changes', ...visible, sign: '~' },
  additions: { title: 'Additions', ...visible, sign: '+' },
  unsent: { title: 'Secrets that apply does not send', ...visible, sign: '!' },
  unread: { title: 'Sent by every apply, because live state cannot be read', ...visible, sign: '~' },
  'not-fixable': { title: 'Cannot be fixed by apply', ...folded, sign: '!' },
  undeclared: { title: 'On the tenant, but not in the files', ...visible, sign: '+' },
  missing: { title: 'In the files, but not on the tenant', ...visible, sign: '-' },
  different: { title: 'Different: files → tenant', ...visible, sign: '~' },
  'not-compared': { title: 'Not compared, because live state cannot be read', ...folded, sign: '?' },
  'not-checked': { title: 'Not checked', ...folded, sign: '?' },
  rules: { title: 'Rules to check', ...visible, sign: '!' },
  failed: { title: 'Failed', ...visible, panel: 'error', sign: 'x' },
  unknown: { title: 'Unknown, may have been carried out', ...visible, panel: 'error', sign: '?' },
  conflict: { title: 'Conflict, changed since the plan', ...visible, panel: 'error', sign: '!' },
  'not-attempted': { title: 'Not attempted', ...visible, sign: '=' },
  done: { title: 'Done', ...folded, sign: '=' },
  'check-failed': { title: 'The last check failed', ...visible, panel: 'error', sign: 'x' },
  'never-checked': { title: 'Never checked', ...visible, panel: 'warn', sign: '?' },
  differing: { title: 'Different', ...visible, sign: '~' },
  'in-sync': { title: 'No differences', ...folded, sign: '=' },
} as const satisfies Readonly<Record<string, SectionTraits>>;

export type SectionName = keyof typeof traits;

/** The heading of what reviewers need to see whatever else they skip. */
export const checkFirst = traits.critical.title;

export interface ViewSection extends Pick<SectionTraits, 'title' | 'weight' | 'panel'> {
  readonly name: SectionName;
  readonly rows: readonly Row[];
  /** What to do; words and texts. */
  readonly notes: readonly Fact[];
}

/** What to do; words and texts. */
export type SectionNotes = Readonly<Partial<Record<SectionName, readonly Fact[]>>>;

/** How a comment shows a section: cut last, unfolded, or folded. */
export type Weight = 'critical' | 'visible' | 'folded';

/**
 * `-` deletes, `+` adds, `~` changes, `!` needs attention, `x` failed or refused, `?` unknown, `=` unchanged.
 */
export type Sign = '-' | '+' | '~' | '!' | 'x' | '?' | '=';

/** The verbs that people read. */
export type Verb = 'delete' | 'change' | 'add';

const none: readonly never[] = [];
const noDetails = () => none;

/**
 * One line about one item, or about several if the same is true of all. A plan can have a hundred thousand rows, so each
 * field is assigned by itself: a spread takes twenty times as long.
 */
export class Row {
  readonly section: SectionName;
  readonly sign: Sign;
  /** Null if it is no change of an item. */
  readonly verb: Verb | null;
  /** Name of the kind; `tenant` for the header and the options. */
  readonly kind: string;
  /** Text: the key of the item, that of the first one of a group, or `*` for an entire kind. */
  readonly key: string;
  /** Text: `policy`. */
  readonly noun: string;
  /** Text: names the item shortly; '' for an entire kind. */
  readonly name: string;
  /** Texts: names of the items of a group, in their order; empty for one item. */
  readonly names: readonly string[];
  /** Number of items: 1, or that of the group. */
  readonly count: number;
  /** Text, one line: `limit 200 → 50`. */
  readonly what: string;
  /** Text: why, with the code of a finding; null if the row has everything. */
  readonly sentence: string | null;
  /** Text: `roles.yaml:6`, or `not in the files`; '' if there is none. */
  readonly place: string;
  readonly source: Source | null;
  readonly origin: Origin;
  /** Long texts that change, complete. */
  readonly texts: readonly TextChange[];
  /** Operations, paths, ids, reasons and complete values of this row: made when they are written, for the full form. */
  readonly details: (row: Row) => readonly Fact[];
  /** True if a live value is gone afterwards. */
  readonly isLoss: boolean;
  readonly annotation: Annotation | null;
  /** What it is about, if it is the row of an item. */
  readonly actions: readonly Action[];
  /** What the row states of access, so that effects need not repeat it. */
  readonly states: readonly ('lost' | 'gained')[];

  constructor(own: OwnFields) {
    this.section = own.section;
    this.sign = own.sign ?? traits[own.section].sign;
    this.verb = own.verb ?? null;
    this.kind = own.kind;
    this.key = own.key;
    this.noun = own.noun;
    this.name = own.name;
    this.names = listOrNone(own.names);
    this.count = own.count ?? 1;
    this.what = own.what ?? '';
    this.sentence = own.sentence ?? null;
    this.place = own.place ?? '';
    this.source = own.source ?? null;
    this.origin = own.origin ?? null;
    this.texts = listOrNone(own.texts);
    this.details = own.details ?? noDetails;
    this.isLoss = own.isLoss ?? false;
    this.annotation = own.annotation ?? null;
    this.actions = listOrNone(own.actions);
    this.states = listOrNone(own.states);
  }
}

/** One empty list for all rows. */
function listOrNone<Item>(list: readonly Item[] = none): readonly Item[] {
  return list.length === 0 ? none : list;
}

/** What a row is made of; the other fields have defaults. */
export type OwnFields = Pick<Row, 'section' | keyof ItemName> &
  Partial<Omit<Row, 'sign'>> & { readonly sign?: Sign | undefined };

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

/** Rows by section, in the order of the table; notes are shown where there is no row as well. */
function sectionsOf(rows: readonly Row[], notes: SectionNotes = {}): ViewSection[] {
  const bySection = groupBy(rows, ({ section }) => section);
  return (Object.keys(traits) as SectionName[]).flatMap((name) => {
    const [own, about] = [bySection.get(name) ?? [], notes[name] ?? []];
    if (own.length + about.length === 0) return [];
    const { counted, title, ...others }: SectionTraits = traits[name];
    const shown = counted === undefined ? title : `${title} ${quantity(own.length, counted)}`;
    return [{ ...others, name, title: shown, rows: own, notes: about }];
  });
}
