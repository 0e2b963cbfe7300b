import { parsedJson } from '../values/parsed-json.ts';

/** What a pipeline needs of the forge that runs it: comments, issues, and the last applied commit. */
export interface Forge {
  /** Comments of this pipeline on a pull request, oldest first. Comments of other authors are not among them. */
  comments(change: number): Promise<readonly Text[]>;
  createComment(change: number, body: string): Promise<void>;
  updateComment(change: number, id: number, body: string): Promise<void>;
  /** Issues of this pipeline with this label, newest first. */
  issues(label: string): Promise<readonly Issue[]>;
  createIssue(issue: { readonly title: string; readonly body: string; readonly label: string }): Promise<void>;
  /** Without a state, the issue keeps its own. */
  updateIssue(id: number, change: { readonly body: string; readonly state?: Issue['state'] }): Promise<void>;
  /** Numbers of the merged pull requests that brought this commit to the default branch. */
  mergedChanges(commit: string): Promise<readonly number[]>;
  /** The newest commit that was recorded for this folder and tenant. */
  lastApplied(target: Target): Promise<string | null>;
  recordApplied(applied: Applied): Promise<void>;
}

export interface Text {
  readonly id: number;
  readonly body: string;
}

export interface Issue extends Text {
  readonly state: 'open' | 'closed';
}

/** What is applied where. One environment may have several folders, and the address of a tenant may change. */
export interface Target {
  readonly environment: string;
  readonly folder: string;
  readonly baseUrl: string;
}

export interface Applied extends Target {
  readonly branch: string;
  readonly commit: string;
  readonly digest: string;
}

/** The forge did not do what was asked. */
export class ForgeError extends Error {
  /** True if the request may have been carried out: there was no response, or one of an overloaded server. */
  readonly isUnsure: boolean;

  constructor(message: string, isUnsure = false) {
    super(message);
    this.isUnsure = isUnsure;
  }
}

/** Reads fields of responses whose shape is not proven. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** An id or a number, which every object of a forge has. */
export function numberField(value: unknown, name: string): number {
  const found = field(value, name);
  if (typeof found === 'number' && Number.isSafeInteger(found)) return found;
  throw new ForgeError(`A response of the forge has no number "${name}".`);
}

export interface ForgeOptions {
  readonly apiUrl: string;
  readonly token: string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

interface ForgeApiOptions extends Pick<ForgeOptions, 'sleep' | 'now'> {
  /** Without a final slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What a response 403 or 404 means here, for people. */
  readonly forbidden: string;
}

export type ForgeApi = ReturnType<typeof openForgeApi>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

const mostTries = 4;
const firstDelayMs = 500;
/** A job does not wait longer for a rate limit. */
const longestWaitMs = 60_000;
const timeoutMs = 30_000;
const pageSize = 100;
/** A list with more is not searched: 10,000 elements. */
const mostPages = 100;

/** The JSON API of a forge. */
export function openForgeApi(options: ForgeApiOptions) {
  /** The body of the response; null without one. Throws a ForgeError. */
  const request = (method: Method, path: string, body?: object): Promise<unknown> =>
    requestWithRetries(options, method, path, body);
  return {
    request,
    /** All elements of a list, page by page. */
    async list(path: string): Promise<readonly unknown[]> {
      const elements: unknown[] = [];
      for (let page = 1; page <= mostPages; page++) {
        const found = await request('GET', `${path}${path.includes('?') ? '&' : '?'}per_page=${pageSize}&page=${page}`);
        if (!Array.isArray(found)) throw new ForgeError(`GET ${path}: the response is not a list.`);
        elements.push(...found);
        if (found.length < pageSize) return elements;
      }
      throw new ForgeError(`GET ${path}: the list has more than ${mostPages * pageSize} elements.`);
    },
  };
}

/**
 * Retries what may be repeated: every request that a rate limit refused, and all others but a POST, which may have been
 * carried out although its response was lost.
 */
async function requestWithRetries(options: ForgeApiOptions, method: Method, path: string, body?: object) {
  for (let tried = 1; ; tried++) {
    const result = await send(options, method, path, body);
    if (result.status === 'done') return result.body;
    const isRepeatable = result.status === 'limited' || (result.status === 'broken' && method !== 'POST');
    const waitMs = result.status === 'limited' ? result.waitMs : null;
    const delayMs = waitMs ?? firstDelayMs * 2 ** (tried - 1);
    if (!isRepeatable || tried === mostTries || delayMs > longestWaitMs)
      throw new ForgeError(`${method} ${path}: ${result.why}.`, result.status === 'broken');
    await options.sleep(delayMs);
  }
}

type Sent =
  | { readonly status: 'done'; readonly body: unknown }
  | { readonly status: 'limited'; readonly why: string; readonly waitMs: number | null }
  | { readonly status: 'broken' | 'refused'; readonly why: string };

async function send(options: ForgeApiOptions, method: Method, path: string, body?: object): Promise<Sent> {
  const { url, headers, forbidden, now } = options;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      // A redirect could lead the token elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (error) {
    return { status: 'broken', why: `no response (${causeOf(error)})` };
  }
  const { status } = response;
  if (response.ok) return parsed(text);
  const limit = limitOf(response, now());
  if (limit !== null) return { status: 'limited', why: `the rate limit of the forge is reached (${status})`, ...limit };
  if (status >= 500) return { status: 'broken', why: `the forge failed (${status})` };
  const why = status === 401 ? 'the token is not valid (401)' : `the forge refused the request (${status})`;
  // Forges also use 404 for what the token must not see.
  return { status: 'refused', why: status === 403 || status === 404 ? `${why}: ${forbidden}` : why };
}

function parsed(text: string): Sent {
  if (text.trim() === '') return { status: 'done', body: null };
  const body = parsedJson(text);
  return body === undefined ? { status: 'broken', why: 'the response is not JSON' } : { status: 'done', body };
}

/** Null if no rate limit refused the request. Some forges use 403 for it. */
function limitOf({ status, headers }: Response, now: number): { readonly waitMs: number | null } | null {
  if (status !== 429 && status !== 403) return null;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return { waitMs: after * 1000 };
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  if (status === 403 && !isUsedUp) return null;
  return { waitMs: Number.isFinite(reset) ? Math.max(1000, reset * 1000 - now) : null };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown cause';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
