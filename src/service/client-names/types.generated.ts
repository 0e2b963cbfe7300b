// Generated from schemas/client-names.schema.json by npm run generate.

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
  include_fields?: 'true' | 'false';
}
/**
 * A client, which policies are about. Other fields are tolerated; its secret is not named here, so it is never read.
 */
export interface LiveClient {
  client_id?: string;
  name?: string | null;
  [k: string]: unknown;
}
