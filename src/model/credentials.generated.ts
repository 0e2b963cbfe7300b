// Generated from schemas/credentials.schema.json by npm run generate.

/**
 * Section of the embedded tenant's seed: clients to which it issues tokens.
 */
export type SeededClients = SeededClient[];

export interface SeededClient {
  client_id: string;
  /**
   * Default: the id.
   */
  name?: string;
  client_secret?: string;
  /**
   * Public keys in PEM, instead of the secret: the client signs assertions with the private key of one of them.
   *
   * @minItems 1
   */
  public_keys?: string[];
  /**
   * Scopes that its tokens carry.
   */
  scopes: string[];
  /**
   * If false, every request with a token of this client returns 401 (service specification 7). Default: true.
   */
  global?: boolean;
}
