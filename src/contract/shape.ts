import type { ReadShape, Shape, Validate } from '../model/operation.ts';

/**
 * Names the type of a compiled schema. The compiled code is untyped; this is the one place that declares what it
 * accepts, and the type is generated from the same schema.
 */
export function shape<T>(schema: string, validate: unknown): Shape<T> {
  return { schema, validate: validate as Validate<T> };
}

/** The same for what is read from the service. */
export function readShape<T>(
  schema: string,
  validate: unknown,
  { exact, tolerant }: { readonly exact: unknown; readonly tolerant: unknown },
): ReadShape<T> {
  return { ...shape<T>(schema, validate), exact: exact as Validate<T>, tolerant: tolerant as Validate<T> };
}
