// Generated from schemas/plan.schema.json by npm run generate.

import type { EffectCode, FindingCode } from './codes.generated.ts';

/**
 * A kind of resources, named like its section in the files.
 */
export type KindName = string;
export type ActionName = 'create' | 'update' | 'delete' | 'add' | 'remove' | 'put';
/**
 * Why it is in a three-way plan. change: the files changed. drift: the tenant changed. both: both did. null: neither did, or it is not known.
 */
export type Origin = 'change' | 'drift' | 'both' | null;
export type Sha256 = string;
export type Severity = 'note' | 'warning' | 'error';

/**
 * What apply would do to a tenant, and what it cannot do. A minor version adds fields; a major version changes anything else.
 */
export interface Plan {
  format_version: '2.0';
  tool: {
    name: string;
    version: string;
  };
  tenant: PlanTenant;
  generated_at: string;
  /**
   * The earlier state of the files in a three-way plan; null otherwise.
   */
  base: PlanBase | null;
  /**
   * False if a listing failed, repeated a cursor or an id, or could not be validated: apply refuses the plan.
   */
  complete: boolean;
  selection: Selection;
  actions: Action[];
  findings: Finding[];
  /**
   * What the selection left out. Key *: the kind, or the rest of it, was not read.
   */
  left_out: LeftOut[];
  /**
   * Guards that refuse the plan until the code is approved.
   */
  refusals: Refusal[];
  scopes: PlanScopes;
  summary: PlanSummary;
  /**
   * Of a tenant of a project: the code of what guards refuse and of everything that is deleted, without ids; tenants with equal ones have equal codes. Absent if there is neither.
   */
  review?: string;
  digest: Sha256;
  checksum: Sha256;
}
export interface PlanTenant {
  name: string;
  base_url: string;
  api: 'documented' | 'full';
}
export interface PlanBase {
  /**
   * As given to --base.
   */
  ref: string;
  /**
   * The merge base of that ref and HEAD.
   */
  commit: string;
  /**
   * Present if commits of the ref that HEAD lacks change the files: what they changed on the tenant looks like drift.
   */
  behind?: true;
  /**
   * False if the files of the base have errors: then no origin is known.
   */
  valid: boolean;
  /**
   * What changed in the header, which decides what a plan may do, without the name; by field. The side that lacks it is left out.
   */
  header: HeaderChange[];
  /**
   * Sections that only one of the two states has: a kind becomes managed or unmanaged.
   */
  sections: SectionChange[];
}
export interface HeaderChange {
  /**
   * Such as guards.max_delete_count or protect.roles.
   */
  field: string;
  before?: unknown;
  after?: unknown;
  /**
   * Null if it was removed.
   */
  source: PlanSource | null;
}
/**
 * A place in the files; line and column count from 1, columns in UTF-16 units.
 */
export interface PlanSource {
  /**
   * Relative to the tenant's folder, with forward slashes.
   */
  file: string;
  line: number;
  column: number;
}
export interface SectionChange {
  kind: KindName;
  change: 'added' | 'removed';
}
/**
 * The --only, --except, --rotate and --changed options the plan was made with.
 */
export interface Selection {
  only: string[];
  except: string[];
  rotate: string[];
  /**
   * True for --changed: only then names what differs from the base, and an empty list selects nothing.
   */
  changed?: boolean;
}
/**
 * One request that the plan intends.
 */
export interface Action {
  /**
   * Unique in the plan; made from kind, key and part.
   */
  id: string;
  kind: KindName;
  /**
   * The item.
   */
  key: string;
  /**
   * The name of the item where its key is an id, or of the client that it is about; for people.
   */
  name?: string;
  /**
   * The part of the item, where an item takes several actions.
   */
  part?: string;
  action: ActionName;
  /**
   * For people; never steers apply.
   */
  reason: 'missing' | 'different' | 'rotated' | 'undeclared' | 'absent' | 'duplicate' | 'unreadable';
  origin: Origin;
  /**
   * The origins of the smallest parts of an action whose origin is both.
   */
  part_origins?: PartOrigin[];
  /**
   * Ids of actions that must be done first.
   */
  needs: string[];
  request: PlannedRequest;
  /**
   * The live item; null if there is none or it cannot be read.
   */
  before: {
    [k: string]: unknown;
  } | null;
  /**
   * The item as declared; null for a deletion.
   */
  after: {
    [k: string]: unknown;
  } | null;
  /**
   * The fields that an update changes.
   */
  changes?: FieldChange[];
  /**
   * What to know before it is done; for people.
   */
  notes?: string[];
  /**
   * Fingerprint of what the action changes, as it was when the action was decided; absent if the item must not exist yet; null if it cannot be read.
   */
  precondition: Sha256 | 'absent' | null;
  desired?: Sha256;
  effects: Effect[];
  source: PlanSource | null;
  /**
   * Places in the files of parts of `after`, where they have places of their own.
   */
  sources?: PartSource[];
}
/**
 * base is the value that the files of the base declare, for a field that both sides changed.
 */
export interface PartOrigin {
  /**
   * A field of `changes`, or a JSON pointer into before or after; for a member of a list, the pointer of the list and the member as JSON.
   */
  part: string;
  origin: Origin;
  base?: unknown;
}
/**
 * The complete request: what is printed is what is sent.
 */
export interface PlannedRequest {
  operation: string;
  method: 'DELETE' | 'PUT' | 'POST' | 'PATCH';
  /**
   * Relative to the base URL. {result:ACTION_ID:FIELD} refers to the item that this action creates.
   */
  path: string;
  /**
   * Has ${env:NAME} in place of a secret (see secrets), and {result:ACTION_ID:FIELD} in place of a field of the item that another action creates.
   */
  body?:
    | {
        [k: string]: unknown;
      }
    | {
        [k: string]: unknown;
      }[];
  /**
   * Places in the body that apply fills with secrets from the environment immediately before sending.
   */
  secrets?: SecretPlace[];
  /**
   * Places in the body that apply fills with what the tenant has there: secrets, and fields that this version does not know. It reads the path of the request immediately before sending. What is gone by then is left out.
   *
   * @minItems 1
   *
   * Items: JSON pointer into the body, and into the item.
   */
  live?: string[];
}
export interface SecretPlace {
  /**
   * JSON pointer into the body.
   */
  pointer: string;
  /**
   * Name of the environment variable.
   */
  env: string;
}
/**
 * One field: its live value before and its declared value after; an absent side is left out.
 */
export interface FieldChange {
  field: string;
  before?: unknown;
  after?: unknown;
}
/**
 * A consequence that reviewers need to know, such as a role that loses access.
 */
export interface Effect {
  code: EffectCode;
  severity: 'note' | 'warning' | 'critical';
  /**
   * A sentence whose subject is the affected item: loses read:orders of https://orders.example/.
   */
  message: string;
  kind: KindName;
  /**
   * The item that is affected.
   */
  key: string;
  /**
   * For lost or gained access: the identifier of the API.
   */
  api?: string;
  /**
   * For lost or gained access: the names of all permissions of that API.
   */
  permissions?: string[];
  /**
   * Who is affected, where it is more than the item itself. all: everyone for whom nothing more specific is declared. group: a group of them.
   */
  reach?: 'all' | 'group';
  /**
   * The live id of the item that loses something.
   */
  id?: string;
  /**
   * Number of users who have the role directly, where they were counted.
   */
  users?: number;
  /**
   * Number of groups that have the role, where they were counted.
   */
  groups?: number;
  /**
   * True if there are more groups than were counted.
   */
  more_groups?: boolean;
  /**
   * What could not be counted, and why: users not counted: needs read:users.
   */
  not_counted?: string[];
  source?: PlanSource;
}
export interface PartSource {
  /**
   * JSON pointer into after.
   */
  pointer: string;
  source: PlanSource;
}
/**
 * Drift that no available operation can correct, something that could not be checked, or a rule of the files that needs attention: that has the kind tenant, like the header.
 */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  kind: KindName;
  /**
   * The item, or * for the entire kind.
   */
  key: string;
  /**
   * The name of the item, where its key is an id; for people.
   */
  name?: string;
  message: string;
  origin: Origin;
  changes?: FieldChange[];
  source: PlanSource | null;
}
export interface LeftOut {
  kind: KindName;
  key: string;
  /**
   * The action or the code of the finding that was left out, or not_read.
   */
  what: string;
}
export interface Refusal {
  code:
    | 'GUARD_TOO_MANY_DELETES'
    | 'GUARD_TOO_MANY_ROLES'
    | 'GUARD_EMPTIES_SECTION'
    | 'GUARD_EMPTIES_ITEM'
    | 'GUARD_DESTROYS'
    | 'GUARD_OWN_CLIENT'
    | 'GUARD_TOO_MANY_UPDATES';
  kind: KindName;
  message: string;
  /**
   * Items that the guard counts: deleted, removed or changed.
   */
  losses: number;
  /**
   * Live items of the kind that no rule keeps; of a partial plan, those that were read.
   */
  live: number;
  /**
   * The larger of max_delete_count and max_delete_percent of the live items; for updates, max_update_percent of them.
   */
  limit: number;
  items: string[];
  /**
   * The code that approves it, 24 hexadecimal digits; covers exactly these items and stops matching when they change.
   */
  approve: string;
  /**
   * What approves it: then it does not refuse the plan. Null if nothing does.
   */
  approved_by: Approval | null;
  /**
   * How the files approve it; null if it is approved, or if no such edit of the files is known.
   */
  approve_in: ApprovalEdit | null;
}
export interface Approval {
  /**
   * tenant.approvals: the files. --approve: an option of the run. interrupted apply: an earlier apply was approved, and this is left of it.
   */
  by: 'tenant.approvals' | '--approve' | 'interrupted apply';
  /**
   * The place of the code in the files; otherwise null.
   */
  source: PlanSource | null;
}
/**
 * The edit of a file that adds the code to tenant.approvals.
 */
export interface ApprovalEdit {
  /**
   * Relative to the tenant's folder, with forward slashes.
   */
  file: string;
  /**
   * The number of the first of these lines in the edited file.
   */
  line: number;
  /**
   * create: a new file. insert: new lines in a file. replace: other lines in place of some.
   */
  change: 'create' | 'insert' | 'replace';
  /**
   * The number of lines, from `line` on, that these lines replace.
   */
  replaces: number;
  /**
   * With their indentation, without line ends.
   *
   * @minItems 1
   */
  lines: string[];
}
/**
 * The scopes that a token needs, sorted: to make this plan, and to apply it, which makes it again first.
 */
export interface PlanScopes {
  plan: string[];
  apply: string[];
}
export interface PlanSummary {
  create: number;
  update: number;
  delete: number;
  add: number;
  remove: number;
  put: number;
  findings: number;
  /**
   * Requests that apply sends: one per action.
   */
  requests: number;
  unreadable: KindName[];
}
