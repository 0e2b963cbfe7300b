import type { Diagnostic, Source } from './diagnostic.ts';
import type { LiveState, Unreadable } from './live-state.ts';
import type { Operation } from './operation.ts';
import type { Action, Finding, KindName } from './plan.generated.ts';
import type { Reader } from './reader.ts';

export type { KindName } from './plan.generated.ts';

/** One declared item with its identity and a way back to the files. */
export interface DesiredItem<Value = unknown> {
  readonly key: string;
  readonly value: Value;
  /** The place of a value below the item, by JSON pointer; '' is the item itself. */
  at(pointer: string): Source;
}

/** A present section: the whole truth about its kind. */
export interface DesiredSection<Value = unknown> {
  readonly items: readonly DesiredItem<Value>[];
  /** The section's key, in the first file that has it. */
  readonly source: Source;
}

/** Rules of the files that keep items from being taken away. */
export interface KeepRules {
  readonly keepUndeclared: boolean;
  /** True when a pattern under `protect` covers this name. */
  isProtected(name: string): boolean;
}

/** Something that the plan takes away and that a guard counts. */
export interface Loss {
  readonly action: Action;
  readonly item: string;
}

export interface Decision {
  readonly kind: KindName;
  readonly actions: readonly Action[];
  readonly findings: readonly Finding[];
  readonly losses: readonly Loss[];
  /** Why the kind could not be read; null when it could. */
  readonly unreadable: Unreadable | null;
  readonly population: Population;
}

/** How many items there are on either side; guards judge a plan by it. */
export interface Population {
  readonly declared: number;
  readonly live: number;
  /** True when `live` counts only what was asked for. */
  readonly filtered: boolean;
}

export interface DecideInput<Desired, Live> {
  readonly desired: DesiredSection<Desired>;
  readonly live: LiveState<Live>;
  readonly keep: KeepRules;
}

/** An item of a section before its identity is checked against the others. */
export interface DeclaredEntry {
  readonly key: string;
  /** JSON pointer from the section to the item. */
  readonly pointer: string;
  /** JSON pointer from the section to what names it, for duplicates. */
  readonly keyPointer: string;
}

/** What a report says of an action in one line; plain text, made harmless by the report. */
export interface Description {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * One kind of resource. Everything about it is in its folder under `src/kinds/`.
 *
 * - `entries` must name every item of a section value that its schema has accepted, in file order.
 * - `check` must report faults that a schema cannot say; it must not change the item.
 * - `fileReferences` may name places that hold `{ file: … }`; they are replaced by the file's text.
 * - `read` is absent when no operation reads the kind. It must not turn a failure into an empty list. Given one key, it may ask
 *   for that identity alone, and then says that its answer is filtered.
 * - `decide` is pure and must be a function of its input alone.
 */
export interface ResourceKind<Desired = unknown, Live = unknown> {
  readonly name: KindName;
  readonly section: string;
  readonly title: string;
  readonly operations: readonly Operation[];
  entries(section: unknown): readonly DeclaredEntry[];
  check?(item: DesiredItem<Desired>, report: (diagnostic: Diagnostic) => void): void;
  fileReferences?(item: unknown): readonly string[];
  read?(reader: Reader, only: string | null): Promise<LiveState<Live>>;
  decide(input: DecideInput<Desired, Live>): Decision;
  describe(action: Action): Description;
}

/** A kind with its own types hidden, as lists of kinds hold it. */
// biome-ignore lint/suspicious/noExplicitAny: the registry is the one place that forgets a kind's types
export type AnyKind = ResourceKind<any, any>;
