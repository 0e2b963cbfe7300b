/**
 * Client credentials flow (service specification 5). Errors have the format of OAuth 2.0, not that of the API. Unknown
 * parameters are ignored, as OAuth requires. The audience is the base URL with a slash, or the bare path that the
 * specification shows.
 */
import { SignJWT } from 'jose';
import { tokenEndpoint } from '../../contract/token-endpoint.ts';
import type { TokenRequest } from '../../model/token.generated.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { readBody } from '../http/read-body.ts';
import type { ServiceResponse } from '../http/response.ts';
import { checkResponseBody } from '../http/response.ts';
import type { TokenClient } from '../kinds/token-clients.ts';
import type { TokenContext } from './authenticate.ts';
import { acceptsAssertion } from './verify-assertion.ts';

const encodings = ['application/x-www-form-urlencoded', 'application/json'] as const;
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export async function issueToken(context: TokenContext, raw: Request): Promise<ServiceResponse> {
  const request = await readTokenRequest(raw);
  if ('status' in request) return request;
  const client = context.client(request.client_id);
  const { client_secret: secret, client_assertion: assertion } = request;
  const isAuthentic =
    assertion === undefined
      ? client?.secret === secret && secret !== undefined
      : client !== undefined && (await acceptsAssertion(context, client, assertion));
  if (client === undefined || !isAuthentic) return refusal(401, 'access_denied', 'Unauthorized');
  const audience =
    request.audience === tokenEndpoint.bareAudience
      ? context.origins.audiences[0]
      : context.origins.audiences.find((each) => each === request.audience);
  if (audience === undefined) return refusal(403, 'access_denied', 'Client is not authorized to access this audience');
  if (!client.grantTypes.includes('client_credentials'))
    return refusal(403, 'unauthorized_client', "Grant type 'client_credentials' not allowed for the client.");
  if (client.scopes === null) return refusal(403, 'access_denied', withoutGrant(audience));
  const scope = client.scopes.join(' ');
  const access_token = await sign(context, client, audience, scope);
  const body = { access_token, scope, expires_in: context.tokenLifetime, token_type: 'Bearer' };
  checkResponseBody(tokenEndpoint.response, body);
  return { status: 200, headers: noStore, body };
}

/** A valid request, or the response that refuses it. */
async function readTokenRequest(raw: Request): Promise<TokenRequest | ServiceResponse> {
  const body = await readBody(raw, encodings);
  if ('status' in body && body.status !== 400) return refusal(body.status, 'invalid_request', body.why);
  if (!('value' in body))
    return refusal(400, 'invalid_request', `A body is needed, in one of: ${encodings.join(', ')}`);
  const known = knownParameters(body.value);
  const wrong = Object.keys(known).find((name) => typeof known[name] !== 'string' || known[name] === '');
  if (wrong !== undefined) return refusal(400, 'invalid_request', `Missing or invalid parameter: ${wrong}`);
  if ((known['client_assertion_type'] ?? tokenEndpoint.assertionType) !== tokenEndpoint.assertionType)
    return refusal(400, 'invalid_request', `client_assertion_type must be ${tokenEndpoint.assertionType}`);
  if ('client_assertion' in known && memberOf(body.value, 'client_secret') !== undefined)
    return refusal(400, 'invalid_request', 'client_secret and client_assertion cannot be sent together');
  return tokenEndpoint.request.validate(known)
    ? known
    : refusal(400, 'unsupported_grant_type', 'grant_type must be client_credentials');
}

/** The parameters that a request needs, present or not, with those of one way to authenticate (RFC 6749, 2.3). */
function knownParameters(value: unknown): Readonly<Record<string, unknown>> {
  const assertion = ['client_assertion', 'client_assertion_type'];
  const proof = assertion.some((name) => memberOf(value, name) !== undefined) ? assertion : ['client_secret'];
  const names = ['grant_type', 'client_id', ...proof, 'audience'];
  return Object.fromEntries(names.map((name) => [name, memberOf(value, name)]));
}

function withoutGrant(audience: string): string {
  return `Client is not authorized to access "${audience}". You need to create a "client-grant" associated to this API.`;
}

function refusal(status: number, error: string, error_description: string): ServiceResponse {
  return { status, headers: noStore, body: { error, error_description } };
}

async function sign(context: TokenContext, client: TokenClient, audience: string, scope: string): Promise<string> {
  const issuedAt = Math.floor(context.clock.now() / 1000);
  return new SignJWT({ azp: client.client_id, gty: 'client-credentials', scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(context.origins.issuer)
    .setSubject(`${client.client_id}@clients`)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + context.tokenLifetime)
    .sign(context.keys.privateKey);
}
