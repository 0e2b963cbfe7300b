import type { DeclaredSecret } from '../differ/decide-secrets.ts';
import type { Fields } from '../model/field.ts';
import { InternalError } from '../model/internal-error.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { valuesIn } from './members.ts';

/**
 * The references to secrets in an item, or in the body of a request. The tenant accepts them and never returns them, so
 * they can be sent but never compared. Only apply reads the environment.
 */
export function secretsIn(fields: Fields, item: object): DeclaredSecret[] {
  return valuesIn(fields, item)
    .filter(({ field }) => field.secret === true)
    .map(({ value, path }) => ({
      field: String(path.at(-1)),
      place: { pointer: jsonPointer(...path), env: variableOf(value) },
    }));
}

/** `${env:TENANT_VAR_CRM_PASSWORD}` is TENANT_VAR_CRM_PASSWORD. The schema accepts nothing else, and a plan must never contain a secret. */
function variableOf(reference: unknown): string {
  const name = /^\$\{env:(\w+)\}$/.exec(String(reference))?.[1];
  if (name === undefined) throw new InternalError('a secret is not a reference to the environment');
  return name;
}
