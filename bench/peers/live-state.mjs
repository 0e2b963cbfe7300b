// What the tenant holds, read past the proxy, in a form in which a declared state can be compared with it.
import { setTimeout as sleep } from 'node:timers/promises';
import { audience, benchClient } from './bench-client.mjs';

/** Only the sections that `like` has are read. */
export async function readLive(baseUrl, like) {
  const get = await openReader(baseUrl);
  const found = {};
  if (like.rate_limit_policies) found.rate_limit_policies = await readPolicies(get);
  if (like.roles) found.roles = await readRoles(get);
  if (like.prompts) found.prompts = await readPrompts(get, Object.keys(like.prompts));
  return comparable(found);
}

/** Without ids and times, in one order. */
export function comparable({ rate_limit_policies = [], roles = [], prompts = {} }) {
  return {
    policies: rate_limit_policies
      .map((item) => `${item.resource} ${item.consumer} ${item.consumer_selector} ${sorted(item.configuration)}`)
      .sort(),
    roles: Object.fromEntries(
      roles.map(({ name, permissions }) => [name, permissions.map((pair) => pair.permission_name).sort()]).sort(),
    ),
    prompts,
  };
}

function sorted(configuration) {
  return JSON.stringify(Object.entries(configuration).sort());
}

async function readPolicies(get) {
  const items = [];
  let next = '';
  do {
    const page = await get(`/rate-limit-policies?take=100${next && `&from=${encodeURIComponent(next)}`}`);
    items.push(...page.rate_limit_policies);
    next = page.next ?? '';
  } while (next !== '');
  return items;
}

/** Up to 100 roles of up to 100 permissions: there are no larger ones here. */
async function readRoles(get) {
  const listed = await get('/roles?per_page=100');
  const read = [];
  for (const role of listed)
    read.push({ ...role, permissions: await get(`/roles/${role.id}/permissions?per_page=100`) });
  return read;
}

async function readPrompts(get, names) {
  const read = [];
  for (const name of names) read.push([name, { partials: await get(`/prompts/${name}/partials`) }]);
  return Object.fromEntries(read);
}

async function openReader(baseUrl) {
  const { client_id, client_secret } = benchClient;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, audience });
  const { access_token } = await (await fetch(new URL('/oauth/token', baseUrl), { method: 'POST', body: form })).json();
  return async function get(path) {
    const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${access_token}` } });
    if (answer.ok) return answer.json();
    // The run that is over may have used up the quota.
    if (answer.status !== 429) throw new Error(`${path} was answered ${answer.status}`);
    await sleep(200);
    return get(path);
  };
}
