// Generated from schemas/rate-limit-policies.schema.json by npm run generate.

import type { Absent, Unmanaged } from '../../model/item.generated.ts';

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
 * What happens when the limit is exceeded: allow, block or log with a limit, or redirect with a limit and an address (service specification 2.1).
 */
export type Configuration = AllowConfiguration | BlockOrLogConfiguration | RedirectConfiguration;
/**
 * A declared policy, identified by resource, consumer and consumer_selector or client.
 */
export type DeclaredPolicy = Declared & Declared1;
export type Declared = {
  [k: string]: unknown;
};
/**
 * The name of a client, as in the section clients, in place of consumer_selector with its id; the id where several clients have the name.
 */
export type Client =
  | string
  | {
      /**
       * Its id, where several have the name.
       */
      id: string;
    };
/**
 * Section of the embedded tenant's seed.
 */
export type SeededRateLimitPolicies = LivePolicy[];
/**
 * Rate limit policies. Live policies that are not listed are deleted, unless undeclared keeps them; [] declares none.
 */
export type RateLimitPoliciesSection = DeclaredPolicy[];

export interface AllowConfiguration {
  /**
   * No limit.
   */
  action: 'allow';
}
export interface BlockOrLogConfiguration {
  /**
   * What happens to requests above the limit.
   */
  action: 'block' | 'log';
  /**
   * Requests per second, 0 to 10000 (service specification 2.1).
   */
  limit: number;
}
export interface RedirectConfiguration {
  /**
   * Requests above the limit are redirected.
   */
  action: 'redirect';
  /**
   * Requests per second, 0 to 10000 (service specification 2.1).
   */
  limit: number;
  /**
   * The address that requests above the limit are redirected to.
   */
  redirect_uri: string;
}
export interface Declared1 {
  resource?: Resource;
  consumer?: Consumer;
  consumer_selector?: ConsumerSelector;
  client?: Client;
  configuration?: Configuration;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface CreatePolicyBody {
  resource: Resource;
  consumer: Consumer;
  consumer_selector: ConsumerSelector;
  configuration: Configuration;
}
export interface UpdatePolicyBody {
  configuration: Configuration;
}
/**
 * Policy as the service returns it; other fields are refused.
 */
export interface LivePolicy {
  id: string;
  resource: Resource;
  consumer: Consumer;
  consumer_selector: ConsumerSelector;
  configuration: Configuration;
  created_at?: string;
  updated_at?: string;
}
export interface PolicyPage {
  rate_limit_policies: LivePolicy[];
  next?: string;
}
export interface PolicyQuery {
  resource?: Resource;
  consumer?: Consumer;
  consumer_selector?: ConsumerSelector;
  take?: number;
  from?: string;
}
export interface PolicyParams {
  id: string;
}
