/** A proxy on loopback in front of a tenant, which also responds to what only the peer asks for. */
export function startProxy(tenantOrigin: string): Promise<{
  readonly origin: string;
  readonly seen: readonly { readonly method: string; readonly path: string }[];
  close(): Promise<void>;
}>;
