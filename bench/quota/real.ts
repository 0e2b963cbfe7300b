import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { openRateLimiter } from '../../src/client/limits/rate-limiter.ts';
import { clientLimits } from '../../src/client/session.ts';
import { systemClock } from '../../src/client/system-clock.ts';
import type { Exchange } from '../../src/client/transport/exchange.ts';
import { openLimiter, type Shape } from './limiters.ts';
import type { Row } from './table.ts';

/** One shape with real time, real sockets and the system's clock: 50 at once, 16 a second, about ten seconds. */
export async function realRow(): Promise<Row> {
  const shape: Shape = { kind: 'bucket', size: 50, perSecond: 16 };
  const requests = 200;
  const limiter = openLimiter(shape);
  let refused = 0;
  const server = createServer((_incoming, response) => {
    const now = Date.now();
    const granted = limiter.allows(now);
    if (granted) limiter.take(now);
    else refused += 1;
    const { remaining, reset } = limiter.show(now);
    setTimeout(() => {
      response.writeHead(granted ? 200 : 429, {
        'x-ratelimit-limit': limiter.limit,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': reset,
      });
      response.end();
    }, 60);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = openRateLimiter({
    clock: systemClock,
    limits: clientLimits(),
    signal: new AbortController().signal,
    share: 1,
    emit: () => {},
  });
  const send = async (): Promise<Exchange> => {
    const { statusCode, headers, body } = await request(url);
    await body.dump();
    return {
      responded: true,
      response: { status: statusCode, headers, body: { bytes: Buffer.alloc(0), error: null } },
    };
  };
  const until200 = async (): Promise<void> => {
    const exchange = await client.run({ operation: 'real', group: '' }, send);
    if (exchange.responded && exchange.response.status === 429) await until200();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: requests }, until200));
  const seconds = (performance.now() - started) / 1000;
  server.close();
  server.closeAllConnections();
  const used = (requests - shape.size) / shape.perSecond / seconds;
  return {
    what: `real HTTP server, bucket 50 + 16/s, ${requests} requests`,
    got: `${(used * 100).toFixed(1)} %, ${refused} refused, ${seconds.toFixed(1)} s`,
    target: '>= 95.0 %, <= 1',
    ok: used >= 0.95 && refused <= 1,
  };
}
