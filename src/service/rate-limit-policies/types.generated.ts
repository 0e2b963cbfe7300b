// Generated from schemas/rate-limit-policies.schema.json by npm run generate.

import type { Absent, Unmanaged } from '../../model/item.generated.ts';
import type { Flag } from '../roles/types.generated.ts';

/**
 * The rate-limited API (service specification 2.1).
 */
export type Resource = 'oauth_authentication_api';
/**
 * Whose requests the policy counts (service specification 2.1).
 */
export type Consumer = 'client';
/**
 * client_id:<client id or CIMD URI>, cimd_clients, third_party_clients or default; at most 255 characters (service specification 2.1). A URI that starts with https:// needs a host.
 */
export type ConsumerSelector = string;
/**
 * At most 26 characters (service specification 2.1).
 */
export type PolicyId = string;
/**
 * Requests per second, 0 to 10000 (service specification 2.1).
 */
export type Limit = number;
/**
 * What happens when the limit is exceeded: allow, block or log with a limit, or redirect with a limit and an address (service specification 2.1).
 */
export type Configuration = Allow | BlockOrLog | Redirect;
/**
 * Section of the embedded tenant's seed.
 */
export type SeededPolicies = LivePolicy[];
/**
 * Rate limit policies. Live policies that are not listed are deleted, unless undeclared keeps them; [] declares none.
 */
export type RateLimitPoliciesSection = DeclaredPolicy[];

export interface Allow {
  /**
   * No limit.
   */
  action: 'allow';
}
export interface BlockOrLog {
  /**
   * What happens to requests above the limit.
   */
  action: 'block' | 'log';
  limit: Limit;
}
export interface Redirect {
  /**
   * Requests above the limit are redirected.
   */
  action: 'redirect';
  limit: Limit;
  /**
   * The address that requests above the limit are redirected to.
   */
  redirect_uri: string;
}
/**
 * A declared policy, identified by resource, consumer and consumer_selector.
 */
export interface DeclaredPolicy {
  resource?: Resource;
  consumer?: Consumer;
  consumer_selector: ConsumerSelector;
  configuration?: Configuration;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
/**
 * A policy with all its fields, and the body that creates it (public facts 1.3).
 */
export interface Policy {
  resource: Resource;
  consumer: Consumer;
  consumer_selector: ConsumerSelector;
  configuration: Configuration;
}
/**
 * Only the configuration can be changed, and it is replaced completely (public facts 1.3).
 */
export interface PatchPolicyBody {
  configuration: Configuration;
}
/**
 * A policy as the service returns it; other fields are refused (service specification 2.1).
 */
export interface LivePolicy {
  id: PolicyId;
  resource: Resource;
  consumer: Consumer;
  consumer_selector: ConsumerSelector;
  configuration: Configuration;
  created_at?: string;
  updated_at?: string;
}
/**
 * One page of policies; other fields are refused (service specification 2.2).
 */
export interface PolicyPage {
  rate_limit_policies: LivePolicy[];
  next?: string;
}
/**
 * Service specification 4.1.
 */
export interface ListPoliciesQuery {
  resource?: Resource;
  consumer?: Consumer;
  consumer_selector?: ConsumerSelector;
  take?: number;
  from?: string;
}
/**
 * Service specification 4.2.
 */
export interface PolicyParams {
  id: PolicyId;
}
/**
 * Public facts 1.6.
 */
export interface ClientParams {
  /**
   * A client id, a segment of a path; no URI of a CIMD client.
   */
  id: string;
}
/**
 * Public facts 1.6.
 */
export interface GetClientQuery {
  /**
   * Names of fields, separated by commas.
   */
  fields?: string;
  include_fields?: Flag;
}
/**
 * A client, which policies are about. Other fields are tolerated; its secret is not named here, so it is never read.
 */
export interface LiveClient {
  client_id?: string;
  name?: string | null;
  [k: string]: unknown;
}
