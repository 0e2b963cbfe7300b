// A forge on loopback with the parts of the API of GitLab that pipelines use.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, FakeForge, sendPage } from './fake-forge.ts';

interface Note {
  readonly id: number;
  readonly change: number;
  readonly author: { readonly id: number };
  body: string;
}

interface Issue {
  readonly iid: number;
  readonly author: { readonly id: number };
  readonly labels: string;
  title: string;
  description: string;
  state: 'opened' | 'closed';
}

interface MergeRequest {
  readonly iid: number;
  readonly source_branch: string;
  readonly target_branch: string;
  state: 'opened' | 'merged';
  commits: string[];
  description: string;
}

interface Deployment {
  readonly id: number;
  readonly environment: string;
  readonly sha: string;
  readonly ref: string;
  status: string;
  readonly user: { readonly id: number };
}

const user = 7;

export class FakeGitlab extends FakeForge {
  readonly token = 'glpat-planted-token-of-a-project';
  readonly notes: Note[] = [];
  readonly issues: Issue[] = [];
  readonly mergeRequests: MergeRequest[] = [];
  readonly deployments: Deployment[] = [];
  /** Deployments are listed in this order, whatever is asked for. */
  listsOldestFirst = false;
  protected readonly apiPath = '/api/v4';

  addNote(change: number, author: number, body: string): Note {
    const note = { id: this.nextId(), change, author: { id: author }, body };
    this.notes.push(note);
    return note;
  }

  addMergeRequest(source_branch: string, target_branch = 'main'): MergeRequest {
    const added: MergeRequest = {
      iid: this.nextId(),
      source_branch,
      target_branch,
      state: 'opened',
      commits: [],
      description: '',
    };
    this.mergeRequests.push(added);
    return added;
  }

  /** As the forge does it, one that is equal to the last success is not created again. */
  addDeployment(deployment: Omit<Deployment, 'id' | 'user'>): Deployment {
    const last = this.deployments.findLast(
      ({ environment, status }) => environment === deployment.environment && status === 'success',
    );
    if (last?.sha === deployment.sha && deployment.status === 'success') return last;
    const added = { ...deployment, id: this.nextId(), user: { id: user } };
    this.deployments.push(added);
    return added;
  }

  protected async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const body = await bodyOf(request);
    if (headers['private-token'] !== this.token) return void response.writeHead(401).end('{}');
    const result = this.#route(
      `${method} ${pathname.replace('/api/v4', '').replace('/projects/5', '')}`,
      body,
      searchParams,
    );
    if (result === undefined) return void response.writeHead(404).end('{}');
    sendPage(request, response, searchParams, { result, pageSize: 20 });
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of requests, as they come
  #route(line: string, body: any, query: URLSearchParams): unknown {
    const match = (pattern: RegExp) => pattern.exec(line)?.slice(1).map(Number);
    const notes = match(/^GET \/merge_requests\/(\d+)\/notes$/);
    if (notes) return this.notes.filter(({ change }) => change === notes[0]);
    const newNote = match(/^POST \/merge_requests\/(\d+)\/notes$/);
    if (newNote) return this.addNote(newNote[0] ?? 0, user, body.body);
    const note = match(/^PUT \/merge_requests\/\d+\/notes\/(\d+)$/);
    if (note) return Object.assign(this.notes.find(({ id }) => id === note[0]) as Note, body);
    const issue = match(/^PUT \/issues\/(\d+)$/);
    if (issue) {
      const found = this.issues.find(({ iid }) => iid === issue[0]) as Issue;
      const { state_event, description } = body;
      if (state_event !== undefined) found.state = state_event === 'close' ? 'closed' : 'opened';
      return Object.assign(found, { description });
    }
    const deployment = match(/^PUT \/deployments\/(\d+)$/);
    if (deployment) {
      const found = this.deployments.find(({ id }) => id === deployment[0]) as Deployment;
      // No status follows itself.
      if (found.status === body.status) return undefined;
      return Object.assign(found, { status: body.status });
    }
    const [, commit] = /^GET \/repository\/commits\/(\w+)\/merge_requests$/.exec(line) ?? [];
    if (commit) return this.mergeRequests.filter(({ commits }) => commits.includes(commit));
    switch (line) {
      case 'GET /user':
        return { id: user };
      case 'GET /issues':
        return this.issues.filter(({ labels }) => labels === query.get('labels')).reverse();
      case 'POST /issues': {
        const added: Issue = { iid: this.nextId(), author: { id: user }, state: 'opened', ...body };
        this.issues.push(added);
        return added;
      }
      case 'GET /deployments':
        return this.deployments
          .filter(({ environment }) => environment === query.get('environment'))
          .toSorted((a, b) => (query.get('sort') === 'desc' && !this.listsOldestFirst ? b.id - a.id : a.id - b.id));
      case 'POST /deployments':
        return this.addDeployment(body);
      default:
        return undefined;
    }
  }
}
