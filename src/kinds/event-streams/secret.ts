/**
 * The secret of a webhook. The tenant accepts it and never returns it (public facts 4.3), so it can be sent but never
 * compared. Files have a reference to it, `${env:NAME}`; so do the bodies of a plan, and only apply reads the
 * environment.
 */
import type { DeclaredSecret } from '../../differ/decide-secrets.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { DeclaredDestination, DeclaredWebhookAuthorization } from '../../service/event-streams/types.generated.ts';

/** The secret field of each method (public facts 4.3). */
export const secretFields = { basic: 'password', bearer: 'token', custom_header: 'header_value' } as const;

/** Null if the files declare none. */
export function declaredSecret(destination: DeclaredDestination): DeclaredSecret | null {
  const authorization = destination.type === 'webhook' ? destination.configuration.webhook_authorization : undefined;
  const reference = authorization === undefined ? undefined : referenceOf(authorization);
  if (authorization === undefined || reference === undefined) return null;
  const field = secretFields[authorization.method];
  return {
    field,
    place: { pointer: `/destination/configuration/webhook_authorization/${field}`, env: variableOf(reference) },
  };
}

/** The fields of an authorization that can be compared. */
export function comparableAuthorization(authorization: DeclaredWebhookAuthorization): Readonly<Record<string, string>> {
  const secret = secretFields[authorization.method];
  return Object.fromEntries(Object.entries(authorization).filter(([name]) => name !== secret));
}

function referenceOf(authorization: DeclaredWebhookAuthorization): string | undefined {
  switch (authorization.method) {
    case 'basic':
      return authorization.password;
    case 'bearer':
      return authorization.token;
    case 'custom_header':
      return authorization.header_value;
  }
}

/** `${env:TENANT_VAR_CRM_PASSWORD}` is TENANT_VAR_CRM_PASSWORD. The schema accepts nothing else, and a plan must never contain a secret. */
function variableOf(reference: string): string {
  const name = /^\$\{env:(\w+)\}$/.exec(reference)?.[1];
  if (name === undefined) throw new InternalError('a secret of an event stream is not a reference to the environment');
  return name;
}
