import { decodeQuery } from '../../contract/query.ts';
import type { Operation, Shape } from '../../model/operation.ts';
import type { TenantRequest } from '../../model/tenant-resource.ts';
import { describeFault, tellingFaults } from './describe-violation.ts';
import { decodeBody, encodingOf, readBodyText } from './read-body.ts';
import type { Reply } from './response.ts';
import { errorReply } from './response.ts';

/** A request judged by its operation's row: accepted, or the answer that refuses it. `body` is what was decoded, accepted or not. */
export type ReadRequest =
  | { readonly request: TenantRequest; readonly body?: unknown }
  | { readonly refusal: Reply; readonly body?: unknown };

/** Judges the path, then the query, then the body; the first part with a fault is told. */
export async function readRequest(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  raw: Request,
): Promise<ReadRequest> {
  const query = decodeQuery(operation, new URL(raw.url).searchParams);
  if (!query.ok)
    return { refusal: queryRefusal(`'Parameter given more than once' on property ${query.repeated.slice(0, 100)}`) };
  const body = await readBody(operation, raw);
  const decoded = 'value' in body ? { body: body.value } : {};
  const refusal = pathRefusal(operation, params) ?? queryFault(operation, query.value) ?? bodyRefusal(operation, body);
  return refusal === null
    ? { request: { params, query: query.value, body: decoded.body }, ...decoded }
    : { refusal, ...decoded };
}

function pathRefusal(operation: Operation, params: Readonly<Record<string, string>>): Reply | null {
  const fault = firstFault(operation.params, params);
  return fault === null ? null : errorReply(400, `Path validation error: ${fault}.`, { errorCode: 'invalid_uri' });
}

function queryFault(operation: Operation, query: Readonly<Record<string, unknown>>): Reply | null {
  const [unknownKey] = operation.query === undefined ? Object.keys(query) : [];
  if (unknownKey !== undefined) return queryRefusal(`'Additional properties not allowed: ${unknownKey.slice(0, 100)}'`);
  const fault = firstFault(operation.query, query);
  return fault === null ? null : queryRefusal(fault);
}

function queryRefusal(fault: string): Reply {
  return errorReply(400, `Query validation error: ${fault}.`, { errorCode: 'invalid_query_string' });
}

type ReadBody =
  | { readonly value: unknown }
  | { readonly fault: string }
  | { readonly tooLarge: true }
  | { readonly empty: true };

async function readBody(operation: Operation, raw: Request): Promise<ReadBody> {
  // The adapter hides the body of a GET, so its headers are asked first.
  if (operation.body === undefined && announcesBody(raw.headers)) return { fault: 'No body is allowed' };
  const body = await readBodyText(raw);
  if (body.found === 'too_large') return { tooLarge: true };
  if (body.found === 'none') return { empty: true };
  if (operation.body === undefined) return { fault: 'No body is allowed' };
  if (body.found === 'not_utf8') return { fault: 'The body is not UTF-8' };
  const encoding = encodingOf(raw.headers.get('content-type'), operation.body.encodings);
  if (encoding === null) return { fault: `Content-Type must be one of: ${operation.body.encodings.join(', ')}` };
  return decodeBody(body.text, encoding) ?? { fault: `The body is not well-formed ${encoding}` };
}

function announcesBody(headers: Headers): boolean {
  return Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
}

function bodyRefusal(operation: Operation, body: ReadBody): Reply | null {
  if ('tooLarge' in body) return errorReply(413, 'The body is larger than 1 MB.', { errorCode: 'payload_too_large' });
  const fault = bodyFault(operation, body);
  return fault === null ? null : errorReply(400, `Payload validation error: ${fault}.`, { errorCode: 'invalid_body' });
}

function bodyFault(operation: Operation, body: Exclude<ReadBody, { tooLarge: true }>): string | null {
  if ('fault' in body) return `'${body.fault}'`;
  if ('empty' in body) return operation.body === undefined ? null : "'Missing body'";
  return firstFault(operation.body, body.value);
}

function firstFault(shape: Shape<unknown> | undefined, value: unknown): string | null {
  if (shape === undefined || shape.validate(value)) return null;
  const [fault] = tellingFaults(shape.validate.errors ?? []);
  return fault === undefined ? `'Value breaks ${shape.schema}'` : describeFault(fault, value);
}
