import type { WriteConnection } from '../../model/client.ts';
import type { GetOperation, Operation } from '../../model/operation.ts';
import { type BeforeSending, inDoubt, notAttempted, notReadAgain, type PerformedAction } from '../../model/outcome.ts';
import type { Action } from '../../model/plan.generated.ts';
import { memberOf } from '../../values/json-pointer.ts';
import type { TenantReader } from '../read/tenant-reader.ts';
import { retryPolicies } from '../retry/retry-policy.ts';
import { authorizedRetries } from '../retry/send-authorized.ts';
import type { Retries, SendResult } from '../retry/send-with-retries.ts';
import { ServiceError } from '../service-error.ts';
import type { Session } from '../session.ts';
import { explainResult } from '../transport/describe-response.ts';
import { type Exchange, hadNoToken } from '../transport/exchange.ts';
import { parseJson } from '../transport/parse-json.ts';
import { shownMessage } from '../transport/shown-message.ts';
import type { WriteTransport } from '../transport/write-transport.ts';
import { classifyOutcome } from './classify-outcome.ts';
import {
  fillSecrets,
  plannedOperation,
  readingFor,
  type SecretOf,
  valuesSentBack,
  withValues,
} from './planned-request.ts';

type AsRead = NonNullable<Parameters<WriteConnection['perform']>[3]>;

interface Sending {
  readonly send: Retries;
  /** The result of `before` that ended it, or null. */
  ended(): PerformedAction | null;
}

/** Sends exactly what the plan printed, with its secrets and what it sends back in place. */
export function actionPerformer(
  session: Session,
  transport: WriteTransport,
  operations: readonly Operation[],
  secretOf: SecretOf,
  getComplete: TenantReader['getComplete'],
): Pick<WriteConnection, 'perform' | 'mayResend'> {
  const hideSecret: SecretOf = (env) => {
    const secret = secretOf(env);
    if (secret !== undefined) session.sanitizer.hide(secret);
    return secret;
  };
  /** Requests whose next try is due, and that need a read before it. */
  const paused = new Map<string, { readonly sending: Sending; readonly tries: number }>();

  /** An item as it is now, with secrets; or why it could not be read. */
  const readComplete = (reading: GetOperation, path: string) =>
    getComplete(reading, path).catch((error: unknown) => {
      if (session.signal.aborted) return { ok: false, why: { message: 'interrupted' } } as const;
      if (error instanceof ServiceError) return { ok: false, why: error } as const;
      throw error;
    });

  const startSending = (
    action: Action,
    operation: Operation,
    before: BeforeSending | undefined,
    isStillReady: (() => boolean) | undefined,
    asRead: AsRead = () => null,
  ): Sending | { readonly unset: readonly string[] } => {
    const { request } = action;
    const filled = fillSecrets(request, hideSecret);
    if ('unset' in filled) return filled;
    let sent = filled.request;
    const reading = request.live === undefined ? null : readingFor(operation, operations);
    const path = session.basePath + request.path;
    let ended: PerformedAction | null = null;
    const isOpen = (result: PerformedAction | null) => {
      ended = result;
      return result === null;
    };
    const sendBack = async (item: GetOperation): Promise<PerformedAction | null> => {
      const read = await readComplete(item, request.path);
      if (!read.ok) return notReadAgain(action, read.why.message);
      const changed = asRead(read.value.read);
      if (changed !== null) return changed;
      const values = valuesSentBack(request, read.value.complete);
      for (const { value } of values) session.sanitizer.hideTexts(value);
      sent = { ...filled.request, body: withValues(filled.request.body, values) };
      return null;
    };
    const ready = () => {
      const result = before?.() ?? null;
      if (reading !== null)
        return Promise.resolve(result).then(async (early) => isOpen(early ?? (await sendBack(reading))));
      return result instanceof Promise ? result.then(isOpen) : isOpen(result);
    };
    const send = (token: string) => transport.send(sent, path, token, isStillReady);
    // An add may replace an entire list, which another client may have changed after a response was lost.
    const policy = retryPolicies[action.action === 'add' ? 'POST' : operation.method];
    return { send: authorizedRetries(session, operation, policy, send, ready), ended: () => ended };
  };

  return {
    async perform(action, before, isStillReady, asRead) {
      const { id, request } = action;
      const operation = plannedOperation(request, operations);
      const shown = shownMessage(session, request);
      const earlier = paused.get(id);
      paused.delete(id);
      const sending = earlier?.sending ?? startSending(action, operation, before, isStillReady, asRead);
      if ('unset' in sending) {
        const { unset } = sending;
        return notAttempted(
          action,
          `${unset.join(', ')} ${unset.length === 1 ? 'is' : 'are'} not set; nothing was sent`,
        );
      }
      const result = await sending.send();
      const ended = sending.ended();
      if (ended !== null) {
        const performed = endedAfter(ended, result);
        if (ended.waits && performed.outcome !== 'not_attempted') paused.set(id, { sending, tries: result.tries });
        return performed;
      }
      if (result.stop.reason === 'needs_read') paused.set(id, { sending, tries: result.tries });
      const created = createdId(operation, operations, result.last);
      const classified = {
        ...classifyOutcome(operation, request, result, shown),
        id,
        ...(created !== null && { created }),
      };
      const wasSent =
        earlier === undefined ||
        (result.tries > earlier.tries && (result.last.responded || !hadNoToken(result.last.failure)));
      // A read did not show the earlier tries, and nothing was sent since.
      return wasSent
        ? classified
        : { ...classified, outcome: 'unknown', message: explainResult(result, shown) + inDoubt };
    },
    mayResend: (id) => paused.has(id),
  };
}

/** The id of what a request to a collection has created: it is in the field that identifies the items of the list. */
function createdId({ method, path }: Operation, operations: readonly Operation[], exchange: Exchange): string | null {
  const list = operations.find((one) => one.path === path && one.paging !== undefined);
  const field = list?.paging?.identity[0] ?? 'id';
  // Elements of an item that have ids are created like items.
  const isCreate = path.split('/').length === 2 || (method === 'POST' && field === 'id');
  const hasBody = isCreate && exchange.responded && exchange.response.status < 300;
  const parsed = hasBody ? parseJson(exchange.response.body.bytes) : null;
  const id = parsed?.ok ? memberOf(parsed.value, field) : null;
  return typeof id === 'string' ? id : null;
}

/** What ends an action before a further try of its request, with what the earlier tries leave. */
function endedAfter(ended: PerformedAction, result: SendResult): PerformedAction {
  if (ended.outcome === 'done') return ended;
  // There is no further try, but an earlier one may have been carried out: then the change may be its own.
  if (result.ambiguous) return { ...ended, outcome: 'unknown', message: `${ended.message}${inDoubt}` };
  if (ended.outcome !== 'not_attempted' || !result.last.responded) return ended;
  // It was sent and refused.
  const { status } = result.last.response;
  return { ...ended, outcome: 'failed', status, message: `status ${status}; ${ended.message}` };
}
