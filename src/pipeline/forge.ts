import { type Exchange, type HttpResponse, requireCompleteBody } from '../client/transport/exchange.ts';
import { openHttpClient } from '../client/transport/http-client.ts';
import { pageIn, throughProxy, whyNotJson } from '../client/transport/page.ts';
import { parseJson } from '../client/transport/parse-json.ts';
import { proxyProblem } from '../contract/proxies.ts';
import type { ProxySettings } from '../model/client.ts';
import { isCommit } from '../values/commit-id.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { parsedUrl } from '../values/parsed-url.ts';

/** What a pipeline needs of the forge that runs it: comments, issues, and the record of applies. */
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
  /** What is recorded for this folder and tenant. */
  recorded(target: Target): Promise<Recorded>;
  /** Records an apply in progress, before its first write, and returns its id. */
  recordAttempt(attempt: Attempt): Promise<number>;
  endAttempt(id: number, end: AttemptEnd): Promise<void>;
}

export interface Recorded {
  /** The commit of the newest apply that is done; null without one. */
  readonly applied: string | null;
  /** The commit of the newest attempt after it, '' for an unknown one; null without one. Its changes may be on the tenant. */
  readonly open: string | null;
  /** The id of the newest attempt; 0 without one. */
  readonly newest: number;
  /** Newest first, as far as the newest one that is done. */
  readonly attempts: readonly RecordedAttempt[];
}

interface RecordedAttempt {
  readonly id: number;
  /** '' for an unknown one. */
  readonly commit: string;
  /** Another text when the attempt begins again or ends. */
  readonly state: string;
}

/** done: the tenant has all files of the commit. ended: it writes no more, and is not done, or not yet. */
export type AttemptEnd = 'done' | 'ended' | 'failed';

/** The state of an attempt that is done, whatever the forge calls it. */
export const doneState = 'done';

/** Where a forge lists attempts, and which of the elements are those of this pipeline. */
export interface AttemptList {
  readonly pages: AsyncIterable<readonly unknown[]>;
  readonly isOwn: (element: unknown) => boolean;
}

/** Own attempts, newest first by their ids. Of a list that begins with the newest, older pages are read only if needed. */
export async function newestAttempts(
  { pages, isOwn }: AttemptList,
  isEnough: (attempts: readonly object[]) => boolean | Promise<boolean>,
): Promise<readonly object[]> {
  const found: unknown[] = [];
  const own: object[] = [];
  for await (const page of pages) {
    found.push(...page);
    own.push(...page.filter((element) => typeof element === 'object' && element !== null).filter(isOwn));
    if (isNewestFirst(found) && (await isEnough(own))) return own;
  }
  return own.toSorted((a, b) => numberField(b, 'id') - numberField(a, 'id'));
}

function isNewestFirst(found: readonly unknown[]): boolean {
  const ids = found.map((element) => Number(field(element, 'id')));
  return ids.every((id, index) => index === 0 || id <= (ids[index - 1] ?? 0));
}

/** What attempts say together. Of the states, only `doneState` has a meaning here. */
export async function recordedOf(
  list: AttemptList,
  stateOf: (attempt: object) => string | Promise<string>,
): Promise<Recorded> {
  // Each page is looked at together with those before it.
  const stateOnce = memoizedByObject(async (attempt: object) => stateOf(attempt));
  const read = async (own: readonly object[]) => {
    const attempts: RecordedAttempt[] = [];
    for (const attempt of own.slice(0, mostAttempts)) {
      const commit = textField(attempt, 'sha');
      const state = await stateOnce(attempt);
      attempts.push({ id: numberField(attempt, 'id'), commit: isCommit(commit) ? commit : '', state });
      if (attempts.some(isApplied)) break;
    }
    return attempts;
  };
  const own = await newestAttempts(list, async (found) => {
    const attempts = await read(found);
    return attempts.some(isApplied) || attempts.length === mostAttempts;
  });
  const attempts = await read(own);
  const [newest] = attempts;
  return {
    applied: attempts.find(isApplied)?.commit ?? null,
    open: newest === undefined || isApplied(newest) ? null : newest.commit,
    newest: newest?.id ?? 0,
    attempts,
  };
}

function isApplied({ commit, state }: RecordedAttempt): boolean {
  return commit !== '' && state === doneState;
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

export interface Attempt extends Target {
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

/** What the work results in, or what is done about the failure of the forge. */
export function ifForgeFails<Result, Instead>(
  work: Promise<Result>,
  instead: (error: ForgeError) => Instead,
): Promise<Result | Instead> {
  return work.catch((error: unknown) => {
    if (error instanceof ForgeError) return instead(error);
    throw error;
  });
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
  readonly proxies?: ProxySettings | undefined;
}

interface ForgeApiOptions extends Pick<ForgeOptions, 'sleep' | 'now' | 'proxies'> {
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
const pageSize = 100;
/** A list with more is not searched: 10,000 elements. */
const mostPages = 100;
/** The status of each attempt may be a request. After as many that are not done, everything is planned. */
const mostAttempts = 100;
/** A page of comments, each as long as it may be, fits into a response. */
const limits = { timeoutMs: 30_000, maxResponseBytes: 32 * 1024 * 1024, concurrency: 4 };
const maxListingBytes = 128 * 1024 * 1024;

/** The JSON API of a forge, over the HTTP client that tenants have: with the same bounds, and no redirects. */
export function openForgeApi({ url, ...options }: ForgeApiOptions) {
  const parsed = parsedUrl(url);
  if (parsed === null) throw new ForgeError('The URL of the forge is not valid.');
  const { origin, pathname } = parsed;
  const { proxies } = options;
  const ofProxy = proxyProblem(origin, proxies);
  if (ofProxy !== null) throw new ForgeError(`${ofProxy.name} cannot be used: ${ofProxy.why}; ${ofProxy.hint}.`);
  const http = openHttpClient({ origin, limits, proxies, onResponse: () => {}, onRequest: () => () => {} });
  const sendOnce: SendOnce = async (method, path, body) => {
    const line = { method, path: `${pathname === '/' ? '' : pathname}${path}` };
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...options.headers, ...content };
    const text = body === undefined ? null : JSON.stringify(body);
    return requireCompleteBody(
      await http.exchange(line, (pool, signal) => pool.request({ ...line, headers, body: text, signal }), {}),
    );
  };
  const send = (method: Method, path: string, body?: object) =>
    requestWithRetries({ ...options, sendOnce }, method, path, body);
  return {
    /** The body of the response; null without one. Throws a ForgeError. */
    request: async (method: Method, path: string, body?: object): Promise<unknown> =>
      (await send(method, path, body)).body,
    /** All elements of a list, page by page. */
    async list(path: string): Promise<readonly unknown[]> {
      const elements: unknown[] = [];
      for await (const page of pages(path)) for (const element of page) elements.push(element);
      return elements;
    },
    pages,
  };

  async function* pages(path: string): AsyncGenerator<readonly unknown[]> {
    let size = 0;
    for (let page = 1; page <= mostPages; page++) {
      const query = `${path.includes('?') ? '&' : '?'}per_page=${pageSize}&page=${page}`;
      const { body, bytes } = await send('GET', `${path}${query}`);
      if (!Array.isArray(body)) throw new ForgeError(`GET ${path}: the response is not a list.`);
      size += bytes;
      if (size > maxListingBytes)
        throw new ForgeError(`GET ${path}: the list is larger than ${maxListingBytes} bytes.`);
      yield body;
      if (body.length < pageSize) return;
    }
    throw new ForgeError(`GET ${path}: the list has more than ${mostPages * pageSize} elements.`);
  }
}

type SendOnce = (method: Method, path: string, body?: object) => Promise<Exchange>;

type SendOptions = Omit<ForgeApiOptions, 'url' | 'headers' | 'proxies'> & { readonly sendOnce: SendOnce };

/**
 * Retries what may be repeated: every request that a rate limit refused, and all others but a POST, which may have been
 * carried out although its response was lost.
 */
async function requestWithRetries(options: SendOptions, method: Method, path: string, body?: object) {
  for (let tried = 1; ; tried++) {
    const result = resultOf(await options.sendOnce(method, path, body), options);
    if (result.status === 'done') return result;
    const isRepeatable = result.status === 'limited' || (result.status === 'broken' && method !== 'POST');
    const waitMs = result.status === 'limited' ? result.waitMs : null;
    const delayMs = waitMs ?? firstDelayMs * 2 ** (tried - 1);
    if (!isRepeatable || tried === mostTries || delayMs > longestWaitMs)
      throw new ForgeError(`${method} ${path}: ${result.why}.`, result.status === 'broken');
    await options.sleep(delayMs);
  }
}

type Result =
  | { readonly status: 'done'; readonly body: unknown; readonly bytes: number }
  | { readonly status: 'limited'; readonly why: string; readonly waitMs: number | null }
  | { readonly status: 'broken' | 'refused'; readonly why: string };

function resultOf(exchange: Exchange, { forbidden, now }: Pick<SendOptions, 'forbidden' | 'now'>): Result {
  if (!exchange.responded) {
    const { retryable, cause } = exchange.failure;
    return { status: retryable ? 'broken' : 'refused', why: cause.message };
  }
  const { response } = exchange;
  const { status } = response;
  if (status >= 200 && status < 300) return parsed(response);
  const limit = limitOf(response, now());
  if (limit !== null) return { status: 'limited', why: `the rate limit of the forge is reached (${status})`, ...limit };
  const [page, through] = [pageIn(response), throughProxy(response)];
  if (status >= 500)
    return { status: 'broken', why: `the forge failed (${status})${through}${page === null ? '' : `; ${page}`}` };
  const why = status === 401 ? 'the token is not valid (401)' : `the forge refused the request (${status})${through}`;
  // Forges also use 404 for what the token must not see.
  return { status: 'refused', why: status === 403 || status === 404 ? `${why}: ${forbidden}` : why };
}

function parsed(response: HttpResponse): Result {
  const { bytes, error } = response.body;
  if (error === 'too_large')
    return { status: 'refused', why: `the response is larger than ${limits.maxResponseBytes} bytes` };
  if (bytes.length === 0) return { status: 'done', body: null, bytes: 0 };
  const json = parseJson(bytes);
  if (json.ok) return { status: 'done', body: json.value, bytes: bytes.length };
  const why = whyNotJson(response, json.why.replace('the body', 'the response'));
  return { status: json.isExcess ? 'refused' : 'broken', why };
}

/** Null if no rate limit refused the request. Some forges use 403 for it. */
function limitOf({ status, headers }: HttpResponse, now: number): { readonly waitMs: number | null } | null {
  if (status !== 429 && status !== 403) return null;
  const after = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return { waitMs: after * 1000 };
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? Number.NaN);
  const isUsedUp = headers['x-ratelimit-remaining'] === '0';
  if (status === 403 && !isUsedUp) return null;
  return { waitMs: Number.isFinite(reset) ? Math.max(1000, reset * 1000 - now) : null };
}
