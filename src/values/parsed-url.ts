import { tried } from './tried.ts';

/**
 * The URL of a text; null if it is none. Once they are optimized, URL.canParse of Node 20 and 22 refuses every text with letters
 * such as ü (docs/internals/adr/0050-urls-are-parsed.md).
 */
export function parsedUrl(text: string, base?: string): URL | null {
  return tried(() => new URL(text, base)) ?? null;
}
