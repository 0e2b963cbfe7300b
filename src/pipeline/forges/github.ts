import {
  type Attempt,
  type AttemptEnd,
  type AttemptList,
  doneState,
  type Forge,
  type ForgeApi,
  type ForgeOptions,
  field,
  newestAttempts,
  numberField,
  openForgeApi,
  recordedOf,
  type Target,
  textField,
} from '../forge.ts';

/** `repository`: owner/name. `author`: the login that the token comments as. */
export type GithubOptions = ForgeOptions & { readonly repository: string; readonly author: string };

/** Distinguishes records of this tool from the deployments of jobs in the same environment. */
const task = 'tenant-sync';
const forbidden =
  'give the job the permission (comments: "pull-requests: write", issues: "issues: write", the record of applies: "deployments")';

export function openGithub({ apiUrl, repository, token, author, sleep, now, proxies }: GithubOptions): Forge {
  const api = openForgeApi({
    url: `${apiUrl.replace(/\/$/, '')}/repos/${repository.split('/').map(encodeURIComponent).join('/')}`,
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'User-Agent': 'tenant-sync',
      'X-GitHub-Api-Version': '2022-11-28',
    },
    forbidden,
    sleep,
    now,
    proxies,
  });
  const isOwn = (element: unknown) => textField(field(element, 'user'), 'login') === author;
  return {
    async comments(change) {
      const found = await api.list(`/issues/${change}/comments`);
      return found
        .filter(isOwn)
        .map((comment) => ({ id: numberField(comment, 'id'), body: textField(comment, 'body') }));
    },
    async createComment(change, body) {
      await api.request('POST', `/issues/${change}/comments`, { body });
    },
    async updateComment(_change, id, body) {
      await api.request('PATCH', `/issues/comments/${id}`, { body });
    },
    async issues(label) {
      const found = await api.list(`/issues?state=all&labels=${encodeURIComponent(label)}&sort=created&direction=desc`);
      return found
        .filter((issue) => isOwn(issue) && field(issue, 'pull_request') === undefined)
        .map((issue) => ({
          id: numberField(issue, 'number'),
          body: textField(issue, 'body'),
          state: field(issue, 'state') === 'open' ? 'open' : 'closed',
        }));
    },
    async createIssue({ title, body, label }) {
      await api.request('POST', '/issues', { title, body, labels: [label] });
    },
    async updateIssue(id, change) {
      await api.request('PATCH', `/issues/${id}`, change);
    },
    async mergedChanges(commit) {
      const found = await api.list(`/commits/${commit}/pulls`);
      return found.filter((pull) => textField(pull, 'merged_at') !== '').map((pull) => numberField(pull, 'number'));
    },
    recorded: (target) => recordedOf(attemptsOf(api, target, author), (attempt) => stateOf(api, attempt)),
    recordAttempt: (attempt) => recordAttempt(api, attempt, author),
    async endAttempt(id, end) {
      await api.request('POST', `/deployments/${id}/statuses`, { state: states[end], auto_inactive: false });
    },
  };
}

const states: Readonly<Record<AttemptEnd, string>> = { done: 'success', ended: 'inactive', failed: 'failure' };

/** An attempt is a deployment of this pipeline with a payload. */
function attemptsOf(api: ForgeApi, { environment, folder, baseUrl }: Target, author: string): AttemptList {
  return {
    pages: api.pages(`/deployments?environment=${encodeURIComponent(environment)}&task=${task}`),
    isOwn: (deployment) => {
      const payload = field(deployment, 'payload');
      const isOwn = textField(field(deployment, 'creator'), 'login') === author;
      return isOwn && textField(payload, 'folder') === folder && textField(payload, 'base_url') === baseUrl;
    },
  };
}

/** Statuses are only added. Those after `success` take nothing back: the forge adds `inactive` when another deployment ends. */
async function stateOf(api: ForgeApi, attempt: unknown): Promise<string> {
  const statuses = await api.list(`/deployments/${numberField(attempt, 'id')}/statuses`);
  return statuses.some((status) => field(status, 'state') === 'success') ? doneState : `${statuses.length} statuses`;
}

/** The waves of one plan are one attempt. */
async function recordAttempt(api: ForgeApi, attempt: Attempt, author: string): Promise<number> {
  const { environment, folder, baseUrl, commit, digest } = attempt;
  const [newest] = await newestAttempts(attemptsOf(api, attempt, author), ({ length }) => length > 0);
  const isSame = textField(newest, 'sha') === commit && textField(field(newest, 'payload'), 'digest') === digest;
  const deployment =
    isSame && (await stateOf(api, newest)) !== doneState
      ? newest
      : await api.request('POST', '/deployments', {
          ref: commit,
          task,
          environment,
          auto_merge: false,
          required_contexts: [],
          description: 'The files of this commit are applied.',
          payload: { folder, base_url: baseUrl, digest },
        });
  const id = numberField(deployment, 'id');
  await api.request('POST', `/deployments/${id}/statuses`, { state: 'in_progress', auto_inactive: false });
  return id;
}
