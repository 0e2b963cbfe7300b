// What the benchmarks share: processes that are measured, and rows of figures with their bounds.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
export const cli = join(root, 'dist/cli/main.cjs');
/** Removed when all is measured. */
export const work = await mkdtemp(join(tmpdir(), 'tenant-sync-bench-'));
const rows = [];
/** Exit codes of runs that did what they are measured for: done, changes, and changes that the guards refuse. */
const measurable = [0, 2, 4];

/** Measures the parts of these names, or all, and prints their rows. */
export async function measureParts(parts, wanted) {
  try {
    for (const [name, measure] of Object.entries(parts)) {
      if (wanted.length === 0 || wanted.includes(name)) await measure();
    }
  } finally {
    // What was measured before a part failed as well.
    print();
    await rm(work, { recursive: true, force: true });
  }
}

/** Runs the candidates in turn, so that a machine whose speed drifts hurts all alike; answers the median of each. */
export async function alternate(times, candidates) {
  const taken = candidates.map(() => []);
  for (let round = 0; round <= times; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      const started = performance.now();
      await candidate();
      // The first round warms the file cache.
      if (round > 0) taken[index].push(performance.now() - started);
    }
  }
  return taken.map((values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]);
}

export function environment(baseUrl) {
  return {
    TENANT_SYNC_BASE_URL: baseUrl,
    TENANT_SYNC_CLIENT_ID: 'bench',
    TENANT_SYNC_CLIENT_SECRET: 'bench-only',
  };
}

/** A whole process; what it prints is kept, and what it used comes over a descriptor of its own. */
export async function run(args, env = {}, { bare = false } = {}) {
  const preload = ['--import', new URL('./report-usage.mjs', import.meta.url).href];
  const measured = bare || !args.includes('plan') ? [] : preload;
  const child = spawn(process.execPath, [...measured, ...(bare ? [] : [cli]), ...args], {
    env: { PATH: process.env.PATH, XDG_CACHE_HOME: work, ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const [stdout, usage, code] = await Promise.all([
    collect(child.stdout),
    collect(child.stdio[3]),
    new Promise((resolve) => child.once('exit', resolve)),
  ]);
  if (!measurable.includes(code) || stdout.includes('INCOMPLETE'))
    throw new Error(`${args.join(' ')} ended with ${code}: ${stdout.slice(0, 1000)}`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(usage || '{}');
  return { stdout, maxRssMb: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export function row(name, value, bound, holds, detail = '') {
  rows.push({ name, value: String(value), bound, holds: holds ? 'yes' : 'NO', detail });
}

function print() {
  const width = (key) => Math.max(0, ...rows.map((line) => line[key].length));
  for (const line of rows) {
    console.log(
      `${line.name.padEnd(width('name'))}  ${line.value.padStart(width('value'))}  ${line.bound.padEnd(width('bound'))}  ${line.holds.padEnd(3)}  ${line.detail}`.trimEnd(),
    );
  }
  if (rows.some(({ holds }) => holds === 'NO')) process.exitCode = 1;
}

export function ratio(a, b) {
  return (a / b).toFixed(2);
}

export function ms(value) {
  return `${value.toFixed(0)} ms`;
}
