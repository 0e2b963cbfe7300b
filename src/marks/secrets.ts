import type { DeclaredSecret } from '../differ/decide-secrets.ts';
import type { Field, Fields } from '../model/field.ts';
import { InternalError } from '../model/internal-error.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { membersOf } from './members.ts';

/**
 * The references to secrets in an item, or in the body of a request. The tenant accepts them and never returns them, so
 * they can be sent but never compared. Only apply reads the environment.
 */
export function secretsIn(fields: Fields, value: object, path: readonly (string | number)[] = []): DeclaredSecret[] {
  return Object.entries(value).flatMap(([name, child]) => {
    const field = fields[name];
    return field === undefined ? [] : secretsOf(field, child, [...path, name]);
  });
}

function secretsOf(field: Field, value: unknown, path: readonly (string | number)[]): DeclaredSecret[] {
  if (field.secret)
    return [{ field: String(path.at(-1)), place: { pointer: jsonPointer(...path), env: variableOf(value) } }];
  if (Array.isArray(value)) return value.flatMap((one, index) => secretsOf(field.items ?? {}, one, [...path, index]));
  return isRecord(value) ? secretsIn(membersOf(field, value), value, path) : [];
}

/** `${env:TENANT_VAR_CRM_PASSWORD}` is TENANT_VAR_CRM_PASSWORD. The schema accepts nothing else, and a plan must never contain a secret. */
function variableOf(reference: unknown): string {
  const name = /^\$\{env:(\w+)\}$/.exec(String(reference))?.[1];
  if (name === undefined) throw new InternalError('a secret is not a reference to the environment');
  return name;
}
