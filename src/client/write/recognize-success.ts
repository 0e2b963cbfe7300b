import { readValue } from '../../contract/read-value.ts';
import type { Operation } from '../../model/operation.ts';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import type { HttpResponse } from '../transport/exchange.ts';
import { parseJson } from '../transport/parse-json.ts';

/** The service's own success with its JSON, undefined for an empty body; or why the response may be another's. */
export type Recognized = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** What the service specification does not show (4.2, 4.3, 4.4), as its operations may return it (ADR 19). */
const documentedStatuses = [200, 201, 204];

/**
 * Whether a 2xx is the operation's own success, by status and shape. A proxy, a login page and a queue also respond
 * with 2xx, and none of them shows that anything was carried out.
 *
 *   DELETE (documented)    200, 201 or 204, without a body or with JSON that reports no error
 *   POST, PATCH (public)   the status of the row, and the stored item
 *   DELETE (public)        the status of the row, without a body
 */
export function recognizeSuccess(
  { api, response: shape, success }: Operation,
  { body: sent }: PlannedRequest,
  { status, body }: HttpResponse,
): Recognized {
  const statuses = api === 'documented' ? documentedStatuses : [success];
  if (!statuses.includes(status)) return doubt(`the operation succeeds with ${statuses.join(', ')}`);
  if (body.error !== null) return doubt('the body is not complete');
  if (body.bytes.length === 0) {
    return api === 'documented' || shape === undefined ? { ok: true, value: undefined } : doubt('the body is empty');
  }
  if (api === 'full' && shape === undefined) return doubt('the operation returns no body');
  const parsed = parseJson(body.bytes);
  if (!parsed.ok) return doubt(parsed.why);
  const { value } = parsed;
  if (typeof value !== 'object' || value === null) return doubt('the body is neither an object nor a list');
  const reported = [value].flat().find((item) => errorFieldOf(item, sent) !== undefined);
  if (reported !== undefined) return doubt(`the body has the field ${errorFieldOf(reported, sent)}`);
  if (api === 'documented' || shape === undefined) return parsed;
  const read = readValue(shape, value);
  return read.ok
    ? { ok: true, value: read.value }
    : doubt(`the body violates ${read.error?.schemaPath} of ${shape.schema}`);
}

const doubt = (why: string): Recognized => ({ ok: false, why });

/** Fields that report an error, in bodies of the service and of what may be in front of it. */
const errorFields = ['error', 'errors', 'statusCode', 'errorCode', 'error_code', 'error_description'];

/** A field that was sent is content: a prompt may have a screen of this name. */
function errorFieldOf(value: unknown, sent: PlannedRequest['body'] = {}): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return errorFields.find((field) => Object.hasOwn(value, field) && !Object.hasOwn(sent, field));
}
