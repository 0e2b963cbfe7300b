import { spawn } from 'node:child_process';
import { once as onceEmitted } from 'node:events';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadDesired } from '../../src/config/load-desired.ts';
import { noVariables } from '../../src/config/variables/variables.ts';
import { kinds } from './all-kinds.ts';
import { memorySource } from './memory-source.ts';
import { startProcessorTime } from './processor-time.ts';

const rounds = 2;
/** Collecting what others left makes a round inexact: a growth that seems too large is measured more often, without garbage. */
const mostRounds = 15;
/** A round this long is exact enough if its growth is as expected. Otherwise, another process may have slowed it down. */
const longMs = 1_000;
/** No round begins after as much time. */
const mostMs = 20_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
setFlagsFromString('--no-expose-gc');

export interface Growth {
  /** Processor time of the work, the least of some rounds, in milliseconds. */
  readonly once: number;
  /** The same for an input of twice the size. */
  readonly twice: number;
}

type Files = string | Readonly<Record<string, string>>;

interface Growing {
  make(units: number): Files;
  readonly units: number;
}

const mostGrowth = 2.5;
/** Below it, the collection of garbage decides. */
const leastMs = 50;

export function isLinear({ once, twice }: Growth): boolean {
  return twice < mostGrowth * Math.max(once, leastMs) + leastMs;
}

/** The time of loading files that grow with `units`: one text, or texts by name. */
export function growthOf({ make, units }: Growing): Promise<Growth> {
  const [once, twice] = [make(units), make(2 * units)];
  return growthOfWork({ once: () => load(once), twice: () => load(twice) });
}

/** The time of any work, and of the same with twice the input. */
export async function growthOfWork(work: Record<keyof Growth, () => Promise<unknown>>): Promise<Growth> {
  const both = [work.once, work.twice];
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const growth = (): Growth => ({ once: least[0] ?? 0, twice: least[1] ?? 0 });
  const spent = startProcessorTime();
  for (let round = 0; round < (isLinear(growth()) ? rounds : mostRounds); round += 1) {
    for (const [index, use] of both.entries()) {
      if (round >= rounds) collectGarbage();
      least[index] = Math.min(least[index] ?? 0, await processorTime(use));
    }
    if (spent() > mostMs || (isLinear(growth()) && Math.max(...least) > longMs)) break;
  }
  return growth();
}

async function load(input: Files): Promise<void> {
  const files = typeof input === 'string' ? { 'a.yaml': input } : input;
  await loadDesired(memorySource(files), kinds, { ...noVariables, env: { A: 'x' }, allowEnv: ['A'] });
}

async function processorTime(use: () => Promise<unknown>): Promise<number> {
  const spent = startProcessorTime();
  await use();
  return spent();
}

export interface Measured {
  readonly code: number | null;
  /** Processor time. */
  readonly seconds: number;
  /** At its peak. */
  readonly megabytes: number;
}

const root = join(import.meta.dirname, '..', '..');

/** A command of the built program on a folder, in a process of its own. */
export async function runMeasured(command: string, folder: string): Promise<Measured> {
  const report = `import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const child = spawn(process.execPath, ['--import', preload, join(root, 'dist/cli/main.cjs'), command, folder], {
    env: { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: devNull },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let usage = '';
  child.stdio[3]?.on('data', (chunk) => {
    usage += String(chunk);
  });
  const [code] = (await onceEmitted(child, 'close')) as [number | null];
  if (usage === '') return { code, seconds: Number.POSITIVE_INFINITY, megabytes: Number.POSITIVE_INFINITY };
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(usage) as NodeJS.ResourceUsage;
  return { code, seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
}
