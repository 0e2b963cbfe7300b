// What any client must do: fetch every page of the listing and parse it. `roles` fetches the roles and the permissions of
// each, as many at once as the client of this project.
import { Pool } from 'undici';

const {
  TENANT_SYNC_BASE_URL: baseUrl = '',
  TENANT_SYNC_CLIENT_ID: id = '',
  TENANT_SYNC_CLIENT_SECRET: secret = '',
} = process.env;
const atOnce = 16;
const pool = new Pool(new URL(baseUrl).origin);
const form = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: id,
  client_secret: secret,
  audience: `${baseUrl}/`,
});
const token = await json({
  method: 'POST',
  path: '/oauth/token/',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: String(form),
});
const headers = { authorization: `Bearer ${token.access_token}` };
process.stdout.write(`${process.argv[2] === 'roles' ? await permissions() : await policies()}\n`);
await pool.close();

async function policies() {
  let items = 0;
  let next = '';
  do {
    const page = await read(`/rate-limit-policies?take=100${next && `&from=${encodeURIComponent(next)}`}`);
    items += page.rate_limit_policies.length;
    next = page.next ?? '';
  } while (next !== '');
  return items;
}

async function permissions() {
  const roles = [];
  for (let page = 0, total = 1; roles.length < total; page += 1) {
    const listed = await read(`/roles?page=${page}&per_page=100&include_totals=true`);
    roles.push(...listed.roles);
    total = listed.total;
  }
  let items = 0;
  const readNext = async () => {
    for (let role = roles.pop(); role !== undefined; role = roles.pop()) {
      const page = await read(`/roles/${role.id}/permissions?page=0&per_page=100&include_totals=true`);
      items += page.permissions.length;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
  return items;
}

function read(path) {
  return json({ method: 'GET', path: `/api/v2${path}`, headers });
}

async function json(request) {
  const { body } = await pool.request(request);
  return JSON.parse(await body.text());
}
