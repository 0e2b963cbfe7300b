/** Injects connection faults, in process and on a socket. */
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ConnectionFault } from './inject-fault.ts';

/** A response, and the connection fault to inject. With a fault, the response is what would have been sent. */
export interface TenantResponse {
  readonly response: Response;
  readonly connectionFault: ConnectionFault | null;
}

/**
 * In process, a connection fault looks like one of fetch: a rejection, a body that ends in an error, or an endless
 * wait.
 */
export async function respondInProcess(
  { response, connectionFault }: TenantResponse,
  signal: AbortSignal,
): Promise<Response> {
  switch (connectionFault) {
    case null:
      return response;
    case 'reset':
      throw connectionReset();
    case 'hang':
      return untilAborted(signal);
    case 'cut':
      return new Response(halfOf(new Uint8Array(await response.arrayBuffer())), {
        status: response.status,
        headers: response.headers,
      });
  }
}

function connectionReset(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function halfOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(connectionReset());
      else controller.enqueue(bytes.slice(0, bytes.length / 2));
      sent = true;
    },
  });
}

/** On a socket, the fault happens here, and the HTTP adapter has nothing left to send. */
export async function respondOnSocket(
  { response, connectionFault }: TenantResponse,
  outgoing: ServerResponse,
): Promise<Response> {
  if (connectionFault === null) return response;
  if (connectionFault === 'reset') outgoing.socket?.resetAndDestroy();
  if (connectionFault === 'cut') await cut(response, outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** Sends all headers and half of the body, then closes the connection. */
async function cut(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length === 0) {
    outgoing.socket?.destroy();
    return;
  }
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'Content-Length': body.length });
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroy());
}
