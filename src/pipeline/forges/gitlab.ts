import { createHash } from 'node:crypto';
import {
  type AttemptEnd,
  doneState,
  type Forge,
  type ForgeOptions,
  field,
  numberField,
  openForgeApi,
  recordedOf,
  type Target,
  textField,
} from '../forge.ts';

/** `project`: number or path. */
export type GitlabOptions = ForgeOptions & { readonly project: string };

const forbidden = 'use a project access token with the scope "api" and the role Developer';

export function openGitlab({ apiUrl, project, token, sleep, now, proxies }: GitlabOptions): Forge {
  const root = apiUrl.replace(/\/$/, '');
  const options = { headers: { 'PRIVATE-TOKEN': token, 'User-Agent': 'tenant-sync' }, forbidden, sleep, now, proxies };
  const api = openForgeApi({ ...options, url: `${root}/projects/${encodeURIComponent(project)}` });
  let user: Promise<number> | undefined;
  const userId = () => {
    user ??= openForgeApi({ ...options, url: root })
      .request('GET', '/user')
      .then((found) => numberField(found, 'id'));
    return user;
  };
  const own = async (elements: readonly unknown[]) => {
    const id = await userId();
    return elements.filter((element) => field(field(element, 'author'), 'id') === id);
  };
  return {
    async comments(change) {
      const found = await own(await api.list(`/merge_requests/${change}/notes?sort=asc&order_by=created_at`));
      return found.map((note) => ({ id: numberField(note, 'id'), body: textField(note, 'body') }));
    },
    async createComment(change, body) {
      await api.request('POST', `/merge_requests/${change}/notes`, { body });
    },
    async updateComment(change, id, body) {
      await api.request('PUT', `/merge_requests/${change}/notes/${id}`, { body });
    },
    async issues(label) {
      const found = await api.list(
        `/issues?scope=all&labels=${encodeURIComponent(label)}&order_by=created_at&sort=desc`,
      );
      return (await own(found)).map((issue) => ({
        id: numberField(issue, 'iid'),
        body: textField(issue, 'description'),
        state: field(issue, 'state') === 'opened' ? 'open' : 'closed',
      }));
    },
    async createIssue({ title, body, label }) {
      await api.request('POST', '/issues', { title, description: body, labels: label });
    },
    async updateIssue(id, { body, state }) {
      await api.request('PUT', `/issues/${id}`, {
        description: body,
        ...(state !== undefined && { state_event: state === 'open' ? 'reopen' : 'close' }),
      });
    },
    async mergedChanges(commit) {
      const found = await api.list(`/repository/commits/${commit}/merge_requests`);
      return found.filter((change) => field(change, 'state') === 'merged').map((change) => numberField(change, 'iid'));
    },
    async recorded(target) {
      const query = `environment=${encodeURIComponent(recordOf(target))}&order_by=id&sort=desc`;
      const id = await userId();
      const isOwn = (deployment: unknown) => field(field(deployment, 'user'), 'id') === id;
      return recordedOf({ pages: api.pages(`/deployments?${query}`), isOwn }, (attempt) => {
        const status = textField(attempt, 'status');
        return status === statuses.done ? doneState : status;
      });
    },
    async recordAttempt({ commit: sha, branch: ref, ...target }) {
      const attempt = { environment: recordOf(target), sha, ref, tag: false, status: 'running' };
      return numberField(await api.request('POST', '/deployments', attempt), 'id');
    },
    async endAttempt(id, end) {
      await api.request('PUT', `/deployments/${id}`, { status: statuses[end] });
    },
  };
}

const statuses: Readonly<Record<AttemptEnd, string>> = { done: 'success', ended: 'canceled', failed: 'failed' };

/**
 * A deployment has no payload here, so each folder and tenant has a record in an environment of its own. The name of an
 * environment may have neither all characters nor any length: the fingerprint tells apart what it cannot.
 */
function recordOf({ environment, folder, baseUrl }: Target): string {
  const exact = JSON.stringify([environment, folder, baseUrl]);
  const fingerprint = createHash('sha256').update(exact).digest('hex').slice(0, 12);
  const name = `${environment}/${folder}/${baseUrl.replace(/^https?:\/\//, '') || 'project'}`;
  return `${name.replaceAll(/[^\w./ -]/g, '-').slice(0, 255 - 13)}-${fingerprint}`;
}
