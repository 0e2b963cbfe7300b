import type { TokenError, TokenRequest, TokenResponse } from '../model/token.generated.ts';
import { shape } from './shape.ts';
import { validateError, validateRequest, validateToken } from './token.generated.ts';

/**
 * The token endpoint, beside the base URL and not below it (service specification 5). The path has a trailing slash in
 * the specification and none in the public facts, and the audience is a bare path or the base URL: all are supported.
 */
export const tokenEndpoint = {
  method: 'POST',
  paths: ['/oauth/token/', '/oauth/token'],
  bareAudience: '/api/v2/',
  assertionType: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  request: shape<TokenRequest>('token.schema.json#/$defs/request', validateRequest),
  response: shape<TokenResponse>('token.schema.json', validateToken),
  error: shape<TokenError>('token.schema.json#/$defs/error', validateError),
} as const;
