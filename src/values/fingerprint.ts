import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** `sha256:` and 64 hexadecimal digits over the canonical JSON of a value: equal for equal values, in whatever order of keys. */
export function fingerprint(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}

/** The same for an object with long lists, which are never held as one text. */
export function fingerprintLarge(value: Readonly<Record<string, unknown>>): string {
  const hash = createHash('sha256');
  let pending = '';
  // Few large updates of a hash are much faster than many small ones.
  const add = (text: string) => {
    pending += text;
    if (pending.length < 65_536) return;
    hash.update(pending);
    pending = '';
  };
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  add('{');
  for (const [index, key] of keys.sort().entries()) {
    const child = value[key];
    add(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`);
    if (!Array.isArray(child)) {
      add(canonicalJson(child));
      continue;
    }
    for (const [place, item] of child.entries()) add(`${place === 0 ? '[' : ','}${canonicalJson(item)}`);
    add(child.length === 0 ? '[]' : ']');
  }
  add('}');
  return `sha256:${hash.update(pending).digest('hex')}`;
}
