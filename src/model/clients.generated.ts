// Generated from schemas/clients.schema.json by npm run generate.

/**
 * Section of the embedded tenant's seed: clients to which it issues tokens.
 */
export type SeededClients = SeededClient[];

export interface SeededClient {
  client_id: string;
  client_secret: string;
  /**
   * Scopes that its tokens carry.
   */
  scopes: string[];
  /**
   * If false, every request with a token of this client returns 401 (service specification 7). Default: true.
   */
  global?: boolean;
}
