import type { Shape, Validate } from '../model/operation.ts';

/**
 * Names the type of a compiled schema. The compiled code is untyped; this is the one place that declares what it
 * accepts, and the type is generated from the same schema.
 */
export function shape<T>(schema: string, validate: unknown): Shape<T> {
  return { schema, validate: validate as Validate<T> };
}
