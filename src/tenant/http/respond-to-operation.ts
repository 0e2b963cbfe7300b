/** From a request to a reply. Refusals come in this order: 401, 429, 403, 400, and then what the kind says. */
import type { Operation } from '../../model/operation.ts';
import type { TenantRequest } from '../../model/tenant-resource.ts';
import { identifyCaller } from '../auth/authenticate.ts';
import type { TokenContext } from '../auth/token-context.ts';
import { checkOwnAnswer } from './check-response.ts';
import { readRequest } from './read-request.ts';
import type { Reply } from './response.ts';
import { errorReply } from './response.ts';
import type { TakeToken } from './token-bucket.ts';

export interface AnswerContext extends TokenContext {
  /** Null when the tenant has no rate limit. */
  readonly takeToken: TakeToken | null;
}

export interface RawRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Told the decoded body, for the journal. */
  readonly onBody: (body: unknown) => void;
}

export async function answerOperation(context: AnswerContext, operation: Operation, raw: RawRequest): Promise<Reply> {
  const caller = await identifyCaller(context, raw.request.headers.get('authorization'));
  if ('refusal' in caller) return caller.refusal;
  const grant = context.takeToken?.() ?? { granted: true, headers: {} };
  const reply = grant.granted ? await answerCaller(context, operation, raw, caller.scopes) : tooManyRequests;
  return { ...reply, headers: { ...reply.headers, ...grant.headers } };
}

const tooManyRequests = errorReply(429, 'Global limit has been reached', { errorCode: 'too_many_requests' });

async function answerCaller(
  context: AnswerContext,
  operation: Operation,
  raw: RawRequest,
  scopes: ReadonlySet<string>,
): Promise<Reply> {
  if (!scopes.has(operation.scope))
    return errorReply(403, `Insufficient scope, expected any of: ${operation.scope}`, {
      errorCode: 'insufficient_scope',
    });
  const read = await readRequest(operation, raw.params, raw.request);
  if ('body' in read) raw.onBody(read.body);
  return 'refusal' in read ? read.refusal : answerAccepted(context, operation, read.request);
}

async function answerAccepted({ state }: AnswerContext, operation: Operation, request: TenantRequest): Promise<Reply> {
  const work = () => {
    const answer = state.route(operation.id).answer(request);
    checkOwnAnswer(operation, answer);
    return answer;
  };
  const answer = operation.method === 'GET' ? work() : await state.perform(work);
  if (!('message' in answer)) return { status: answer.status, headers: {}, body: answer.body };
  const { status, message, ...fields } = answer;
  return errorReply(status, message, fields);
}
