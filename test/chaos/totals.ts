import { type Invariant, invariants, type Violation } from './history.ts';
import type { PlayedSeed } from './play-seed.ts';

/** The result of a seed: plain data, so that it can pass between processes. */
export interface SeedSummary {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly runs: number;
  readonly requests: number;
  /** Of everything else that is counted, by the name of its row. */
  readonly counts: readonly (readonly [string, number])[];
}

export interface Totals {
  add(summary: SeedSummary): void;
  violations(): number;
  /** The table of docs/internals/chaos.md. */
  table(seconds: number): string;
}

/** Violations of one seed that are shown. */
const shown = 5;

export function startTotals(): Totals {
  const summaries: SeedSummary[] = [];
  const total = (count: (summary: SeedSummary) => number) =>
    summaries.reduce((sum, summary) => sum + count(summary), 0);
  const broken = (invariant: Invariant) =>
    total(({ violations }) => violations.filter((one) => one.invariant === invariant).length);
  return {
    add: (summary) => {
      summaries.push(summary);
    },
    violations: () => total(({ violations }) => violations.length),
    table(seconds) {
      const runs = [0, 1, 2]
        .map((count) => [count, summaries.filter((summary) => summary.runs === count).length] as const)
        .filter(([, seeds]) => seeds > 0);
      const counts = addUp(summaries.flatMap(({ counts: some }) => some));
      return [
        row('seeds', summaries.length),
        row(
          'requests',
          total(({ requests }) => requests),
        ),
        ...runs.map(([count, seeds]) => row(`converged in ${count === 1 ? '1 run' : `${count} runs`}`, seeds)),
        ...[...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, count]) => row(name, count)),
        ...invariants.map((invariant) => row(`violations of ${invariant}`, broken(invariant))),
        row('wall time, s', Math.round(seconds)),
      ].join('\n');
    },
  };
}

function row(name: string, value: number): string {
  return `${name.padEnd(24)}${String(value).padStart(10)}`;
}

/** The result of a seed, with its faults, exit codes and outcomes counted. */
export function summaryOf({ seed, violations, runs, requests, faults, histories }: PlayedSeed): SeedSummary {
  const applies = histories.filter(({ command }) => command === 'apply').map(({ told }) => told);
  const counts = addUp([
    ...[...faults].map(([kind, hits]) => [`fault ${kind}`, hits] as const),
    ['changes by others', histories.flatMap(({ steps }) => steps).filter(({ type }) => type === 'foreign').length],
    ...applies.map(({ code }) => [`apply answered ${code ?? 'nothing'}`, 1] as const),
    ...applies.flatMap(({ outcomes }) => (outcomes ?? []).map(({ outcome }) => [`told as ${outcome}`, 1] as const)),
  ]);
  return { seed, violations, runs, requests, counts: [...counts] };
}

function addUp(counts: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

/** The violations of a seed, and how to replay it. */
export function violationLines({ seed, violations }: SeedSummary): string[] {
  const more = violations.length > shown ? [`seed ${seed}: and ${violations.length - shown} more`] : [];
  const lines = violations.slice(0, shown).map(({ invariant, message }) => `seed ${seed}: ${invariant}: ${message}`);
  return [...lines, ...more, `seed ${seed}: replay it with npm run chaos -- --seed ${seed}`];
}
