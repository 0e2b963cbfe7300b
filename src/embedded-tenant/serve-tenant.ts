/**
 * The tenant on a loopback socket. A web page can reach loopback too, so any other Host header is refused, which
 * prevents DNS rebinding, and no response has a CORS header.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { loopbackNames } from './auth/authenticate.ts';
import { prepareTenant, type Tenant } from './create-tenant.ts';
import { respondOnSocket } from './faults/inject-fault.ts';
import { type TenantOptions, TenantSetupError } from './tenant-options.ts';

export interface ServedTenant {
  readonly origin: string;
  /** Ends in /api/v2. */
  readonly baseUrl: string;
  readonly tenant: Tenant;
  /** Closes every connection; resolves when every change is stored. */
  close(): Promise<void>;
}

export interface SocketOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** How long a client may take to send a request, from its first byte to its last, in milliseconds. */
  readonly requestTimeoutMs?: number;
}

/** Throws a TenantSetupError, for example if the port is in use. */
export async function serveTenant(options: TenantOptions & SocketOptions): Promise<ServedTenant> {
  const assemble = await prepareTenant(options);
  const { requestTimeoutMs = 30_000 } = options;
  // Node closes the connection with a 408. It looks for slow requests at an interval.
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
  });
  const tenant = assemble(await listen(server, options.port ?? 0));
  // The bindings are also typed for HTTP/2, which createServer does not use.
  const listener = getRequestListener(
    async (request, bindings) => respondOnSocket(await tenant.respond(request), (bindings as HttpBindings).outgoing),
    {
      overrideGlobalObjects: false,
    },
  );
  server.on('request', (incoming, outgoing) => {
    const status = refusedName(incoming);
    if (status === null) void listener(incoming, outgoing);
    else refuseName(outgoing, status);
  });
  return { origin: tenant.origin, baseUrl: tenant.baseUrl, tenant, close: () => close(server, tenant) };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    const message = `Cannot listen on port ${port}: ${code}.`;
    const hint = 'choose another port; 0 is any free port';
    throw new TenantSetupError([{ code: 'OPTION_INVALID', severity: 'error', message, hint }], { cause });
  }
  return (server.address() as AddressInfo).port; // a server on a port has an address with a port
}

async function close(server: Server, tenant: Tenant): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  await tenant.stored();
}

/**
 * The status that refuses the Host header, or null. 400 for none, an empty one, or two (RFC 9112, 3.2; RFC 9110, 4.2.1);
 * 421 for a name that is not a loopback name.
 */
function refusedName({ headers, rawHeaders }: IncomingMessage): 400 | 421 | null {
  const name = (headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
  const given = rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === 'host');
  if (name === '' || given.length > 1) return 400;
  return loopbackNames.some((candidate) => candidate === name) ? null : 421;
}

function refuseName(outgoing: ServerResponse, status: 400 | 421): void {
  const message =
    status === 400
      ? 'The Host header must name this server once.\n'
      : 'This server accepts loopback host names only.\n';
  outgoing.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(message);
}
