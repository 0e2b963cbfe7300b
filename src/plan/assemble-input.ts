import type { Desired } from '../model/desired.ts';
import type { AnyKind, Decision } from '../model/kind.ts';
import type { Operation } from '../model/operation.ts';
import type { Action, Plan, PlanBase, PlanTenant, Selection } from '../model/plan.generated.ts';
import type { ApprovedLeft } from './approved-before.ts';
import type { FileChanges } from './file-changes.ts';

export interface AssembleInput {
  readonly tool: Plan['tool'];
  readonly tenant: PlanTenant;
  /** RFC 3339; the only part of a plan, with its checksum, that two runs over the same input do not share. */
  readonly generatedAt: string;
  /** All kinds, in the order of reports. */
  readonly kinds: readonly AnyKind[];
  readonly desired: Desired;
  readonly decisions: readonly Decision[];
  /** The operations that the plan was read with. */
  readonly reads: readonly Operation[];
  /** Declared parts that the selection left out, and that were not read for this reason; key * is the entire kind. */
  readonly notRead: readonly { readonly kind: string; readonly key: string }[];
  readonly selection: Selection;
  /** True if the files become equal to the tenant: then no declared item relies on what an action removes. */
  readonly adopts?: boolean | undefined;
  /** Set if an earlier plan is made again: guards are evaluated for what is sent of that plan. */
  readonly again?: PlannedBefore | undefined;
  /** A code that is approved in addition to those of the files. */
  readonly approve?: string | undefined;
  /** What an interrupted apply was approved to do; null without one. */
  readonly left?: ApprovedLeft | null | undefined;
  /** Makes it a three-way plan. */
  readonly base?: BaseDecided;
}

/** The earlier state of the files in a three-way plan. */
export interface Base extends Pick<PlanBase, 'ref' | 'commit'> {
  readonly isBehind: boolean;
  /** Null if its files have errors. */
  readonly state: { readonly desired: Desired; readonly changes: FileChanges } | null;
}

export interface BaseDecided extends Base {
  /** For the files of the base, on the live state of the plan. */
  readonly decisions: readonly Decision[];
}

export interface PlannedBefore {
  /** The selection of the earlier plan; that of this plan names what is read. */
  readonly selection: Selection;
  /** Whether an action of this plan is one of the earlier plan. */
  readonly isSent: (action: Action) => boolean;
  /** Actions of the earlier plan that count as done if this plan does not have them. */
  readonly watched: readonly Action[];
}

/** The rules of the header about deletions, and their places. */
export type Rules = Pick<Desired, 'tenant' | 'tenantAt' | 'ofProject'>;
