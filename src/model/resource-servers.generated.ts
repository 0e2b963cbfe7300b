// Generated from schemas/resource-servers.schema.json by npm run generate.

/**
 * The APIs that exist on the embedded tenant, with their permissions. Without this list every API and every permission exists.
 */
export type SeededResourceServers = SeededResourceServer[];

export interface SeededResourceServer {
  identifier: string;
  name?: string;
  scopes: SeededScope[];
}
export interface SeededScope {
  value: string;
  description?: string;
}
