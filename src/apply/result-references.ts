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
export function requestMatches(planned: Referring, request: PlannedRequest): boolean {
  return idsIn(planned, request) !== null;
}

/** The texts that a request has in place of references; null if it is not the planned one otherwise. */
export function idsIn({ request: planned, needs }: Referring, request: PlannedRequest): readonly string[] | null {
  if (isDeepStrictEqual(planned, request)) return [];
  if (!hasReference({ request: planned, needs })) return null;
  const { path, ...rest } = planned;
  const { path: otherPath, ...otherRest } = request;
  const found = (value: unknown, other: unknown, any: string) => {
    const [match, ...texts] =
      new RegExp(`^${literalsOf(value, needs).map(asPattern).join(`(${any})`)}$`).exec(canonicalJson(other)) ?? [];
    return match === undefined ? null : texts.map((text) => String(JSON.parse(`"${text}"`)));
  };
  // A reading between two creates has the id of one, and still the reference to the other, which has slashes.
  const inPath = found(path, otherPath, '\\{result:[^{}]+\\}|[^/"]+');
  const inRest = found(rest, otherRest, '(?:[^"\\\\]|\\\\.)+');
  const isId = (text: string) => !text.startsWith('{result:');
  return inPath && inRest && [...inPath.filter(isId).map(decodeURIComponent), ...inRest];
}

/** The request with the ids that are known of what earlier actions have created, in place of references. */
export function withIds({ request, needs }: Referring, ids: ReadonlyMap<string, string>): PlannedRequest {
  const known = needs.filter((need) => ids.get(need));
  if (known.length === 0) return request;
  const filled = <Value>(value: Value, form = (id: string) => id): Value => {
    const put = (json: string, need: string) =>
      json.replace(new RegExp(referenceTo(need), 'g'), () => canonicalJson(form(ids.get(need) ?? '')).slice(1, -1));
    return JSON.parse(known.reduce(put, canonicalJson(value)));
  };
  const { path, body } = request;
  return { ...request, path: filled(path, encodeURIComponent), ...(body !== undefined && { body: filled(body) }) };
}

/** The JSON of a value, split at its references. */
function literalsOf(value: unknown, needs: readonly string[]): string[] {
  const json = canonicalJson(value);
  return json.includes('{result:') ? json.split(new RegExp(needs.map(referenceTo).join('|'))) : [json];
}

/** A pattern for what an action has created, in JSON. */
function referenceTo(id: string): string {
  return `${asPattern(canonicalJson(resultReference(id, '')).slice(1, -2))}[a-z_]+\\}`;
}

function asPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
