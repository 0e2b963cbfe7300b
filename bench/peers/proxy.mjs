/**
 * Between a tool and the embedded tenant: counts, answers what the tenant has no operation for, and hands the rest through, broken
 * connections included. A neutral answer first sends the tenant a small read in its place, with the caller's token: so it waits for
 * the latency and takes from the quota like any other request, and is refused as it would be.
 */
import { once } from 'node:events';
import { Agent, createServer, request as send } from 'node:http';
import { neutralAnswer } from './neutral.mjs';

const basePath = '/api/v2';
const inPlace = `${basePath}/event-streams?take=1`;

export async function startProxy(tenantOrigin) {
  const target = new URL(tenantOrigin);
  // Shorter than the tenant keeps a connection, so that none is used that is about to close.
  const agent = new Agent({ keepAlive: true, timeout: 2000 });
  const seen = [];
  const server = createServer((incoming, outgoing) => {
    const { method } = incoming;
    const { pathname } = new URL(incoming.url, tenantOrigin);
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : null;
    if (path !== null) seen.push({ method, path });
    const neutral = path === null ? undefined : neutralAnswer(method, path);
    if (neutral === undefined) forward(incoming, outgoing);
    else answerNeutrally(neutral, incoming, outgoing).catch(() => reset(outgoing));
  });

  function forward(incoming, outgoing) {
    const asked = send({ ...addressed(incoming), method: incoming.method, path: incoming.url }, (answered) => {
      outgoing.writeHead(answered.statusCode, answered.headers);
      answered.pipe(outgoing);
      answered.once('error', () => reset(outgoing));
    });
    asked.once('error', () => reset(outgoing));
    incoming.pipe(asked);
  }

  async function answerNeutrally(neutral, incoming, outgoing) {
    const body = await textOf(incoming);
    const { authorization = '' } = incoming.headers;
    const asked = send({
      ...addressed(incoming),
      method: 'GET',
      path: inPlace,
      headers: { host: target.host, authorization },
    }).end();
    const [answered] = await once(asked, 'response');
    const said = await textOf(answered);
    const text = answered.statusCode === 200 ? JSON.stringify(neutral(body === '' ? {} : JSON.parse(body))) : said;
    outgoing
      .writeHead(answered.statusCode, { ...rateHeaders(answered), 'content-type': 'application/json; charset=utf-8' })
      .end(text);
  }

  function addressed(incoming) {
    return { agent, hostname: target.hostname, port: target.port, headers: { ...incoming.headers, host: target.host } };
  }

  // Longer than any pause of a tool: a connection that is closed under its hands would be an accident of the bench.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    seen,
    async close() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function reset(outgoing) {
  outgoing.socket?.resetAndDestroy();
}

function rateHeaders({ headers }) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-ratelimit-') || name === 'retry-after'),
  );
}

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
