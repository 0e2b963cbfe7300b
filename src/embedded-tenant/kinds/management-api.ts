import { tokenEndpoint } from '../../contract/token-endpoint.ts';

/** The audience of the management API as it is stored: after a restart, a tenant may have another port. */
export const managementApi: string = tokenEndpoint.bareAudience;

export function storedAudience(audience: unknown, baseUrl: string): unknown {
  return audience === `${baseUrl}/` ? managementApi : audience;
}

export function shownAudience(audience: unknown, baseUrl: string): unknown {
  return audience === managementApi ? `${baseUrl}/` : audience;
}
