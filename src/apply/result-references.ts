import { isDeepStrictEqual } from 'node:util';
import { resultReference } from '../model/action-identity.ts';
import type { Action, PlannedRequest } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';

type Referring = Pick<Action, 'request' | 'needs'>;

/**
 * Whether a request refers to what another action creates. References are to actions in `needs` only, so a declared text
 * that looks like one is sent unchanged.
 */
export function hasReference({ request, needs }: Referring): boolean {
  return needs.length > 0 && literalsOf(request, needs).length > 1;
}

/** True if a request is the planned one, where a reference matches whatever text is in its place. */
export function requestMatches({ request: planned, needs }: Referring, request: PlannedRequest): boolean {
  if (isDeepStrictEqual(planned, request)) return true;
  if (!hasReference({ request: planned, needs })) return false;
  const { path, ...rest } = planned;
  const { path: otherPath, ...otherRest } = request;
  const matches = (value: unknown, other: unknown, any: string) =>
    new RegExp(`^${literalsOf(value, needs).map(asPattern).join(any)}$`).test(canonicalJson(other));
  return matches(path, otherPath, '[^/"]+') && matches(rest, otherRest, '(?:[^"\\\\]|\\\\.)+');
}

/** The request with the ids that are known of what earlier actions have created, in place of references in its path. */
export function withIds({ request, needs }: Referring, ids: ReadonlyMap<string, string>): PlannedRequest {
  const idOf = (need: string, reference: string) => encodeURIComponent(ids.get(need) ?? '') || reference;
  const path = needs.reduce(
    (text, need) => text.replace(resultReference(need, 'id'), (it) => idOf(need, it)),
    request.path,
  );
  return { ...request, path };
}

/** The JSON of a value, split at its references. */
function literalsOf(value: unknown, needs: readonly string[]): string[] {
  const json = canonicalJson(value);
  if (!json.includes('{result:')) return [json];
  const references = needs.map((id) => asPattern(canonicalJson(resultReference(id, '')).slice(1, -2)));
  return json.split(new RegExp(references.map((start) => `${start}[a-z_]+\\}`).join('|')));
}

function asPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
