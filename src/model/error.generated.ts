// Generated from schemas/error.schema.json by npm run generate.

/**
 * Body of an error response. The service specification (7) does not show it; assumed from public facts.
 */
export interface ServiceError {
  statusCode: number;
  /**
   * The reason phrase.
   */
  error: string;
  message?: string;
  errorCode?: string;
  attributes?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
