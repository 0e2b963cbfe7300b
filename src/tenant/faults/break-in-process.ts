import type { TenantReply } from '../tenant.ts';

/** A broken connection without a socket, as fetch would tell it: a rejection, a body that ends in an error, or nothing for ever. */
export async function breakInProcess({ response, breakage }: TenantReply, signal: AbortSignal): Promise<Response> {
  switch (breakage) {
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
