import type { Source } from '../model/diagnostic.ts';

/**
 * What a report says, before it is known how: plans, drift and outcomes are composed into this one value, and one renderer for
 * each format writes it. Words come from the composers and are plain; texts are data, already cut but not yet harmless, which
 * only a renderer can do.
 */
export interface Report {
  /** Words: names the report in a heading and in the marker of a comment. */
  readonly name: 'plan' | 'drift' | 'apply';
  readonly facts: readonly Fact[];
  /** Texts; what there is to say when there is nothing to do. */
  readonly verdict: string | null;
  readonly sections: readonly Section[];
  /** Words: counts. */
  readonly summary: string;
  /** Texts that stand last. */
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
  /** Words that head the section's counts in a table; null keeps it out. */
  readonly column: string | null;
  readonly weight: Weight;
  readonly groups: readonly Group[];
  readonly notes: readonly Fact[];
}

/** How a comment shows a section: before all others of room, unfolded, or folded. */
export type Weight = 'urgent' | 'visible' | 'folded';

export interface Group {
  readonly title: string;
  readonly items: readonly Item[];
  /** Items that a composer left out of a long list. */
  readonly more: number;
}

/** `-` takes away, `+` adds, `~` changes, `!` differs and stays, `x` stops, `?` is not known, `=` stays as it is. */
export type Sign = '-' | '+' | '~' | '!' | 'x' | '?' | '=';

export interface Item {
  readonly sign: Sign;
  readonly head: string;
  readonly details: readonly Fact[];
  readonly annotation: Annotation | null;
}

/** A remark on a line of a file. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly source: Source | null;
}

export type Level = 'error' | 'warning' | 'notice';

/** How a result is written; chosen with --format. */
export type Format = 'text' | 'json' | 'markdown' | 'github';
