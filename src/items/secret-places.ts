// Where items and requests have references to secrets. Only apply reads the environment.
import type { DeclaredSecret } from '../differ/decide-secrets.ts';
import type { Field, Fields, Forms } from '../model/field.ts';
import { InternalError } from '../model/internal-error.ts';
import type { SecretPlace } from '../model/plan.generated.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { hasField, valuesIn } from './members.ts';

/** The references to secrets in an item. The tenant accepts them, and most are never returned. */
export function secretsIn(fields: Fields, item: object, around = item): DeclaredSecret[] {
  return valuesIn(fields, item, [], around)
    .filter(({ field }) => field.secret !== undefined)
    .map(({ value, path, field: { secret } }) => ({
      field: String(path.at(-1)),
      isReturned: secret !== 'hidden',
      place: { pointer: jsonPointer(...path), env: variableOf(value) },
    }));
}

/** `${env:TENANT_VAR_CRM_PASSWORD}` is TENANT_VAR_CRM_PASSWORD. The schema accepts nothing else, and a plan must never contain a secret. */
function variableOf(reference: unknown): string {
  const name = /^\$\{env:(\w+)\}$/.exec(String(reference))?.[1];
  if (name === undefined) throw new InternalError('a secret is not a reference to the environment');
  return name;
}

/**
 * The references to secrets in the body of a request. `live`: the item as it is, null for a new one; it names the forms of
 * objects that the body does not name. A reference that is not found would be sent, and stored, as a text.
 */
export function secretPlaces(fields: Fields, body: object, desired: object, live: object | null): SecretPlace[] {
  const item = Object.entries({ ...live, ...desired });
  const around = Object.fromEntries(item.map(([name, value]) => [fields[name]?.wire ?? name, value]));
  const places = secretsIn(onWire(fields), body, around).map(({ place }) => place);
  const text = JSON.stringify(body);
  for (const { place } of secretsIn(fields, desired)) {
    const found = text.split(`"\${env:${place.env}}"`).length - 1;
    if (found > places.filter(({ env }) => env === place.env).length)
      throw new InternalError(`a request has a reference to ${place.env} as a text`);
  }
  return places;
}

/** Fields by their names on the service, at every depth. */
export const onWire = memoizedByObject((fields: Fields): Fields => {
  const isRenamed = Object.values(fields).some((field) => hasField(field, ({ wire }) => wire !== undefined));
  if (!isRenamed) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [field.wire ?? name, wireField(field, fields)]),
  );
});

function wireField({ fields, forms, items, map, ...field }: Field, beside: Fields): Field {
  return {
    ...field,
    ...(fields && { fields: onWire(fields) }),
    ...(items && { items: wireField(items, {}) }),
    ...(map && { map: wireField(map, {}) }),
    ...(forms && { forms: wireForms(forms, beside) }),
  };
}

function wireForms(forms: Forms, around: Fields): Forms {
  const of = Object.fromEntries(Object.entries(forms.of).map(([form, fields]) => [form, onWire(fields)]));
  const [inForm] = Object.values(forms.of);
  return { ...forms, by: (forms.beside ? around : inForm)?.[forms.by]?.wire ?? forms.by, of };
}
