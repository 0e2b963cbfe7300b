// One run, or the median of several: always on a fresh tenant, and only counted when the tool did what it was asked.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchClient } from './bench-client.mjs';
import { comparable, readLive } from './live-state.mjs';
import { runMeasured } from './run-measured.mjs';
import { startTenant } from './served-tenant.mjs';
import { peerConnection } from './tools.mjs';
import { writeFiles } from './write-files.mjs';

/** Between the starts of overlapping runs: the peer keeps a core busy until it has compiled its schemas, and then hardly any. */
const apartMs = 20_000;

export function createMeasure({ cli, tools, folder, rounds }) {
  return async function measure(task, serve) {
    const prepared = await prepare(folder, task);
    const once = (tool) => checkedRun(cli, tool, { ...prepared, task, serve });
    const [peer, ours] = tools;
    const taken = task.overlap ? await overlapping(peer, ours) : await alternating();
    return Object.fromEntries(Object.entries(taken).map(([name, runs]) => [name, medians(runs)]));

    /** So that a machine whose speed drifts hurts both alike. */
    async function alternating() {
      const runs = { peer: [], ours: [] };
      for (let round = 0; round < rounds; round += 1) for (const tool of tools) runs[tool.name].push(await once(tool));
      return runs;
    }

    async function overlapping() {
      const later = async (_, round) => {
        await sleep(round * apartMs);
        return once(peer);
      };
      const runs = { peer: await Promise.all(Array.from({ length: rounds }, later)), ours: [] };
      for (let round = 0; round < rounds; round += 1) runs.ours.push(await once(ours));
      return runs;
    }
  };
}

/** Files and seed of a task; a task without a tenant needs neither. */
export async function prepare(folder, { live, declared }) {
  if (live === undefined) return {};
  const own = await mkdtemp(join(folder, 'task-'));
  const seedFile = join(own, 'seed.json');
  await writeFile(seedFile, JSON.stringify({ clients: [benchClient], ...live }));
  return { seedFile, place: await writeFiles(own, declared, peerConnection) };
}

async function checkedRun(cli, tool, { task, serve, seedFile, place }) {
  if (seedFile === undefined)
    return { ...(await runMeasured(tool.command({ task: task.task }))), requests: 0, writes: 0 };
  const run = await runOnTenant({ cli, tool, task, serve, seedFile, place });
  assert.equal(run.exitCode, 0, `${tool.name}, ${task.name}:\n${run.output.slice(-2000)}`);
  assert.deepEqual(
    run.live,
    comparable(task.task === 'plan' ? task.live : task.declared),
    `${tool.name}, ${task.name}: the tenant is not as it should be`,
  );
  return run;
}

/** One run on a tenant of its own: what it used, what it sent, and what the tenant then holds. */
export async function runOnTenant({ cli, tool, task, serve, seedFile, place }) {
  const tenant = await startTenant(cli, seedFile, serve);
  try {
    const run = await runMeasured(tool.command({ task: task.task, place, origin: tenant.proxy.origin }));
    const seen = [...tenant.proxy.seen];
    return {
      ...run,
      requests: seen.length,
      writes: seen.filter(({ method }) => method !== 'GET').length,
      live: await readLive(tenant.baseUrl, task.live),
    };
  } finally {
    await tenant.close();
  }
}

function medians(runs) {
  return Object.fromEntries(
    ['requests', 'writes', 'wallMs', 'cpuMs', 'peakMb'].map((name) => [name, median(runs.map((run) => run[name]))]),
  );
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
