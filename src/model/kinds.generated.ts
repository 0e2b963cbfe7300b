// Generated from schemas/kinds.schema.json by npm run generate.

/**
 * The kinds of resources.
 */
export type KindName = 'event_streams' | 'prompts' | 'rate_limit_policies' | 'resource_servers' | 'roles';
