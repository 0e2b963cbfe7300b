// Pages that are made to keep a client busy: the run ends soon, and a signal is not kept waiting.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { runBuilt } from '../support/built-command.ts';
import { folder } from '../support/temp-folder.ts';

const files = { 'policies.yaml': 'rate_limit_policies: []\n' };

/** A tenant that gives this page again and again; `onSent` is called when its last byte is on its way. */
async function startTenant(page: string, onSent: () => void) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(page, onSent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { TENANT_SYNC_BASE_URL: `${url}/api/v2`, TENANT_SYNC_TOKEN: 'e30.e30.c2ln' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const pageOf = (item: string, count: number) => `{"rate_limit_policies":[${`${item},`.repeat(count - 1)}${item}]}`;
const bad = '{"id":5,"resource":"x","consumer":7,"a":{"b":[]}}';
const oddFields = Array.from({ length: 900 }, (_none, index) => `"f${index}":{}`).join(',');
const odd = (index: number) =>
  `{"id":"rlp_${index}","resource":"a","consumer":"b","consumer_selector":"c${index}","configuration":{"action":"d"},${oddFields}}`;

describe.each<[string, string]>([
  ['40,000 items that fail their schema', pageOf(bad, 40_000)],
  ['900,000 items that fail their schema', pageOf('{"id":5}', 900_000)],
  ['900,000 numbers', pageOf('1', 900_000)],
  ['8 MB of brackets', '['.repeat(8_000_000)],
  [
    '100 items with 900 unknown fields each',
    `{"rate_limit_policies":[${Array.from({ length: 100 }, (_none, index) => odd(index)).join(',')}]}`,
  ],
])('%s', (_name, page) => {
  test('end a plan in a few seconds', async () => {
    await using tenant = await startTenant(page, () => {});
    const begun = performance.now();
    const { code, stdout } = await runBuilt(['plan', await folder(files)], tenant.env);
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(stdout).toMatch(/LIVE_LISTING_INCOMPLETE|LIVE_UNEXPECTED_FIELD/);
    expect([0, 4]).toContain(code);
  });

  test('do not delay a signal by more than 300 ms', async () => {
    // Beside the time that a page takes which needs no work at all.
    const delay = (await shortestDelay(page)) - (await shortestDelay(pageOf('', 1)));
    expect(delay).toBeLessThan(300);
  });
});

/** Milliseconds from a signal at the moment when the page has been sent to the end of the process. */
async function shortestDelay(page: string): Promise<number> {
  const delays: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    let sent = Number.NaN;
    let interrupt = () => {};
    await using tenant = await startTenant(page, () => interrupt());
    await runBuilt(['plan', await folder(files)], tenant.env, (child) => {
      interrupt = () => {
        sent = performance.now();
        child.kill('SIGINT');
      };
    });
    delays.push(performance.now() - sent);
  }
  return Math.min(...delays);
}
