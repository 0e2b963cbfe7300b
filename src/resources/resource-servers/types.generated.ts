// Generated from schemas/resource-servers.schema.json by npm run generate.

/**
 * Section of the embedded tenant's seed. Without this section, every API and every permission exists.
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
