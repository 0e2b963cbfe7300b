import { ForgeError } from './forge.ts';

/** Reads fields of responses whose shape is not proven. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

/** An id or a number, which every object of a forge has. */
export function numberField(value: unknown, name: string): number {
  const found = field(value, name);
  if (typeof found === 'number' && Number.isSafeInteger(found)) return found;
  throw new ForgeError(`A response of the forge has no number "${name}".`);
}
