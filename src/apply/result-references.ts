import { isDeepStrictEqual } from 'node:util';
import type { Perform } from '../model/outcome.ts';
import type { Action, PlannedRequest } from '../model/plan.generated.ts';
import { referencePattern } from '../model/result-reference.ts';

type Returned = Readonly<Record<string, unknown>>;

/** Puts what earlier actions returned into requests that refer to it. */
export interface ResultReferences {
  /** Performs an action with its references resolved; one that refers to what is not known is not attempted. */
  readonly perform: Perform;
  /** The request as it is sent; the planned one while a result is missing. */
  requestOf(action: Action): PlannedRequest;
  /** A reading has shown what the request is: the item was created earlier. */
  adopt(action: Action, request: PlannedRequest): void;
}

export function resultReferences(perform: Perform): ResultReferences {
  const returned = new Map<string, Returned>();
  const adopted = new Map<string, PlannedRequest>();
  const resolve = ({ id, request }: Action) => adopted.get(id) ?? resolveRequest(request, returned);
  return {
    async perform(action) {
      const request = resolve(action);
      if (typeof request === 'string') {
        const message = `not sent because the result of ${request} is not known`;
        return { id: action.id, outcome: 'not_attempted', status: null, message };
      }
      const outcome = await perform(request === action.request ? action : { ...action, request });
      if (outcome.returned !== undefined) returned.set(action.id, outcome.returned);
      return outcome;
    },
    requestOf(action) {
      const request = resolve(action);
      return typeof request === 'string' ? action.request : request;
    },
    adopt: (action, request) => adopted.set(action.id, request),
  };
}

/** The request with every reference replaced; or the id of the action whose result is missing. */
function resolveRequest(request: PlannedRequest, returned: ReadonlyMap<string, Returned>): PlannedRequest | string {
  if (!hasReference(request)) return request;
  let missing: string | null = null;
  const valueOf = (id: string, field: string): string => {
    const value = returned.get(id)?.[field];
    if (typeof value === 'string') return value;
    missing ??= id;
    return '';
  };
  const path = request.path.replaceAll(referencePattern, (_text, id, field) => encodeURIComponent(valueOf(id, field)));
  const body = mapTexts(request.body, (text) =>
    text.replaceAll(referencePattern, (_text, id, field) => valueOf(id, field)),
  );
  return missing ?? { ...request, path, ...(body !== undefined && { body: body as Record<string, unknown> }) };
}

/** Whether a request refers to what another action returns. */
export function hasReference({ path, body }: PlannedRequest): boolean {
  return path.includes('{result:') || (body !== undefined && JSON.stringify(body).includes('{result:'));
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapTexts(child, map)]));
}

/** True if a request is the planned one, where a reference matches whatever text is in its place. */
export function requestMatches(planned: PlannedRequest, request: PlannedRequest): boolean {
  if (planned === request) return true;
  const { path, body, ...rest } = planned;
  const { path: otherPath, body: otherBody, ...otherRest } = request;
  return isDeepStrictEqual(rest, otherRest) && textMatches(path, otherPath) && valueMatches(body, otherBody);
}

function valueMatches(planned: unknown, value: unknown): boolean {
  if (typeof planned === 'string') return typeof value === 'string' && textMatches(planned, value);
  if (typeof planned !== 'object' || planned === null) return planned === value;
  if (typeof value !== 'object' || value === null || Array.isArray(planned) !== Array.isArray(value)) return false;
  const keys = Object.keys(planned);
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && valueMatches(Reflect.get(planned, key), Reflect.get(value, key)))
  );
}

function textMatches(planned: string, text: string): boolean {
  if (!planned.includes('{result:')) return planned === text;
  const parts = planned.replaceAll(referencePattern, '\u0000').split('\u0000').map(escapeRegExp);
  return new RegExp(`^${parts.join('[^/]+')}$`).test(text);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
