// Generated from schemas/kinds.schema.json by npm run generate.

/**
 * The kinds of resources.
 */
export type KindName =
  | 'attack_protection'
  | 'client_grants'
  | 'clients'
  | 'connections'
  | 'event_streams'
  | 'prompts'
  | 'rate_limit_policies'
  | 'resource_servers'
  | 'roles';
