import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/client/system-clock.ts';
import { openInterimResponses } from '../../../src/client/transport/http-client.ts';
import { listRateLimitPolicies } from '../../../src/service/rate-limit-policies/operations.ts';
import { policy, policyPage, reading, secretToken } from '../builders.ts';

const body = JSON.stringify(policyPage([{ ...policy(1), consumer_selector: 'client_id:HTTP/1.1:100' }]));
const final = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A server that responds to every request with these bytes, one piece after the other. */
async function startRawServer(pieces: readonly string[]) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true).on('error', () => {}));
    socket.on('data', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v2`,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each<[string, readonly string[]]>([
  ['a 100', ['HTTP/1.1 100 Continue\r\n\r\n', final]],
  ['a 100 in the same packet', [`HTTP/1.1 100 Continue\r\n\r\n${final}`]],
  ['a 100 that is cut', ['HTTP/1.1 1', '00 Continue\r', '\n\r', '\n', final]],
  ['several', ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', final]],
  ['a 102 and a 199', ['HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 199 Later\r\n\r\n', final]],
])('%s before the response is ignored, on every request of a connection', async (_name, pieces) => {
  await using server = await startRawServer(pieces);
  const options = { baseUrl: server.baseUrl, credentials: { token: secretToken }, clock: systemClock };
  await reading(options, async ({ reader }) => {
    for (let request = 0; request < 3; request += 1)
      expect(await reader.list(listRateLimitPolicies, {})).toMatchObject({ ok: true, items: [{ id: 'rlp_1' }] });
  });
  expect(server.connections()).toBe(1);
});

test('only heads of interim responses are changed, wherever the chunks are cut', () => {
  const text = `HTTP/1.1 100 A\r\nx: HTTP/1.1 100\r\n\r\nHTTP/1.1 100 B\r\n\r\nHTTP/1.1 200 C\r\n\r\nHTTP/1.1 100 D\r\n\r\n`;
  const expected = text.replace('100 A', '102 A').replace('100 B', '102 B');
  for (let size = 1; size <= text.length; size += 1) {
    const responses = openInterimResponses();
    responses.sent();
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_empty, index) =>
      Buffer.from(text.slice(index * size, (index + 1) * size)),
    );
    for (const chunk of chunks) responses.received(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(expected);
  }
});
