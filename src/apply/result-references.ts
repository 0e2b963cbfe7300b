import { isDeepStrictEqual } from 'node:util';
import { referencePattern } from '../model/action-identity.ts';
import type { Action, PlannedRequest } from '../model/plan.generated.ts';

type Referring = Pick<Action, 'request' | 'needs'>;

/**
 * Whether a request refers to what another action creates. References are to actions in `needs` only, so a declared text
 * that looks like one is sent unchanged.
 */
export function hasReference({ request, needs }: Referring): boolean {
  const refers = (value: unknown): boolean =>
    typeof value === 'string'
      ? Array.from(value.matchAll(referencePattern)).some(([, id = '']) => needs.includes(id))
      : typeof value === 'object' && value !== null && Object.values(value).some(refers);
  return needs.length > 0 && (refers(request.path) || refers(request.body));
}

/** True if a request is the planned one, where a reference matches whatever text is in its place. */
export function requestMatches(planned: Referring, request: PlannedRequest): boolean {
  if (isDeepStrictEqual(planned.request, request)) return true;
  if (!hasReference(planned)) return false;
  const { needs } = planned;
  const { path, body, ...rest } = planned.request;
  const { path: otherPath, body: otherBody, ...otherRest } = request;
  return (
    isDeepStrictEqual(rest, otherRest) &&
    textMatches(path, otherPath, needs, '[^/]+') &&
    valueMatches(body, otherBody, needs)
  );
}

type Needs = readonly string[];

function valueMatches(planned: unknown, value: unknown, needs: Needs): boolean {
  if (typeof planned === 'string') return typeof value === 'string' && textMatches(planned, value, needs, '[^]+');
  if (typeof planned !== 'object' || planned === null) return planned === value;
  if (typeof value !== 'object' || value === null || Array.isArray(planned) !== Array.isArray(value)) return false;
  const keys = Object.keys(planned);
  const isSame = (key: string) =>
    Object.hasOwn(value, key) && valueMatches(Reflect.get(planned, key), Reflect.get(value, key), needs);
  return keys.length === Object.keys(value).length && keys.every(isSame);
}

/** Compares what is between references literally; each reference matches `any`. */
function textMatches(planned: string, text: string, needs: Needs, any: '[^/]+' | '[^]+'): boolean {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: reference, 1: id = '', index } of planned.matchAll(referencePattern)) {
    if (!needs.includes(id)) continue;
    pieces.push(planned.slice(end, index));
    end = index + reference.length;
  }
  if (pieces.length === 0) return planned === text;
  pieces.push(planned.slice(end));
  const literals = pieces.map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join(any)}$`).test(text);
}
