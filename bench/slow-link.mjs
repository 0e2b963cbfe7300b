// A service at the other end of a slow link, which itself costs next to nothing: every role holds the same pairs. Prints its address,
// and then, as each run ends, the milliseconds from its token to its last answer.
import { createServer } from 'node:http';

const [latency = '50', pairs = '20'] = process.argv.slice(2);
const permissions = Array.from({ length: Number(pairs) }, (_, index) => ({
  resource_server_identifier: 'https://orders.example/',
  permission_name: `do:${index}`,
}));
const page = JSON.stringify({ permissions, start: 0, limit: 100, total: permissions.length });
const token = JSON.stringify({ access_token: 'bench', token_type: 'Bearer', expires_in: 3600 });

let started = 0;
let open = 0;
let quiet;
const server = createServer((request, response) => {
  if (request.method === 'POST') started = performance.now();
  open += 1;
  clearTimeout(quiet);
  const answer = request.method === 'POST' ? token : page;
  request.resume();
  setTimeout(
    () => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer, answered),
    Number(latency),
  );
});

function answered() {
  open -= 1;
  const took = performance.now() - started;
  if (open === 0) quiet = setTimeout(() => process.stdout.write(`${took}\n`), 300);
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/api/v2\n`));
process.on('SIGTERM', () => process.exit());
