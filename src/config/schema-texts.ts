import { readFileSync } from 'node:fs';

export type SchemaText = Readonly<Record<string, unknown>>;

const texts = new Map<string, SchemaText>();

/** A schema as text, by its id. Read only to explain a fault: judging needs the compiled form alone. */
export function schemaText(id: string): SchemaText {
  const known = texts.get(id);
  if (known !== undefined) return known;
  const text = JSON.parse(readFileSync(new URL(`../../schemas/${id}`, import.meta.url), 'utf8')) as SchemaText;
  texts.set(id, text);
  return text;
}
