/**
 * Kills an apply at a chosen point. A proxy on loopback, between the built command and a tenant of this process, kills when it
 * sees the chosen write, so no test depends on timing.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { type BuiltResult, runBuilt } from './built-command.ts';
import { runCommand } from './run-command.ts';
import type { StartedTenant } from './start-tenant.ts';

/** `before` the write is performed, when it is `committed` without a response, or when it is `answered`. */
export interface KillPoint {
  /** Counted from 1. */
  readonly write: number;
  readonly moment: 'before' | 'committed' | 'answered';
}

export interface ProxiedRun {
  readonly argv: readonly string[];
  /** Variables besides those of the tenant: a state folder, secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly kill?: KillPoint;
  readonly signal?: NodeJS.Signals;
  /** Without a kill, the same command runs in this process, which is quicker; true for one of its own. */
  readonly built?: boolean;
  /** The tenant's state after every write that reached it. */
  readonly onState?: (state: Seed) => void;
}

export interface ProxiedResult extends BuiltResult {
  /** Writes that reached the proxy, as `METHOD /path`. */
  readonly writes: readonly string[];
}

export interface KillProxy {
  /** Ends in /api/v2. */
  readonly baseUrl: string;
  /** Runs the command once; one run at a time. */
  run(options: ProxiedRun): Promise<ProxiedResult>;
}

interface CurrentRun extends ProxiedRun {
  readonly writes: string[];
  child: ChildProcess | undefined;
}

/** A proxy in front of a tenant; it is closed after the test. */
export async function startKillProxy(tenant: StartedTenant): Promise<KillProxy> {
  let current: CurrentRun | undefined;
  const server = createServer((incoming, outgoing) => {
    if (current === undefined) outgoing.destroy();
    else void answer(tenant, current, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
  const proxied = { ...tenant.env, TENANT_SYNC_BASE_URL: baseUrl, TENANT_SYNC_AUDIENCE: `${tenant.baseUrl}/` };
  const run: KillProxy['run'] = async (options) => {
    const started: CurrentRun = { ...options, writes: [], child: undefined };
    current = started;
    const env = { ...proxied, ...options.env };
    const isBuilt = options.built === true || options.kill !== undefined;
    const result = isBuilt
      ? await runBuilt(options.argv, env, (child) => {
          started.child = child;
        })
      : { ...(await runCommand(options.argv, { env, clock: systemClock })), signal: null };
    return { ...result, writes: started.writes };
  };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl, run };
}

async function answer(
  tenant: StartedTenant,
  current: CurrentRun,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await bodyOf(incoming);
  const path = incoming.url?.replace('/api/v2', '') ?? '';
  const isWrite = incoming.method !== 'GET' && path !== incoming.url;
  if (isWrite) current.writes.push(`${incoming.method} ${path}`);
  const moment = isWrite && current.writes.length === current.kill?.write ? current.kill.moment : null;
  if (moment === 'before' && (await end(current))) return;
  const reply = await forward(tenant, incoming, body);
  if (isWrite) current.onState?.(tenant.tenant.snapshot());
  if (moment === 'committed') await end(current);
  if (moment === 'answered') outgoing.once('finish', () => void end(current));
  outgoing.writeHead(reply.status, reply.headers).end(reply.body);
}

/** Returns true when the process has ended. */
async function end({ child, signal = 'SIGKILL' }: CurrentRun): Promise<boolean> {
  child?.kill(signal);
  if (signal !== 'SIGKILL') return false;
  if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return true;
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function forward(
  { origin }: StartedTenant,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
) {
  const kept = ['authorization', 'content-type', 'accept'].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]] as const] : [],
  );
  const response = await fetch(origin + url, {
    method,
    headers: Object.fromEntries(kept),
    ...(body.length > 0 && { body }),
  });
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: type === null ? {} : { 'content-type': type },
    body: Buffer.from(await response.arrayBuffer()),
  };
}
