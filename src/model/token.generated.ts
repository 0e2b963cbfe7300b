// Generated from schemas/token.schema.json by npm run generate.

/**
 * Response of the token endpoint, client credentials flow (service specification 5).
 */
export interface TokenResponse {
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
  client_secret?: string;
  /**
   * JSON Web Token (RFC 7523), instead of the secret.
   */
  client_assertion?: string;
  client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  audience: string;
}
/**
 * Error response of the token endpoint, in the format of OAuth 2.0.
 */
export interface TokenError {
  error: string;
  error_description?: string;
  [k: string]: unknown;
}
