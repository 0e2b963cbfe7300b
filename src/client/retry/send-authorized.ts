import type { Operation } from '../../model/operation.ts';
import type { Ready } from '../limits/rate-limiter.ts';
import { ServiceError } from '../service-error.ts';
import type { Session } from '../session.ts';
import { type Exchange, withoutToken } from '../transport/exchange.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { openRetries, type Retries } from './send-with-retries.ts';

/**
 * A request of the API with a token, through the rate limiter. A token can expire in the middle of a run, so the first
 * 401 is followed by one try with a new token; a 401 for that token as well is the result. `ready` is called before
 * every try.
 */
export function authorizedRetries(
  session: Session,
  { id, quota = '', method, scope }: Operation,
  policy: RetryPolicy,
  send: (token: string) => Promise<Exchange>,
  ready?: Ready,
): Retries {
  const limited = { operation: id, group: quota, isRead: method === 'GET', signal: session.signal };
  const sendLimited = async (token: string) => {
    const exchange = await session.limiter.run(limited, () => send(token), ready);
    if (exchange.responded && exchange.response.status < 300) session.allowedScopes.add(scope);
    return exchange;
  };
  let renewed = false;
  const once = async (): Promise<Exchange> => {
    const token = await session.tokens.current().catch(withoutToken);
    if (typeof token !== 'string') return token;
    const exchange = await sendLimited(token);
    if (renewed || !exchange.responded || exchange.response.status !== 401) return exchange;
    renewed = true;
    const next = await session.tokens.renew(token).catch(withoutToken);
    if (typeof next === 'string') return sendLimited(next);
    // Aborted while a token was requested: then the 401 is the result of this request.
    return next?.responded === false && next.failure.cause instanceof ServiceError ? next : exchange;
  };
  return openRetries(once, { ...session, operation: id, policy });
}
