// A service at the other end of a slow link, which itself costs next to nothing: roles that all have the same pairs. Prints
// its base URL.
import { createServer } from 'node:http';

const [latency, roles, pairs] = process.argv.slice(2).map(Number);
const token = { access_token: 'bench', token_type: 'Bearer', expires_in: 3600 };
const permissions = Array.from({ length: pairs }, (_, index) => ({
  resource_server_identifier: 'https://orders.example/',
  permission_name: `do:${index}`,
}));

const server = createServer((request, response) => {
  const body = JSON.stringify(answer(new URL(request.url, 'http://localhost')));
  request.resume();
  setTimeout(() => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body), latency);
});

function answer({ pathname, searchParams }) {
  if (pathname.startsWith('/oauth/')) return token;
  if (pathname.endsWith('/permissions')) return { permissions, start: 0, limit: 100, total: pairs };
  const limit = Number(searchParams.get('per_page'));
  const start = Number(searchParams.get('page')) * limit;
  const ids = Array.from({ length: Math.max(0, Math.min(limit, roles - start)) }, (_, index) => start + index);
  return { roles: ids.map((id) => ({ id: `rol_${id}`, name: `Role ${id}` })), start, limit, total: roles };
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/api/v2\n`));
process.on('SIGTERM', () => process.exit());
