import { createHash } from 'node:crypto';
import type { PlannedRequest } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';

/** The identity of a request, `sha256:` and 64 hexadecimal digits. Secrets are references in it, so it tells nothing about them. */
export function requestDigest(request: PlannedRequest): string {
  return `sha256:${createHash('sha256').update(canonicalJson(request)).digest('hex')}`;
}
