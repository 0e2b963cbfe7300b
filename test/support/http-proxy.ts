import { createServer, request as requestHttp } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface ProxyOptions {
  /** The port on loopback of each host that it knows. */
  readonly targets?: Readonly<Record<string, number>>;
  /** `USER:PASSWORD` that it requires. */
  readonly user?: string;
  /** What it responds in place of what was requested, as it is written to the connection; '' for silence. */
  readonly response?: string;
  /** Its own certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** An http proxy on loopback, for tunnels and for requests that name their target. Ends after the test. */
export async function startHttpProxy({ targets = {}, user, response, tls }: ProxyOptions = {}) {
  /** The first line of each request. */
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const required = user && `Basic ${Buffer.from(user).toString('base64')}`;
  const refusal = (authorization: string | undefined): string | undefined =>
    required !== undefined && authorization !== required
      ? 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n'
      : response;
  const server = tls === undefined ? createServer() : createSecureServer(tls);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    requests.push(`CONNECT ${url}`);
    const refused = refusal(headers['proxy-authorization']);
    if (refused !== undefined) return void (refused !== '' && client.end(refused));
    const port = targets[url.replace(/:443$/, '')];
    if (port === undefined) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const target = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    sockets.add(target);
    target
      .on('error', () => client.destroy())
      .pipe(client)
      .pipe(target);
  });
  server.on('request', (incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    requests.push(`${method} ${url}`);
    const refused = refusal(headers['proxy-authorization']);
    if (refused !== undefined) return void (refused !== '' && incoming.socket.end(refused));
    const { host, pathname, search } = new URL(url);
    const { 'proxy-authorization': _own, ...rest } = headers;
    const sent = requestHttp(
      { host: '127.0.0.1', port: targets[host], method, path: pathname + search, headers: rest },
      (got) => got.pipe(outgoing.writeHead(got.statusCode ?? 502, got.headers)),
    );
    incoming.pipe(sent.on('error', () => outgoing.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http${tls === undefined ? '' : 's'}://${user === undefined ? '' : `${user}@`}${host}`,
    requests,
  };
}
