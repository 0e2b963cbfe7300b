import { tried } from './tried.ts';

/** The value of a JSON text; undefined, which JSON has not, for any other text. An error of the parser would quote it. */
export function parsedJson(text: string): unknown {
  return tried(() => JSON.parse(text) as unknown);
}
