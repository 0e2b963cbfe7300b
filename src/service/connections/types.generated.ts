// Generated from schemas/connections.schema.json by npm run generate.

import type { Absent, Unmanaged } from '../../model/item.generated.ts';

export type ClientId =
  | string
  | {
      /**
       * Its id, where several have the name.
       */
      id: string;
    };
/**
 * @minItems 1
 * @maxItems 50
 */
export type AddConnectionEnabledClientsBody = {
  client_id: string;
  status: true | false;
}[];
/**
 * @minItems 1
 * @maxItems 50
 */
export type RemoveConnectionEnabledClientsBody = {
  client_id: string;
  status: true | false;
}[];
/**
 * Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.
 */
export type SecretReference = string;
/**
 * Name of the connection, unique in the tenant. It cannot change.
 */
export type Name = string;
/**
 * The provider. It cannot change. Options are managed for auth0 (databases) and oidc.
 */
export type Strategy =
  | 'ad'
  | 'adfs'
  | 'amazon'
  | 'apple'
  | 'dropbox'
  | 'bitbucket'
  | 'auth0-oidc'
  | 'auth0'
  | 'baidu'
  | 'bitly'
  | 'box'
  | 'custom'
  | 'daccount'
  | 'dwolla'
  | 'email'
  | 'evernote-sandbox'
  | 'evernote'
  | 'exact'
  | 'facebook'
  | 'fitbit'
  | 'github'
  | 'google-apps'
  | 'google-oauth2'
  | 'instagram'
  | 'ip'
  | 'line'
  | 'linkedin'
  | 'oauth1'
  | 'oauth2'
  | 'office365'
  | 'oidc'
  | 'okta'
  | 'paypal'
  | 'paypal-sandbox'
  | 'pingfederate'
  | 'planningcenter'
  | 'salesforce-community'
  | 'salesforce-sandbox'
  | 'salesforce'
  | 'samlp'
  | 'sharepoint'
  | 'shopify'
  | 'shop'
  | 'sms'
  | 'soundcloud'
  | 'thirtysevensignals'
  | 'twitter'
  | 'untappd'
  | 'vkontakte'
  | 'waad'
  | 'weibo'
  | 'windowslive'
  | 'wordpress'
  | 'yahoo'
  | 'yandex'
  | 'notion-mcp'
  | 'asana'
  | 'atlassian'
  | 'cloudflare-mcp'
  | 'gitlab'
  | 'hubspot-mcp'
  | 'linear-mcp'
  | 'sentry-mcp'
  | 'slack';
/**
 * What users see.
 */
export type DisplayName = string;
/**
 * Whether third-party applications may use it.
 */
export type IsDomainConnection = boolean;
/**
 * Whether logins show a button. Enterprise connections only.
 */
export type ShowAsButton = boolean;
export type Realms = string[];
export type CrossAppAccessResourceApp = {
  status: 'enabled' | 'disabled';
} | null;
/**
 * The settings of the strategy.
 */
export type Options = {
  [k: string]: unknown;
} | null;
export type LiveCrossAppAccessResourceApp = {
  status?: string;
  [k: string]: unknown;
} | null;
export type CompleteConnection = LiveConnection & {
  enabled_clients?: LiveConnectionEnabledClients[];
  [k: string]: unknown;
};
/**
 * Section of the embedded tenant's seed.
 */
export type SeededConnections = CompleteConnection[];
/**
 * Where users come from. Databases (strategy auth0), and social, enterprise and passwordless providers.
 */
export type ConnectionsSection = DeclaredConnection[];

/**
 * Connection enabled clients as the service returns it; other fields are tolerated.
 */
export interface LiveConnectionEnabledClients {
  client_id: string;
  [k: string]: unknown;
}
export interface ConnectionEnabledClientsPage {
  clients: LiveConnectionEnabledClients[];
  next?: string;
  [k: string]: unknown;
}
export interface ConnectionEnabledClientsQuery {
  take?: number;
  from?: string;
}
/**
 * At most 10 keys.
 */
export interface Metadata {
  [k: string]: string;
}
export interface Authentication {
  /**
   * Whether users can log in with it.
   */
  active: boolean;
}
export interface ConnectedAccounts {
  active: boolean;
  cross_app_access?: boolean;
  allow_missing_user_id?: boolean;
}
export interface CrossAppAccessRequestingApp {
  active: boolean;
}
/**
 * A declared connection, identified by name.
 */
export interface DeclaredConnection {
  name: Name;
  strategy?: Strategy;
  display_name?: DisplayName;
  is_domain_connection?: IsDomainConnection;
  show_as_button?: ShowAsButton;
  realms?: Realms;
  metadata?: Metadata;
  authentication?: Authentication;
  connected_accounts?: ConnectedAccounts;
  cross_app_access_requesting_app?: CrossAppAccessRequestingApp;
  cross_app_access_resource_app?: CrossAppAccessResourceApp;
  options?: Options;
  /**
   * The applications whose users can log in with this connection, by name. Those that are not listed are removed.
   */
  enabled_clients?: ClientId[];
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface SentCrossAppAccessResourceApp {
  status: 'enabled' | 'disabled';
}
export interface CreateConnectionBody {
  name: Name;
  strategy: Strategy;
  display_name?: DisplayName;
  is_domain_connection?: IsDomainConnection;
  show_as_button?: ShowAsButton;
  realms?: Realms;
  metadata?: Metadata;
  authentication?: Authentication;
  connected_accounts?: ConnectedAccounts;
  cross_app_access_requesting_app?: CrossAppAccessRequestingApp;
  cross_app_access_resource_app?: SentCrossAppAccessResourceApp;
  options?: {
    [k: string]: unknown;
  };
  enabled_clients?: unknown;
}
export interface UpdateConnectionBody {
  display_name?: DisplayName;
  is_domain_connection?: IsDomainConnection;
  show_as_button?: ShowAsButton;
  realms?: Realms;
  metadata?: Metadata;
  authentication?: Authentication;
  connected_accounts?: ConnectedAccounts;
  cross_app_access_requesting_app?: CrossAppAccessRequestingApp;
  cross_app_access_resource_app?: CrossAppAccessResourceApp;
  options?: Options;
  enabled_clients?: unknown;
}
export interface LiveAuthentication {
  active?: boolean;
  [k: string]: unknown;
}
export interface LiveConnectedAccounts {
  active?: boolean;
  cross_app_access?: boolean;
  allow_missing_user_id?: boolean;
  [k: string]: unknown;
}
export interface LiveCrossAppAccessRequestingApp {
  active?: boolean;
  [k: string]: unknown;
}
/**
 * Connection as the service returns it; other fields are tolerated.
 */
export interface LiveConnection {
  id: string;
  name?: string;
  strategy?: string;
  display_name?: string;
  is_domain_connection?: IsDomainConnection;
  show_as_button?: ShowAsButton;
  realms?: Realms;
  metadata?: {
    [k: string]: string;
  };
  authentication?: LiveAuthentication;
  connected_accounts?: LiveConnectedAccounts;
  cross_app_access_requesting_app?: LiveCrossAppAccessRequestingApp;
  cross_app_access_resource_app?: LiveCrossAppAccessResourceApp;
  options?: Options;
  enabled_clients?: unknown;
  provisioning_ticket_url?: string | null;
  [k: string]: unknown;
}
export interface ConnectionPage {
  connections: LiveConnection[];
  next?: string;
  [k: string]: unknown;
}
export interface ConnectionQuery {
  strategy?: Strategy[];
  name?: Name;
  include_totals?: 'true' | 'false';
  include_fields?: 'true' | 'false';
  take?: number;
  from?: string;
}
export interface ConnectionParams {
  id: string;
}
