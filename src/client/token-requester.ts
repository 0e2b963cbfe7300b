import { tokenEndpoint } from '../contract/token-endpoint.ts';
import type { TokenAnswer, TokenRequest } from '../model/token.generated.ts';
import { describeAnswer } from './describe-answer.ts';
import { describeFaults } from './describe-faults.ts';
import type { Answer, Exchange } from './exchange.ts';
import { explainSent } from './explain-sent.ts';
import type { TokenPath, TokenWire } from './open-token-wire.ts';
import { parseJson } from './parse-json.ts';
import type { QuotaGate } from './quota/quota-gate.ts';
import { retryRules } from './retry-rules.ts';
import type { SecretMask } from './secret-mask.ts';
import { type RetryTerms, type Sent, sendWithRetries } from './send-with-retries.ts';
import { ServiceError } from './service-error.ts';
import { unreachableError } from './unreachable-error.ts';

export interface TokenTerms extends Omit<RetryTerms, 'operation' | 'rule'> {
  readonly gate: QuotaGate;
  readonly wire: TokenWire;
  readonly form: TokenRequest;
  readonly mask: SecretMask;
  readonly host: string;
  reached(): boolean;
}

/**
 * Asks for a token (service specification 5). The specification writes the path with a last slash, public facts without: where
 * the first is not there, the second is asked once, and the one that worked is remembered.
 */
export function tokenRequester(terms: TokenTerms): () => Promise<TokenAnswer> {
  let known: TokenPath | null = null;
  const retry: RetryTerms = { ...terms, operation: 'token', rule: retryRules.token };
  const gated = { operation: 'token', group: '' };
  const ask = (path: TokenPath) =>
    sendWithRetries(() => terms.gate.pass(gated, () => terms.wire.post(path, terms.form)), retry);
  return async () => {
    const [first, second] = tokenEndpoint.paths;
    let path = known ?? first;
    let sent = await ask(path);
    if (known === null && isAbsent(sent)) {
      path = second;
      sent = await ask(path);
    }
    const token = readToken(sent, terms);
    known = path;
    terms.mask.hide(token.access_token);
    return token;
  };
}

function isAbsent({ last }: Sent<Exchange>): boolean {
  return last.answered && (last.answer.status === 404 || last.answer.status === 405);
}

/** Bodies of this endpoint hold secrets, so nothing of them is shown but the words of a refusal. */
function readToken(sent: Sent<Exchange>, terms: TokenTerms): TokenAnswer {
  const { last, tries } = sent;
  terms.signal.throwIfAborted();
  if (!last.answered && !terms.reached()) throw unreachableError(terms.host, last.failure, tries);
  const explained = () =>
    `the token endpoint of ${terms.host} did not answer with a token: ${explainSent(sent, terms.mask)}`;
  const hint = 'check TENANT_SYNC_AUTH_URL; run again when its token endpoint answers';
  if (!last.answered) throw new ServiceError('SERVICE_FAILED', explained(), { cause: last.failure.cause, hint });
  const { status } = last.answer;
  if (status < 300) return checkedToken(last.answer, terms);
  if (status === 429) throw new ServiceError('SERVICE_RATE_LIMITED', explained());
  if (status >= 500 || status < 400) throw new ServiceError('SERVICE_FAILED', explained(), { hint });
  throw new ServiceError(
    'SERVICE_TOKEN_REFUSED',
    `the token endpoint of ${terms.host} refused the client: ${refusal(last.answer, terms.mask)}`,
    {
      hint: 'check TENANT_SYNC_CLIENT_ID, TENANT_SYNC_CLIENT_SECRET, TENANT_SYNC_AUDIENCE and TENANT_SYNC_AUTH_URL',
    },
  );
}

function checkedToken({ body }: Answer, { host }: TokenTerms): TokenAnswer {
  const parsed = body.fault === null ? parseJson(body.bytes) : { ok: false as const, why: 'the body is too large' };
  if (parsed.ok && tokenEndpoint.answer.validate(parsed.value)) return parsed.value;
  const why = parsed.ok ? describeFaults(tokenEndpoint.answer) : parsed.why;
  throw new ServiceError(
    'CONTRACT_BROKEN',
    `the token endpoint of ${host} answered with something else than a token: ${why}`,
    {
      hint: 'check TENANT_SYNC_AUTH_URL: another service, or a page of a proxy, may be what answers there',
    },
  );
}

function refusal(answer: Answer, mask: SecretMask): string {
  const parsed = parseJson(answer.body.bytes);
  if (!parsed.ok || !tokenEndpoint.error.validate(parsed.value)) return describeAnswer(answer, mask);
  const { error, error_description: description } = parsed.value;
  return mask.clean(
    description === undefined
      ? `status ${answer.status}, ${error}`
      : `status ${answer.status}, ${error} (${description})`,
  );
}
