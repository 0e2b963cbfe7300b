// The embedded tenant in a process of its own, behind the proxy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startProxy } from './proxy.mjs';

/** `serveOptions` are those of `tenant-sync serve`. */
export async function startTenant(cli, seedFile, serveOptions = []) {
  const server = spawn(process.execPath, [cli, 'serve', '--seed', seedFile, '--port', '0', ...serveOptions], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = [];
  server.stderr.setEncoding('utf8').on('data', (text) => said.push(text));
  const stopped = once(server, 'exit');
  const baseUrl = await Promise.race([
    once(server.stdout.setEncoding('utf8'), 'data').then(([text]) => text.trim()),
    stopped.then(() => {
      throw new Error(`the embedded tenant did not start: ${said.join('')}`);
    }),
  ]);
  const proxy = await startProxy(new URL(baseUrl).origin);
  return {
    /** What the tools talk to. */
    proxy,
    /** Past the proxy, uncounted. */
    baseUrl,
    async close() {
      await proxy.close();
      server.kill('SIGTERM');
      await stopped;
    },
  };
}
