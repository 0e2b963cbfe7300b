import type { Source } from '../model/diagnostic.ts';

/** `policies.yaml:3:5`: a place that editors and terminals can open. */
export function formatSource({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}
