import type { DesiredItem, LossUnit, Population } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { LiveState, OddField } from '../model/reader.ts';

/**
 * What is decided about the parts of named containers: of a role with permissions, an API with scopes, a prompt with texts.
 *
 * Parts are compared as a map. A set is a map whose values are all equal. A live part that is not declared is removed
 * and is a loss, unless `protect` covers its container; a part that is declared absent is removed and is no
 * loss, because the files name exactly that part.
 *
 *   declared { a: 1, b: 2 }, absent [x]
 *   live     { b: 3, c: 4, x: 5 }
 *   ->       missing [a], changed [b], unwanted [x], undeclared [c]
 */
export interface ContainerKind<Desired, Part extends ContainerPart> {
  readonly kind: string;
  /** The noun for parts when losses are counted, and the noun for containers. */
  readonly unit: LossUnit;
  readonly noun: NonNullable<Population['containers']>;
  /** Null if the item declares no parts: then it is neither read nor changed. */
  partsOf(desired: Desired): DeclaredParts<Part> | null;
  /** True if containers are items by themselves. Default: they always exist, and `absent: true` removes their parts. */
  readonly isItem?: true;
  /** The requests that bring the live parts to the declared ones. */
  correct(change: ContainerChange<Desired, Part>): readonly ContainerAction<Part>[];
  /** Requests that can be sent although no operation reads the kind. Default: none. */
  correctUnread?(item: DesiredItem<Desired>): readonly Action[];
  /** The field that is then neither compared nor sent; null if there is none. */
  notChecked?(desired: Desired): string | null;
  /**
   * The id by which the files declare a container that also has a name; null if they declare it by its name. Absent if
   * containers have no name besides their key.
   */
  idOf?(desired: Desired): string | null;
}

/** A kind whose items are nothing but containers. */
export interface ContainersOnly<Desired, Live, Part extends ContainerPart> extends ContainerKind<Desired, Part> {
  /** Pairs declared items with live containers. */
  match(items: readonly DesiredItem<Desired>[], live: readonly Live[]): Matched<Desired, Part>;
  /** Every name that a pattern of `protect` may mean; null if they are not all known. */
  namesOf(items: readonly DesiredItem<Desired>[], live: LiveState<Live>): readonly string[] | null;
}

export interface ContainerPart {
  /** Distinguishes the parts of a container. */
  readonly id: string;
  /** In words, for findings and losses. */
  readonly name: string;
  readonly value: unknown;
}

export interface DeclaredParts<Part> {
  /** The complete set; null if only absent parts are declared. */
  readonly wanted: readonly Part[] | null;
  /** Parts that must not be live. */
  readonly unwanted: readonly Part[];
  /** JSON pointer from the item to its parts, for findings about them. */
  readonly pointer: string;
}

export interface Matched<Desired, Part> {
  readonly containers: readonly Container<Desired, Part>[];
  /** Declarations that do not name exactly one container of their own: these are left out of the plan. */
  readonly findings: readonly Finding[];
}

export interface Container<Desired, Part> {
  readonly item: DesiredItem<Desired>;
  /** Id of the live container. */
  readonly id: string;
  /** Every known name under which patterns of `protect` may cover it. */
  readonly names: readonly string[];
  /** Live parts, in an order that does not depend on the tenant. */
  readonly parts: readonly Part[];
  /** Fields of the container or its parts that are not as their schema describes them. */
  readonly odd?: readonly OddField[];
}

/** How the live parts differ from the declared ones; no part is in two of the lists. */
export interface ContainerChange<Desired, Part> {
  readonly container: Container<Desired, Part>;
  readonly declared: DeclaredParts<Part>;
  readonly missing: readonly Part[];
  /** Declared, and live with another value. */
  readonly changed: readonly Part[];
  /** Live although declared absent. */
  readonly unwanted: readonly Part[];
  /** Live and not declared. */
  readonly undeclared: readonly Part[];
  /** Live, to be removed by the files, and kept by a rule. */
  readonly kept: readonly Part[];
}

export interface ContainerAction<Part> {
  readonly action: Action;
  /** Undeclared parts that it removes, and parts whose value it empties. */
  readonly lost: readonly Part[];
  /** Parts that it removes because they are declared absent. */
  readonly asked: readonly Part[];
  /** True if the action adds parts. Other actions of the container need the ones that do. */
  readonly grants: boolean;
}
