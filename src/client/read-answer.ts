import type { GetOperation, ListOperation } from '../model/operation.ts';
import type { NotRead } from '../model/reader.ts';
import { absentOperation } from './absent-operation.ts';
import { messageOf } from './describe-answer.ts';
import type { AnswerBody } from './exchange.ts';
import { explainSent } from './explain-sent.ts';
import { forbidden, incomplete } from './not-read.ts';
import type { Session } from './open-session.ts';
import { parseJson } from './parse-json.ts';
import type { Sent } from './send-with-retries.ts';
import { unauthorizedError } from './unauthorized-error.ts';
import { unreachableError } from './unreachable-error.ts';

/** JSON that came with the row's success status, not judged yet. */
export interface RawAnswer {
  readonly ok: true;
  readonly value: unknown;
}

/**
 * Judges what came of a read. Throws what ends a run: no token, no host, the caller's signal. `where` names the part that was
 * asked for, such as `page 3: `, or is empty.
 */
export function readAnswer(
  session: Session,
  operation: GetOperation | ListOperation,
  where: string,
  sent: Sent,
): RawAnswer | NotRead {
  const { last } = sent;
  session.signal.throwIfAborted();
  if ('noToken' in last) throw last.noToken;
  if (!last.answered && !session.reached()) throw unreachableError(session.host, last.failure, sent.tries);
  const status = last.answered ? last.answer.status : null;
  if (last.answered && status === operation.success) return parseBody(session, operation, where, last.answer.body);
  if (status === 401) throw unauthorizedError(session.host, explainSent(sent, session.mask));
  const said = last.answered ? messageOf(last.answer, session.mask) : null;
  const why = where + explainSent(sent, session.mask);
  if (status === 403) return forbidden(operation, why, said);
  return incomplete(operation, why + absentOperation(operation, status, said), { status, said });
}

function parseBody(
  { limits }: Session,
  operation: GetOperation | ListOperation,
  where: string,
  { bytes, fault }: AnswerBody,
): RawAnswer | NotRead {
  if (fault !== null) return incomplete(operation, `${where}the answer is larger than ${limits.maxAnswerBytes} bytes`);
  const parsed = parseJson(bytes);
  return parsed.ok ? { ok: true, value: parsed.value } : incomplete(operation, where + parsed.why);
}
