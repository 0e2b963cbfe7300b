/** The names under which a tenant on loopback can be reached; the first is the one it calls itself. */
export const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

export interface TenantOrigins {
  readonly origin: string;
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audiences: readonly string[];
}

export function originsOf(port: number): TenantOrigins {
  const [origin = '', ...others] = loopbackNames.map((name) => new URL(`http://${name}:${port}`).origin);
  return {
    origin,
    baseUrl: `${origin}/api/v2`,
    issuer: `${origin}/`,
    audiences: [origin, ...others].map((each) => `${each}/api/v2/`),
  };
}
