import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A server on loopback that injects faults. Each request is recorded, and the script decides the response.
 *
 *   startFaultServer([{ status: 503 }, { body: '{"a":1}' }])      one response after the other, the last one repeated
 *   startFaultServer((request) => ({ body: request.path }))       computed
 */
export interface FaultServer {
  readonly url: string;
  /** `url` and /api/v2. */
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** Connections accepted so far. */
  connections(): number;
  /** Bytes received, over all connections. */
  bytesReceived(): number;
  /** Bytes sent, over all connections. */
  bytesSent(): number;
  close(): Promise<void>;
}

export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status?: number;
  /** `date: null` leaves the Date header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Anything but text and bytes is sent as JSON. */
  readonly body?: unknown;
  readonly fault?: Fault;
}

export type Fault =
  /** Reset before a byte is sent. */
  | { readonly type: 'reset' }
  /** Never respond. */
  | { readonly type: 'silence' }
  /** Announce the whole body, send this many bytes of it, and reset or end the connection. */
  | { readonly type: 'cut'; readonly bytes: number; readonly how: 'reset' | 'end' }
  /** Send the body as if the first bytes were all of it. */
  | { readonly type: 'short'; readonly bytes: number }
  /** One byte of the body after another. */
  | { readonly type: 'drip'; readonly everyMs: number }
  /** A body without an end. */
  | { readonly type: 'endless' };

export type Script =
  | readonly ScriptedAnswer[]
  | ((request: RecordedRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

export async function startFaultServer(script: Script): Promise<FaultServer> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await record(incoming);
    requests.push(request);
    send(outgoing, await next(script, request, requests.length - 1));
  };
  // A request that ends early gets no response.
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing).catch(() => outgoing.destroy()));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sum = (count: (socket: Socket) => number) => [...sockets].reduce((total, socket) => total + count(socket), 0);
  return {
    url,
    baseUrl: `${url}/api/v2`,
    requests,
    connections: () => sockets.size,
    bytesReceived: () => sum((socket) => socket.bytesRead),
    bytesSent: () => sum((socket) => socket.bytesWritten),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

async function next(script: Script, request: RecordedRequest, index: number): Promise<ScriptedAnswer> {
  if (typeof script === 'function') return script(request, index);
  const answer = script[Math.min(index, script.length - 1)];
  if (answer === undefined) throw new Error('an empty script');
  return answer;
}

function send(outgoing: ServerResponse, answer: ScriptedAnswer): void {
  const { status = 200, headers = {}, fault } = answer;
  if (fault?.type === 'silence') return;
  if (fault?.type === 'reset') {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  const body = bytesOf(answer.body);
  outgoing.sendDate = headers['date'] !== null;
  outgoing.statusCode = status;
  outgoing.setHeader('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) if (value !== null) outgoing.setHeader(name, value);
  if (fault === undefined) outgoing.end(body);
  else sendFaulty(outgoing, body, fault);
}

function sendFaulty(outgoing: ServerResponse, body: Buffer, fault: Fault): void {
  if (fault.type === 'short') outgoing.end(body.subarray(0, fault.bytes));
  if (fault.type === 'cut') sendCut(outgoing, body, fault);
  if (fault.type === 'drip') drip(outgoing, body, fault.everyMs);
  if (fault.type === 'endless') flood(outgoing, body);
}

function sendCut(outgoing: ServerResponse, body: Buffer, { bytes, how }: Fault & { type: 'cut' }): void {
  outgoing.setHeader('content-length', body.length);
  outgoing.flushHeaders();
  outgoing.write(body.subarray(0, bytes), () => {
    if (how === 'reset') outgoing.socket?.resetAndDestroy();
    else outgoing.socket?.end();
  });
}

function drip(outgoing: ServerResponse, body: Buffer, everyMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    outgoing.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= body.length) outgoing.end();
  }, everyMs);
  outgoing.on('close', () => clearInterval(timer));
}

function flood(outgoing: ServerResponse, body: Buffer): void {
  outgoing.on('error', () => {});
  const pour = () => {
    while (!outgoing.destroyed && outgoing.write(body));
  };
  outgoing.on('drain', pour);
  pour();
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
