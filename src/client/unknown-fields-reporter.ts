import type { ClientEvent } from '../model/client.ts';
import type { GetOperation, ListOperation } from '../model/operation.ts';
import { type KnownFields, knownFields } from './known-fields.ts';

/**
 * Fields of an answer that its schema does not name, for the debug level: the service can do something new. A field that is
 * not known is named once and not entered.
 *
 *   eventStreams[].destination.region    for  { "eventStreams": [{ …, "destination": { "type": …, "region": … } }] }
 *
 * The schema's text is read when the first page arrives, and only at that level, so that nobody else waits for the disk.
 */
export function unknownFieldsReporter(
  emit: (event: ClientEvent) => void,
): (operation: ListOperation | GetOperation, page: unknown) => Promise<void> {
  const schemas = new Map<string, Promise<KnownFields>>();
  const reported = new Set<string>();
  return async ({ id, answer }, page) => {
    const schema = schemas.get(answer.schema) ?? knownFields(answer.schema);
    schemas.set(answer.schema, schema);
    const fields = [...unknownFields(await schema, page)].filter((field) => !reported.has(`${id} ${field}`));
    for (const field of fields) reported.add(`${id} ${field}`);
    if (fields.length > 0) emit({ type: 'unknown_fields', operation: id, fields });
  };
}

function unknownFields(schema: KnownFields, value: unknown, path = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value) && schema.items !== null) {
    for (const item of value) unknownFields(schema.items, item, `${path}[]`, found);
  } else if (value !== null && typeof value === 'object' && !Array.isArray(value) && schema.fields !== null) {
    for (const [name, below] of Object.entries(value)) {
      const field = path === '' ? name : `${path}.${name}`;
      const known = schema.fields.get(name);
      if (known === undefined) found.add(field);
      else unknownFields(known, below, field, found);
    }
  }
  return found;
}
