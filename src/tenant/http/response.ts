import { STATUS_CODES } from 'node:http';

/** An answer before it is bytes, so that the own-answer check and the faults can look into it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; absent for an empty body. */
  readonly body?: unknown;
  /** Anything else than JSON. */
  readonly text?: string;
}

export interface ErrorFields {
  readonly errorCode?: string;
  readonly attributes?: object;
}

/** The error shape of the API: assumed, for the service specification does not show it (7). */
export function errorReply(
  status: number,
  message: string,
  fields: ErrorFields = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, body: { statusCode: status, error: STATUS_CODES[status] ?? 'Error', message, ...fields } };
}

export function toResponse(reply: Reply): Response {
  const headers = new Headers(reply.headers);
  if (reply.body !== undefined) headers.set('Content-Type', 'application/json; charset=utf-8');
  const text = reply.body === undefined ? (reply.text ?? null) : JSON.stringify(reply.body);
  return new Response(text, { status: reply.status, headers });
}
