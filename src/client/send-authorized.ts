import type { Operation } from '../model/operation.ts';
import type { Exchange } from './exchange.ts';
import type { Session } from './open-session.ts';
import type { RetryRule } from './retry-rules.ts';
import { type Attempt, type Sent, startTries, type Tries } from './send-with-retries.ts';
import { ServiceError } from './service-error.ts';

/** A request of the API, until it has come to an end: see authorizedTries. */
export function sendAuthorized(
  session: Session,
  operation: Operation,
  rule: RetryRule,
  send: (token: string) => Promise<Exchange>,
): Promise<Sent> {
  return authorizedTries(session, operation, rule, send).go();
}

/**
 * A request of the API with a token, through the gate. A token can end in the middle of a run, so a 401 gets one more token and
 * one more try; a 401 for that one as well is the answer.
 */
export function authorizedTries(
  session: Session,
  { id, quota = '' }: Operation,
  rule: RetryRule,
  send: (token: string) => Promise<Exchange>,
): Tries<Attempt> {
  const gated = { operation: id, group: quota };
  const sendGated = (token: string) => session.gate.pass(gated, () => send(token));
  let renewed = false;
  const once = async (): Promise<Attempt> => {
    const token = await session.tokens.current();
    if (!token.ok) return { answered: false, noToken: token.error };
    const exchange = await sendGated(token.token);
    if (renewed || !exchange.answered || exchange.answer.status !== 401) return exchange;
    renewed = true;
    const next = await session.tokens.renew(token.token);
    if (next === null) return exchange;
    if (next.ok) return sendGated(next.token);
    // Stopped while asking: then the refusal is what there is to say of this request.
    return next.error instanceof ServiceError ? { answered: false, noToken: next.error } : exchange;
  };
  return startTries(once, { ...session, operation: id, rule });
}
