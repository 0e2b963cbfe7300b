// What any client must do: fetch every page of the listing and parse it.
import { Pool } from 'undici';

const {
  TENANT_SYNC_BASE_URL: baseUrl = '',
  TENANT_SYNC_CLIENT_ID: id = '',
  TENANT_SYNC_CLIENT_SECRET: secret = '',
} = process.env;
const { origin } = new URL(baseUrl);
const pool = new Pool(origin);
const form = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: id,
  client_secret: secret,
  audience: `${baseUrl}/`,
});
const token = await (
  await pool.request({
    method: 'POST',
    path: '/oauth/token/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(form),
  })
).body.json();
const headers = { authorization: `Bearer ${token.access_token}` };
let items = 0;
let next = '';
do {
  const { body } = await pool.request({
    method: 'GET',
    path: `/api/v2/rate-limit-policies?take=100${next && `&from=${encodeURIComponent(next)}`}`,
    headers,
  });
  const page = JSON.parse(await body.text());
  items += page.rate_limit_policies.length;
  next = page.next ?? '';
} while (next !== '');
await pool.close();
process.stdout.write(`${items}\n`);
