import type { PlannedRequest } from '../model/plan.generated.ts';

/** The value of an environment variable that holds a secret; undefined when it is not set. */
export type SecretOf = (env: string) => string | undefined;

/** The request with its secrets in place; or the variables that are not set. The plan's own request keeps the references. */
export function fillSecrets(
  request: PlannedRequest,
  secretOf: SecretOf,
): { readonly request: PlannedRequest } | { readonly unset: readonly string[] } {
  const { secrets = [], body } = request;
  if (secrets.length === 0) return { request };
  const unset = secrets.map(({ env }) => env).filter((env) => !secretOf(env));
  if (unset.length > 0) return { unset };
  const filled = structuredClone(body ?? {});
  for (const { pointer, env } of secrets) putAt(filled, pointer, secretOf(env) ?? '');
  return { request: { ...request, body: filled } };
}

/** Kinds write these pointers for their own bodies; names in them need no escapes. */
function putAt(body: Record<string, unknown>, pointer: string, secret: string): void {
  const steps = pointer.split('/').slice(1);
  const last = steps.pop() ?? '';
  let object = body;
  for (const step of steps) object = object[step] as Record<string, unknown>;
  object[last] = secret;
}
