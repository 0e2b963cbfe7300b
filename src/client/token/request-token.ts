import { tokenEndpoint } from '../../contract/token-endpoint.ts';
import type { TokenRequest, TokenResponse } from '../../model/token.generated.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { withoutFinal } from '../../values/line-ends.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { retryPolicies } from '../retry/retry-policy.ts';
import { openRetries, type RetryOptions, type SendResult } from '../retry/send-with-retries.ts';
import { afterProxy, ServiceError, unreachableError } from '../service-error.ts';
import { describeResponse, describeSchemaError, explainResult } from '../transport/describe-response.ts';
import { type Exchange, type HttpResponse, requireCompleteBody } from '../transport/exchange.ts';
import { pageIn, whyNotJson } from '../transport/page.ts';
import { parseJson } from '../transport/parse-json.ts';
import type { TransportOptions } from '../transport/read-transport.ts';
import type { Sanitizer } from '../transport/sanitizer.ts';
import { closedMessage } from '../transport/shown-message.ts';
import type { ClientAuthentication } from './client-authentication.ts';

export interface TokenOptions extends Omit<RetryOptions, 'operation' | 'policy'> {
  readonly limiter: RateLimiter;
  readonly transport: Pick<ReturnType<typeof openTokenTransport>, 'post'>;
  readonly authentication: ClientAuthentication;
  readonly audiences: readonly string[];
  readonly sanitizer: Sanitizer;
  readonly host: string;
  reached(): boolean;
}

/**
 * Requests a token (service specification 5). The specification writes the path with a trailing slash, public facts
 * without: when the first path does not exist, the second is tried once. So is a second audience when the first is
 * refused. What worked is remembered.
 */
export function tokenRequester(options: TokenOptions): () => Promise<TokenResponse> {
  let paths: readonly TokenPath[] = tokenEndpoint.paths;
  let { audiences } = options;
  const retry: RetryOptions = { ...options, operation: 'token', policy: retryPolicies.token };
  const limited = { operation: 'token', group: '' };
  const post = (path: TokenPath, audience: string) => {
    const send = async () => options.transport.post(path, { ...(await options.authentication.form()), audience });
    return openRetries(() => options.limiter.run(limited, send), retry)();
  };
  return async () => {
    let [path, audience] = [paths[0] ?? tokenEndpoint.paths[0], audiences[0] ?? ''];
    let result = await post(path, audience);
    if (paths[1] !== undefined && isMissing(result)) {
      path = paths[1];
      result = await post(path, audience);
    }
    if (audiences[1] !== undefined && refusesAudience(result)) {
      audience = audiences[1];
      result = await post(path, audience);
    }
    const token = readToken(result, { ...options, audiences });
    paths = [path];
    audiences = [audience];
    options.sanitizer.hide(token.access_token);
    return token;
  };
}

function isMissing({ last }: SendResult): boolean {
  return last.responded && (last.response.status === 404 || last.response.status === 405);
}

/**
 * By status and code: that of RFC 8707, or of an invalid parameter. `access_denied` with 403 is an audience that the
 * client may not have; with 401, a wrong client or secret (public facts 5), which no other audience corrects.
 */
function refusesAudience({ last }: SendResult): boolean {
  const refusal = last.responded ? `${last.response.status} ${shown(last.response)}` : '';
  return /^(?:40[013] invalid_(?:target|request)|403 access_denied)$/.test(refusal);
}

/** Responses of this endpoint have secrets: their own, and those of the request. */
const shown = closedMessage({});

function readToken(result: SendResult, options: TokenOptions): TokenResponse {
  const { last, tries } = result;
  options.signal.throwIfAborted();
  if (!last.responded && !options.reached()) throw unreachableError(options.host, last.failure, tries);
  const explained = () => `The token endpoint of ${options.host} returned no token: ${explainResult(result, shown)}`;
  const hint = 'check TENANT_SYNC_AUTH_URL, and rerun when its token endpoint responds';
  const client = 'check TENANT_SYNC_CLIENT_ID, TENANT_SYNC_CLIENT_SECRET or the private key, TENANT_SYNC_AUTH_URL';
  const rateHint = 'rerun later, or set TENANT_SYNC_TOKEN to a token that you have';
  if (!last.responded) throw new ServiceError('SERVICE_FAILED', explained(), { cause: last.failure.cause, hint });
  const { status } = last.response;
  const afterGateway = (text: string) => afterProxy(options.host, last.response, text);
  if (status < 300) return validateToken(last.response, options);
  if (status === 429) throw new ServiceError('SERVICE_RATE_LIMITED', explained(), { hint: rateHint });
  // A page is not the service's own, so it says nothing about the client.
  if (status >= 500 || status < 400 || pageIn(last.response) !== null)
    throw new ServiceError('SERVICE_FAILED', explained(), { hint: afterGateway(hint) });
  const { audiences } = options;
  const isUnknown = isUnknownAudience(last.response);
  const reason = isUnknown ? `, because the tenant has no API with the audience ${audiences.join(' or ')}` : '';
  throw new ServiceError(
    'SERVICE_TOKEN_REFUSED',
    `The token endpoint of ${options.host} refused the client: ${describeResponse(last.response, shown)}${reason}`,
    {
      hint: isUnknown
        ? audienceHint
        : afterGateway(`${client} and TENANT_SYNC_AUDIENCE, which is ${audiences.join(', or if refused ')}`),
    },
  );
}

const audienceHint =
  'set TENANT_SYNC_AUDIENCE to https://TENANT.REGION.auth0.com/api/v2/, with the domain that the tenant had before its custom domain, and a slash at the end';

/** The management API keeps the identifier that it had before the tenant got a custom domain (public facts 5). */
function isUnknownAudience({ body }: HttpResponse): boolean {
  const parsed = parseJson(body.bytes);
  return parsed.ok && /^Service not enabled within domain\b/.test(String(memberOf(parsed.value, 'error_description')));
}

function validateToken(response: HttpResponse, { host }: TokenOptions): TokenResponse {
  const { body } = response;
  const parsed = body.error === null ? parseJson(body.bytes) : { ok: false as const, why: 'the body is too large' };
  if (parsed.ok && tokenEndpoint.response.validate(parsed.value)) return parsed.value;
  const why = parsed.ok ? describeSchemaError(tokenEndpoint.response) : whyNotJson(response, parsed.why);
  throw new ServiceError('CONTRACT_BROKEN', `The token endpoint of ${host} returned no valid token: ${why}`, {
    hint: afterProxy(host, response, 'check TENANT_SYNC_AUTH_URL: another service or a proxy may be responding there'),
  });
}

type TokenPath = (typeof tokenEndpoint.paths)[number];

/** Sends token requests and nothing else, to the two paths of the token endpoint; never a bearer token. */
export function openTokenTransport({
  authUrl,
  http,
  userAgent,
  signal: ended,
}: TransportOptions & { readonly authUrl: string }) {
  const prefix = withoutFinal(new URL(authUrl).pathname, '/');
  const post = async (path: TokenPath, form: TokenRequest): Promise<Exchange> => {
    const request = {
      method: tokenEndpoint.method,
      path: prefix + path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': userAgent,
      },
      body: new URLSearchParams({ ...form }).toString(),
    };
    return requireCompleteBody(
      await http.exchange(request, (pool, signal) => pool.request({ ...request, signal }), { signal: ended }),
    );
  };
  return { post };
}
