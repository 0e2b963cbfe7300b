import type { TokenError, TokenRequest, TokenResponse } from '../model/token.generated.ts';
import { shape } from './shape.ts';
import { validateError, validateRequest, validateToken } from './token.generated.ts';

/**
 * The token endpoint, beside the base URL and not below it (service specification 5). The specification writes the path with a
 * last slash; public facts write it without, so both are known.
 */
export const tokenEndpoint = {
  method: 'POST',
  paths: ['/oauth/token/', '/oauth/token'],
  request: shape<TokenRequest>('token.schema.json#/$defs/request', validateRequest),
  response: shape<TokenResponse>('token.schema.json', validateToken),
  error: shape<TokenError>('token.schema.json#/$defs/error', validateError),
} as const;
