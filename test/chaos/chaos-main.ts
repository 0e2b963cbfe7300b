/**
 * npm run chaos -- --seeds N [--seed S]   N seeds from S on (default 1), on as many processes as there are cores
 * npm run chaos -- --seed S               this one seed, with its history
 *
 * --until-violation   ends at the first broken seed
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { playSeed } from './play-seed.ts';
import { renderSeed } from './render-seed.ts';
import { type SeedSummary, startTotals, summaryOf, violationLines } from './totals.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    worker: { type: 'string' },
    'until-violation': { type: 'boolean' },
  },
});
const first = Number(values.seed ?? '1');

if (values.worker !== undefined) await work(values.worker);
else if (values.seeds !== undefined) await share(Number(values.seeds));
else await replay(first);

async function replay(seed: number): Promise<void> {
  const played = await playSeed(seed);
  console.log(renderSeed(played));
  process.exitCode = played.violations.length > 0 ? 1 : 0;
}

/** Every so many seeds of a range, sent to the parent one by one. */
async function work(range: string): Promise<void> {
  const [from = 0, to = 0, step = 1] = range.split(',').map(Number);
  let isStopped = false;
  process.on('message', () => {
    isStopped = true;
  });
  for (let seed = from; seed < to && !isStopped; seed += step) {
    process.send?.(summaryOf(await playSeed(seed)));
  }
  process.disconnect();
}

async function share(count: number): Promise<void> {
  const started = performance.now();
  const totals = startTotals();
  const workers = Math.max(1, Math.min(count, availableParallelism()));
  const children = Array.from({ length: workers }, (_none, index) => {
    const child = fork(process.argv[1] ?? '', ['--worker', `${first + index},${first + count},${workers}`]);
    child.on('message', (summary: SeedSummary) => {
      totals.add(summary);
      if (summary.violations.length === 0) return;
      console.log(violationLines(summary).join('\n'));
      if (values['until-violation']) for (const each of children) each.send('stop', () => {});
    });
    return child;
  });
  const exits = children.map((child) => once(child, 'exit') as Promise<[number | null]>);
  const codes = (await Promise.all(exits)).map(([code]) => code);
  console.log(totals.table((performance.now() - started) / 1000));
  const crashed = codes.some((code) => code !== 0);
  if (crashed) console.log('a process of the harness ended early');
  process.exitCode = totals.violations() > 0 || crashed ? 1 : 0;
}
