/**
 * The tenant on a loopback socket. A page in a browser can reach loopback too: a Host header with any other name is refused, which
 * stops DNS rebinding, and no answer carries a CORS header.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { getRequestListener } from '@hono/node-server';
import { loopbackNames } from './auth/tenant-origins.ts';
import { sendReply } from './faults/send-reply.ts';
import { prepareTenant } from './prepare-tenant.ts';
import { TenantSetupError } from './setup-error.ts';
import type { Tenant } from './tenant.ts';
import type { TenantOptions } from './tenant-options.ts';

export interface ServedTenant {
  readonly origin: string;
  /** Ends in /api/v2. */
  readonly baseUrl: string;
  readonly tenant: Tenant;
  /** Closes every connection; resolves when every change is stored. */
  close(): Promise<void>;
}

/** Port 0 or none: any free port. Throws a TenantSetupError, also when the port is taken. */
export async function serveTenant(options: TenantOptions & { readonly port?: number }): Promise<ServedTenant> {
  const assemble = await prepareTenant(options);
  const server = createServer();
  const tenant = assemble(await listen(server, options.port ?? 0));
  // Bindings are typed for HTTP/2 as well, which createServer never gives.
  const listener = getRequestListener(
    async (request, bindings) => sendReply(await tenant.answer(request), (bindings as HttpBindings).outgoing),
    {
      overrideGlobalObjects: false,
    },
  );
  server.on('request', (incoming, outgoing) =>
    isLoopbackName(incoming) ? listener(incoming, outgoing) : refuseName(outgoing),
  );
  return { origin: tenant.origin, baseUrl: tenant.baseUrl, tenant, close: () => close(server, tenant) };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new TenantSetupError(
      [{ code: 'OPTION_INVALID', severity: 'error', message: `port ${port} cannot be listened on: ${code}.` }],
      { cause },
    );
  }
  return (server.address() as AddressInfo).port; // an address with a port, as it listens on one
}

async function close(server: Server, tenant: Tenant): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  await tenant.settled();
}

function isLoopbackName({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  return loopbackNames.some((candidate) => candidate === name);
}

function refuseName(outgoing: ServerResponse): void {
  outgoing
    .writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    .end('This server answers to loopback names only.\n');
}
