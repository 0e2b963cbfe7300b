// Stands between a client and PostgreSQL, on loopback.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { onTestFinished } from 'vitest';

/** A proxy that can swallow everything, as a network does that is gone, or cut all connections. Ends after the test. */
export async function startDatabaseProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let swallows = false;
  const server = createServer((client) => {
    const backend = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => swallows || to.write(data));
      from.on('error', () => {});
      from.on('close', () => swallows || to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href,
    swallow: () => {
      swallows = true;
    },
    cut,
  };
}

export interface PoolerOptions {
  /** How many sessions of the server it has. */
  readonly size: number;
  /** Which free session a transaction gets: the one that was used last, as PgBouncer does by default, or the next one. */
  readonly order: 'last' | 'next';
}

/** A pooler that gives each transaction a session of its own. Ends after the test. */
export async function startPooler(url: string, { size, order }: PoolerOptions): Promise<string> {
  const clients = await Promise.all(Array.from({ length: size }, () => new pg.Client({ connectionString: url })));
  await Promise.all(clients.map((client) => client.connect()));
  const free = clients.map(socketOf);
  const backends = [...free];
  const waiting: ((backend: Socket) => void)[] = [];
  const take = async (): Promise<Socket> =>
    (order === 'last' ? free.pop() : free.shift()) ?? new Promise<Socket>((resolve) => waiting.push(resolve));
  const give = (backend: Socket) => {
    const next = waiting.shift();
    if (next === undefined) free.push(backend);
    else next(backend);
  };
  const server = createServer((client) => {
    onTestFinished(() => void client.destroy());
    client.on('error', () => {});
    client.once('data', () => {
      // The server has authenticated the sessions already: to the client, everything is ready.
      client.write(message('R', [0, 0, 0, 0]));
      client.write(message('K', [0, 0, 0, 1, 0, 0, 0, 1]));
      client.write(message('Z', [...Buffer.from('I')]));
      serveTransactions(client, take, give);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of backends) socket.destroy();
    server.close();
  });
  return Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href;
}

function serveTransactions(client: Socket, take: () => Promise<Socket>, give: (backend: Socket) => void): void {
  let backend: Promise<Socket> | null = null;
  client.on('data', (data) => {
    if (data[0] === 'X'.charCodeAt(0)) return;
    backend ??= take().then((taken) => {
      let rest = Buffer.alloc(0);
      const onData = (part: Buffer) => {
        client.write(part);
        rest = Buffer.concat([rest, part]);
        while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
          const end = rest.readInt32BE(1) + 1;
          const isIdle = rest[0] === 'Z'.charCodeAt(0) && rest[5] === 'I'.charCodeAt(0);
          rest = rest.subarray(end);
          if (!isIdle) continue;
          taken.off('data', onData);
          backend = null;
          give(taken);
        }
      };
      return taken.on('data', onData);
    });
    void backend.then((taken) => taken.write(data));
  });
}

/** The connection of a client that nothing else reads any more. */
function socketOf(client: pg.Client): Socket {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  client.on('error', () => {});
  return stream.removeAllListeners('data').resume();
}

function message(type: string, body: readonly number[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}
