import type { Socket } from 'node:net';

/**
 * A server may send responses with a status of 1xx before the final one, and a client ignores them (RFC 9110, 15.2).
 * The HTTP library does, except for 100 (Continue), which it takes for an error. So on its way to the library, a 100
 * becomes a 102, which is ignored.
 */
export function ignoreContinue(socket: Socket): void {
  const { read, write } = socket;
  const responses = openInterimResponses();
  socket.read = (...args) => {
    const chunk: unknown = Reflect.apply(read, socket, args);
    if (Buffer.isBuffer(chunk)) responses.received(chunk);
    return chunk;
  };
  socket.write = (...args: unknown[]) => {
    responses.sent();
    return Reflect.apply(write, socket, args) as boolean;
  };
}

const interim = Buffer.from('HTTP/1.1 10');
const endOfHead = Buffer.from('\r\n\r\n');

/**
 * Finds the heads of interim responses in what is received after a request, wherever the chunks are cut, and changes a
 * 100 in place. The rest, from the head of the final response on, is not looked at.
 */
export function openInterimResponses() {
  /** What the next byte belongs to: a status line, the rest of an interim head, or the final response. */
  let part: 'status' | 'head' | 'final' = 'status';
  /** Bytes that match `interim`, or `endOfHead`. */
  let matched = 0;

  const readStatus = (chunk: Buffer, at: number): void => {
    if (matched === interim.length) {
      if (chunk[at] === 0x30) chunk[at] = 0x32;
      part = 'head';
      matched = 0;
    } else if (chunk[at] === interim[matched]) matched += 1;
    else part = 'final';
  };
  const readHead = (chunk: Buffer, at: number): void => {
    if (chunk[at] === endOfHead[matched]) matched += 1;
    else matched = chunk[at] === endOfHead[0] ? 1 : 0;
    if (matched < endOfHead.length) return;
    part = 'status';
    matched = 0;
  };
  return {
    /** A request is sent only after the response to the one before it is complete. */
    sent(): void {
      if (part !== 'final') return;
      part = 'status';
      matched = 0;
    },
    received(chunk: Buffer): void {
      for (let at = 0; at < chunk.length && part !== 'final'; at += 1)
        if (part === 'status') readStatus(chunk, at);
        else readHead(chunk, at);
    },
  };
}
