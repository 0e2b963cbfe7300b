// Generated from schemas/clients.schema.json by npm run generate.

/**
 * Clients to which the embedded tenant issues tokens.
 */
export type SeededClients = SeededClient[];

export interface SeededClient {
  client_id: string;
  client_secret: string;
  scopes: string[];
  /**
   * A client that is not global is answered 401 (service specification 7). Default: true.
   */
  global?: boolean;
}
