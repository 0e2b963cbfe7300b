// Generated from schemas/plan.schema.json by npm run generate.

import type { KindName } from './kinds.generated.ts';

export type { KindName };
export type ActionName = 'create' | 'update' | 'delete' | 'add' | 'remove' | 'put';

/**
 * What would be done to a tenant, and what cannot be done: plain data. Minor version: fields added; major version: anything else.
 */
export interface Plan {
  format_version: '1.0';
  tool: {
    name: string;
    version: string;
  };
  tenant: PlanTenant;
  generated_at: string;
  /**
   * False when a listing failed, repeated a cursor or an id, or could not be validated: apply refuses.
   */
  complete: boolean;
  selection: Selection;
  actions: Action[];
  findings: Finding[];
  /**
   * What the selection left out. Key * with action null: the kind, or the rest of it, was not read.
   */
  left_out: LeftOut[];
  /**
   * Guards that refuse the plan; apply needs --approve with the code.
   */
  refusals: Refusal[];
  scopes: PlanScopes;
  summary: PlanSummary;
  /**
   * SHA-256 over canonical JSON (sorted keys, no white space) of tenant, actions and findings.
   */
  digest: string;
}
export interface PlanTenant {
  name: string;
  base_url: string;
  api: 'documented' | 'full';
}
/**
 * The --only, --except and --rotate options the plan was made with.
 */
export interface Selection {
  only: string[];
  except: string[];
  rotate: string[];
}
/**
 * One request that the plan intends.
 */
export interface Action {
  /**
   * Unique in the plan.
   */
  id: string;
  kind: KindName;
  key: string;
  action: ActionName;
  /**
   * For people; never steers apply.
   */
  reason: 'missing' | 'different' | 'rotated' | 'undeclared' | 'duplicate' | 'unreadable';
  request: PlannedRequest;
  /**
   * The live item; null when there is none or it cannot be read.
   */
  before: {
    [k: string]: unknown;
  } | null;
  /**
   * What shall be; null for a deletion.
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
  source: PlanSource | null;
  /**
   * Places of parts of what shall be, where they have places of their own.
   */
  sources?: PartSource[];
}
/**
 * The whole request: what is printed is what is sent.
 */
export interface PlannedRequest {
  operation: string;
  method: 'DELETE' | 'PUT' | 'POST' | 'PATCH';
  /**
   * Below the base URL.
   */
  path: string;
  /**
   * Where a secret stands it holds the reference to it, such as ${env:NAME}; see secrets.
   */
  body?: {
    [k: string]: unknown;
  };
  /**
   * Places of the body that apply fills with secrets of the environment just before it sends them.
   */
  secrets?: SecretPlace[];
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
export interface PartSource {
  /**
   * JSON pointer into after.
   */
  pointer: string;
  source: PlanSource;
}
/**
 * Drift that no available operation can correct, or something that could not be checked.
 */
export interface Finding {
  code: string;
  kind: KindName;
  /**
   * The item, or * for the whole kind.
   */
  key: string;
  message: string;
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
  code: 'GUARD_TOO_MANY_DELETES' | 'GUARD_EMPTIES_SECTION';
  kind: KindName;
  message: string;
  /**
   * Items that the plan takes away and that the guard counts.
   */
  losses: number;
  /**
   * Live items of the kind.
   */
  live: number;
  /**
   * The larger of max_delete_count and max_delete_percent of the live items.
   */
  limit: number;
  items: string[];
  /**
   * The code for apply --approve; covers exactly these items and dies when they change.
   */
  approve: string;
}
/**
 * The scopes that a token needs, sorted: for making this plan, and for performing it, which makes it again first.
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
