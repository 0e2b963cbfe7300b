// A forge on loopback with the parts of the API of GitHub that pipelines use. It checks the permissions of tokens.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, FakeForge, sendPage } from './fake-forge.ts';

export interface FakeComment {
  readonly id: number;
  readonly change: number;
  readonly user: { readonly login: string };
  body: string;
}

export interface FakeIssue {
  readonly number: number;
  readonly user: { readonly login: string };
  readonly labels: readonly string[];
  title: string;
  body: string;
  state: 'open' | 'closed';
}

export interface FakePull {
  readonly number: number;
  readonly head: string;
  readonly base: string;
  merged_at: string | null;
  /** Commits of the default branch that it became. */
  readonly commits: string[];
  title: string;
  body: string;
}

interface Deployment {
  readonly id: number;
  readonly sha: string;
  readonly task: string;
  readonly environment: string;
  readonly payload: unknown;
  readonly creator: { readonly login: string };
  readonly statuses: string[];
}

/** What happens to the next requests that match, instead of the usual response. */
export interface ForgeFault {
  readonly match: RegExp;
  times: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is closed: before the request is carried out, or after it. */
  readonly drop?: 'before' | 'after';
}

export type Permissions = Readonly<Record<string, string>>;

export const botLogin = 'github-actions[bot]';

export class FakeGithub extends FakeForge {
  readonly repository = 'acme/tenants';
  readonly comments: FakeComment[] = [];
  readonly issues: FakeIssue[] = [];
  readonly pulls: FakePull[] = [];
  readonly deployments: Deployment[] = [];
  readonly faults: ForgeFault[] = [];
  readonly requests: string[] = [];
  protected readonly apiPath = '';
  #tokens = new Map<string, Permissions>();

  token(permissions: Permissions): string {
    const token = `ghs_${randomBytes(12).toString('hex')}`;
    this.#tokens.set(token, permissions);
    return token;
  }

  addComment(change: number, login: string, body: string): FakeComment {
    const comment = { id: this.nextId(), change, user: { login }, body };
    this.comments.push(comment);
    return comment;
  }

  addPull(head: string, base = 'main'): FakePull {
    const pull = { number: this.nextId(), head, base, merged_at: null, commits: [], title: '', body: '' };
    this.pulls.push(pull);
    return pull;
  }

  addIssue(login: string, fields: Pick<FakeIssue, 'title' | 'body' | 'labels'>): FakeIssue {
    const issue: FakeIssue = { number: this.nextId(), user: { login }, state: 'open', ...fields };
    this.issues.push(issue);
    return issue;
  }

  protected async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const line = `${method} ${pathname}`;
    this.requests.push(line);
    const body = await bodyOf(request);
    const fault = this.faults.find(({ match, times }) => times > 0 && match.test(line));
    if (fault !== undefined) fault.times -= 1;
    if (fault?.drop === 'before') return void request.socket.destroy();
    if (fault?.status !== undefined)
      return void response.writeHead(fault.status, fault.headers).end('{"message":"injected"}');
    const permissions = this.#tokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
    if (permissions === undefined) return void response.writeHead(401).end('{"message":"Bad credentials"}');
    const prefix = `/repos/${this.repository}`;
    const route = routes.find(([pattern]) => pattern.test(`${method} ${pathname.slice(prefix.length)}`));
    if (route === undefined || !pathname.startsWith(prefix)) return void response.writeHead(404).end('{}');
    const [pattern, needs, handler] = route;
    if (!needs.some((need) => allows(permissions, need)))
      return void response.writeHead(403).end('{"message":"Resource not accessible by integration"}');
    const [, ...parts] = pattern.exec(`${method} ${pathname.slice(prefix.length)}`) ?? [];
    const result = handler(this, parts.map(decodeURIComponent), body, searchParams);
    if (fault?.drop === 'after') return void request.socket.destroy();
    sendPage(request, response, searchParams, { result, pageSize: 30 });
  }

  addDeployment(deployment: Omit<Deployment, 'id' | 'statuses' | 'creator'>, login = botLogin): Deployment {
    const added = { id: this.nextId(), statuses: [], creator: { login }, ...deployment };
    this.deployments.push(added);
    return added;
  }
}

function allows(permissions: Permissions, need: string): boolean {
  const [name = '', level = ''] = need.split(':');
  return permissions[name] === 'write' || (level === 'read' && permissions[name] === 'read');
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests, as they come
type Handler = (forge: FakeGithub, parts: readonly string[], body: any, query: URLSearchParams) => unknown;

const found = <Element>(element: Element | undefined): Element => {
  if (element === undefined) throw new Error('not found');
  return element;
};

/** Pattern, permissions of which one is needed, and what is done. */
const routes: readonly (readonly [RegExp, readonly string[], Handler])[] = [
  [
    /^GET \/issues\/(\d+)\/comments$/,
    ['issues:read', 'pull-requests:read'],
    (forge, [change]) => forge.comments.filter((comment) => comment.change === Number(change)),
  ],
  [
    /^POST \/issues\/(\d+)\/comments$/,
    ['issues:write', 'pull-requests:write'],
    (forge, [change], { body }) => forge.addComment(Number(change), botLogin, checkedBody(body)),
  ],
  [
    /^PATCH \/issues\/comments\/(\d+)$/,
    ['issues:write', 'pull-requests:write'],
    (forge, [id], { body }) => {
      const comment = found(forge.comments.find((one) => one.id === Number(id)));
      if (comment.user.login !== botLogin) throw new Error('a comment of another author was changed');
      comment.body = checkedBody(body);
      return comment;
    },
  ],
  [
    /^GET \/issues$/,
    ['issues:read'],
    (forge, _parts, _body, query) =>
      forge.issues
        .filter(
          ({ labels, state }) => labels.includes(query.get('labels') ?? '') && query.get('state') !== 'x' && state,
        )
        .reverse(),
  ],
  [
    /^POST \/issues$/,
    ['issues:write'],
    (forge, _parts, { title, body, labels }) => forge.addIssue(botLogin, { title, body: checkedBody(body), labels }),
  ],
  [
    /^PATCH \/issues\/(\d+)$/,
    ['issues:write'],
    (forge, [number], change) =>
      Object.assign(found(forge.issues.find((issue) => issue.number === Number(number))), change),
  ],
  [
    /^GET \/commits\/([0-9a-f]{40})\/pulls$/,
    ['pull-requests:read'],
    (forge, [commit = '']) => forge.pulls.filter(({ commits }) => commits.includes(commit)),
  ],
  [
    /^GET \/deployments$/,
    ['deployments:read'],
    (forge, _parts, _body, query) =>
      forge.deployments
        .filter(({ task, environment }) => task === query.get('task') && environment === query.get('environment'))
        .reverse(),
  ],
  [
    /^POST \/deployments$/,
    ['deployments:write'],
    (forge, _parts, { ref, task, environment, payload }) =>
      forge.addDeployment({ sha: ref, task, environment, payload }),
  ],
  [
    /^GET \/deployments\/(\d+)\/statuses$/,
    ['deployments:read'],
    (forge, [id]) => found(forge.deployments.find((one) => one.id === Number(id))).statuses.map((state) => ({ state })),
  ],
  [
    /^POST \/deployments\/(\d+)\/statuses$/,
    ['deployments:write'],
    (forge, [id], { state }) => {
      found(forge.deployments.find((one) => one.id === Number(id))).statuses.push(state);
      return { state };
    },
  ],
];

function checkedBody(body: string): string {
  if (body.length > 65_536) throw new Error('the body is too long');
  return body;
}
