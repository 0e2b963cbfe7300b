/**
 * The tenant on a loopback socket. A web page can reach loopback too, so any other Host header is refused, which
 * prevents DNS rebinding, and no response has a CORS header.
 */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { loopbackNames } from './auth/authenticate.ts';
import { prepareTenant, type Tenant } from './create-tenant.ts';
import { respondOnSocket } from './faults/inject-fault.ts';
import { type TenantOptions, TenantSetupError } from './tenant-options.ts';

export type ServedTenant = Awaited<ReturnType<typeof serveTenant>>;

export interface SocketOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
}

/** Throws a TenantSetupError, for example if the port is in use. */
export async function serveTenant(options: TenantOptions & SocketOptions) {
  const assemble = await prepareTenant(options);
  const server = createServer();
  const tenant = assemble(await listen(server, options.port ?? 0));
  // The bindings are also typed for HTTP/2, which createServer does not use.
  const listener = getRequestListener(
    async (request, bindings) => respondOnSocket(await tenant.respond(request), (bindings as HttpBindings).outgoing),
    { overrideGlobalObjects: false },
  );
  server.on('request', (incoming, outgoing) => {
    if (isLoopbackName(incoming.headers.host)) void listener(incoming, outgoing);
    else refuseName(outgoing);
  });
  const { origin, baseUrl } = tenant;
  /** Closes every connection; resolves when every change is stored. */
  return { origin, baseUrl, tenant, close: () => close(server, tenant) };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    const message =
      code === 'EADDRINUSE' ? `Port ${port} is already in use.` : `Cannot listen on port ${port}: ${code}.`;
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

function isLoopbackName(host = ''): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '');
  return loopbackNames.some((candidate) => candidate === name);
}

function refuseName(outgoing: ServerResponse): void {
  outgoing
    .writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    .end('This server accepts loopback host names only.\n');
}
