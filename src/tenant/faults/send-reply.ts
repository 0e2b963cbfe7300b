import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { TenantReply } from '../tenant.ts';

/** The response for the adapter to send; when the connection is to be broken, it is broken here and the adapter has nothing to send. */
export async function sendReply({ response, breakage }: TenantReply, outgoing: ServerResponse): Promise<Response> {
  if (breakage === null) return response;
  if (breakage === 'reset') outgoing.socket?.resetAndDestroy();
  if (breakage === 'cut') await cut(response, outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** All headers, half of the body that they announce, and the end of the connection. */
async function cut(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length === 0) {
    outgoing.socket?.destroy();
    return;
  }
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'Content-Length': body.length });
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroy());
}
