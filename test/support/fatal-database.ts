// Speaks enough of the protocol of PostgreSQL to refuse, and keeps every connection open. No real server does that.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** When the fatal error comes: in place of a session, as the response to the first statement, or without one after it. */
export type FatalMoment = 'connecting' | 'statement' | 'idle';

/** Ends after the test. `closed` resolves when the client has closed its connection. */
export async function startFatalDatabase(moment: FatalMoment, severity = 'FATAL', code = '57P01') {
  const sockets = new Set<Socket>();
  let onClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  const fatal = message('E', `S${severity}\0C${code}\0Mterminating connection\0\0`);
  const ready = message('Z', 'I');
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', onClosed)
      .on('end', onClosed);
    socket.once('data', () => {
      if (moment === 'connecting') return socket.write(fatal);
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), ready]));
      socket.once('data', () => {
        const done = Buffer.concat([message('C', 'SELECT 0\0'), ready]);
        socket.write(moment === 'statement' ? fatal : Buffer.concat([done, fatal]));
      });
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/state`, closed };
}

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}
