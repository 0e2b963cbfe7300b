// Generated from schemas/token.schema.json by npm run generate.

/**
 * Answer of the token endpoint, client credentials flow (service specification 5).
 */
export interface TokenAnswer {
  access_token: string;
  token_type: string;
  /**
   * Seconds.
   */
  expires_in?: number;
  /**
   * Granted scopes, separated by spaces.
   */
  scope?: string;
  [k: string]: unknown;
}
export interface TokenRequest {
  grant_type: 'client_credentials';
  client_id: string;
  client_secret: string;
  audience: string;
}
/**
 * The token endpoint has an error shape of its own.
 */
export interface TokenError {
  error: string;
  error_description?: string;
  [k: string]: unknown;
}
