import { isDeepStrictEqual } from 'node:util';
import { referencePattern } from '../model/action-identity.ts';
import type { PerformedAction } from '../model/outcome.ts';
import type { Action, PlannedRequest } from '../model/plan.generated.ts';

/**
 * Puts what earlier actions returned into requests that refer to it. `readRequestOf`: the request with what a reading has
 * shown. It may still have references, to what did not exist by then.
 */
export function openReferences(readRequestOf: (action: Action) => PlannedRequest) {
  const returned = new Map<string, NonNullable<PerformedAction['returned']>>();
  return {
    /** The action as it is sent; or the id of an action whose result is not known. */
    resolve(action: Action): Action | string {
      let missing: string | null = null;
      const request = replaceReferences({ request: readRequestOf(action), needs: action.needs }, (id, field) => {
        const value = returned.get(id)?.[field];
        if (typeof value === 'string') return value;
        missing ??= id;
        return '';
      });
      if (missing !== null) return missing;
      return request === action.request ? action : { ...action, request };
    },
    /** What the response to an action has shown. */
    add({ id }: Action, performed: Pick<PerformedAction, 'returned'>): void {
      if (performed.returned !== undefined) returned.set(id, performed.returned);
    },
  };
}

type Referring = Pick<Action, 'request' | 'needs'>;

/** Whether a request refers to what another action returns. */
export function hasReference(action: Referring): boolean {
  return replaceReferences(action, () => '') !== action.request;
}

/**
 * The same request if it has no references. References are to actions in `needs` only, so a declared text that looks
 * like a reference is sent unchanged.
 */
function replaceReferences(
  { request, needs }: Referring,
  lookUp: (id: string, field: string) => string,
): PlannedRequest {
  if (needs.length === 0) return request;
  let found = false;
  const replace = (text: string, encode: (value: string) => string) =>
    text.replaceAll(referencePattern, (reference, id, field) => {
      if (!needs.includes(id)) return reference;
      found = true;
      return encode(lookUp(id, field));
    });
  const path = replace(request.path, encodeURIComponent);
  const reviver = (_name: string, value: unknown) =>
    typeof value === 'string' ? replace(value, (text) => text) : value;
  const body = JSON.parse(JSON.stringify(request.body ?? null), reviver) as PlannedRequest['body'] | null;
  return found ? { ...request, path, ...(body && { body }) } : request;
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
