import { createHash } from 'node:crypto';
import type { Plan } from '../model/plan.generated.ts';
import { writeCanonicalJson } from './canonical-json.ts';

/** `sha256:` and 64 hexadecimal digits over the canonical JSON of any value. */
export function digestOf(value: unknown): string {
  const hash = createHash('sha256');
  // Few large updates are much faster than many small ones.
  let pieces = '';
  writeCanonicalJson(value, (piece) => {
    pieces += piece;
    if (pieces.length < 65_536) return;
    hash.update(pieces);
    pieces = '';
  });
  return `sha256:${hash.update(pieces).digest('hex')}`;
}

/** The identity of a plan: what it is about, what it does and what it found; not when it was made. */
export function planDigest({ tenant, actions, findings }: Pick<Plan, 'tenant' | 'actions' | 'findings'>): string {
  return digestOf({ tenant, actions, findings });
}
