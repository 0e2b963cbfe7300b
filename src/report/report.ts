import type { Source } from '../model/diagnostic.ts';

/**
 * A report before it has a format: plans, drift and outcomes are composed into this value, and one renderer per format
 * writes it. Words come from the composers and need no escaping. Texts are data: already cut, not yet escaped, because
 * escaping depends on the format.
 */
export interface Report {
  /** Words: names the report in a heading and in the marker of a comment. */
  readonly name: 'plan' | 'drift' | 'apply';
  readonly facts: readonly Fact[];
  /** A text; the result in one sentence where no section shows it. */
  readonly conclusion: string | null;
  readonly sections: readonly Section[];
  /** Words: counts. */
  readonly summary: string;
  /** Texts at the end. */
  readonly closing: readonly Fact[];
}

/** Words and a text: `base URL`, `https://…`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

export interface Section {
  /** Words. */
  readonly title: string;
  /** Words: heads the section's counts in a table; null omits them. */
  readonly column: string | null;
  readonly weight: Weight;
  readonly groups: readonly Group[];
  readonly notes: readonly Fact[];
}

/** How a comment shows a section: with the largest share of its size, unfolded, or folded. */
export type Weight = 'urgent' | 'visible' | 'folded';

export interface Group {
  readonly title: string;
  readonly items: readonly Item[];
  /** Items that a composer left out of a long list. */
  readonly more: number;
}

/**
 * `-` deletes, `+` adds, `~` changes, `!` differs and cannot be fixed, `x` failed or refused, `?` unknown, `=`
 * unchanged.
 */
export type Sign = '-' | '+' | '~' | '!' | 'x' | '?' | '=';

export interface Item {
  readonly sign: Sign;
  readonly head: string;
  readonly details: readonly Fact[];
  readonly annotation: Annotation | null;
}

/** A message at a line of a file. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly source: Source | null;
}

export type Level = 'error' | 'warning' | 'notice';

/** The formats that write every document without help: `formats.ts` has all of them. */
export type Format = 'text' | 'json' | 'markdown' | 'github';
