import { type Features, featuresWithout, type Heuristic, heuristics } from '../../src/client/limits/limit.ts';
import { playScript } from './scripted-service.ts';
import { furtherShapes, type NamedShape, namedShapes, randomShapes } from './shapes.ts';
import { type Scene, simulate } from './simulate.ts';

/** Runs under one condition. */
interface Scenario {
  readonly name: string;
  readonly shapes: readonly NamedShape[];
  readonly scene?: Partial<Scene>;
  /** Not part of the totals. */
  readonly isExtreme?: true;
}

interface Figures {
  /** Mean of all runs, 0 to 1; requests that were given up do not count as work done. */
  readonly used: number;
  /** Per 1,000 requests. */
  readonly refused: number;
  readonly givenUp: number;
}

const allShapes = [...namedShapes, ...furtherShapes];
const random = randomShapes(40, 7);
const few = namedShapes.map((shape) => ({ ...shape, requests: Math.min(shape.requests, 200) }));
const starving = namedShapes.slice(0, 1).map((shape) => ({ ...shape, requests: 100 }));

const scenarios: readonly Scenario[] = [
  { name: 'all headers', shapes: allShapes },
  { name: 'headers with 429 only', shapes: allShapes, scene: { headers: 'refusals' } },
  { name: 'no headers', shapes: few, scene: { headers: 'none' } },
  { name: 'random shapes', shapes: random },
  { name: 'random shapes, headers with 429 only', shapes: random, scene: { headers: 'refusals' } },
  { name: 'another client', shapes: namedShapes, scene: { competitor: 0.7 } },
  { name: 'another client takes 130 %', shapes: starving, scene: { competitor: 21, share: 0.9 }, isExtreme: true },
  { name: 'share 0.9', shapes: namedShapes, scene: { share: 0.9 } },
  { name: 'repeated headers', shapes: namedShapes, scene: { staleFor: 5 } },
  { name: 'no Date, clock 1 h ahead', shapes: namedShapes, scene: { noDate: true, skewMs: 3_600_000 } },
];

/**
 * One row for each heuristic: what the limiter does without it, and the conditions under which it loses most and is
 * refused most. `write` receives the rows as they are measured.
 */
export async function ablate(write: (row: string) => void): Promise<void> {
  const columns = [
    'switched off',
    'utilisation',
    'refused',
    'given up',
    'minute of 429',
    'largest loss',
    'most refusals added',
  ];
  write(row(columns));
  write(row(columns.map(() => '---')));
  const base = await measureAll(featuresWithout());
  write(row(['nothing: all are on', ...total(base), '', '']));
  for (const name of Object.keys(heuristics) as Heuristic[]) {
    const without = await measureAll(featuresWithout(name));
    const changes = scenarios.map((scenario, index) =>
      compare(scenario.name, base.figures[index], without.figures[index]),
    );
    const loss = changes.toSorted((one, other) => one.used - other.used)[0];
    const refusals = changes.toSorted((one, other) => other.refused - one.refused)[0];
    write(
      row([
        heuristics[name],
        ...total(without),
        loss !== undefined && loss.used < -0.0005 ? `${loss.name}: ${loss.usedText}` : 'none',
        refusals !== undefined && refusals.refused >= 0.1 ? `${refusals.name}: ${refusals.refusedText}` : 'none',
      ]),
    );
  }
}

async function measureAll(features: Features) {
  const figures: Figures[] = [];
  for (const scenario of scenarios) figures.push(await measure(scenario, features));
  return { figures, requestsInMinute: await minuteOfRefusals(features) };
}

async function measure({ shapes, scene = {} }: Scenario, features: Features): Promise<Figures> {
  let [used, refused, givenUp, requests, runs] = [0, 0, 0, 0, 0];
  for (const [index, shape] of shapes.entries()) {
    for (let seed = 1; seed <= 2; seed += 1) {
      const run = await simulate({ ...shape, ...scene, features, seed: seed + index * 100 });
      used += run.used * (1 - run.givenUp / shape.requests);
      refused += run.refusals;
      givenUp += run.givenUp;
      requests += shape.requests;
      runs += 1;
    }
  }
  return { used: used / runs, refused: (refused * 1000) / requests, givenUp };
}

/** The most requests in a minute of nothing but 429: without headers, with a reset, and with all headers. */
async function minuteOfRefusals(features: Features): Promise<number> {
  const reset = (wall: number) => ({
    date: new Date(wall).toUTCString(),
    'x-ratelimit-reset': `${Math.ceil(wall / 1000) + 1}`,
  });
  const all = (wall: number) => ({ ...reset(wall), 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' });
  const counts: number[] = [];
  for (const headers of [() => ({}), reset, all]) {
    const { requested } = await playScript({
      respond: (_ms, _index, wall) => ({ status: 429, headers: headers(wall) }),
      requests: 1000,
      workers: 16,
      forMs: 60_000,
      features,
    });
    counts.push(requested.length);
  }
  return Math.max(...counts);
}

function total({ figures, requestsInMinute }: Awaited<ReturnType<typeof measureAll>>): string[] {
  const usual = figures.filter((_one, index) => !scenarios[index]?.isExtreme);
  const mean = (of: (one: Figures) => number) => usual.reduce((sum, one) => sum + of(one), 0) / usual.length;
  const givenUp = figures.reduce((sum, one) => sum + one.givenUp, 0);
  return [
    percent(mean(({ used }) => used)),
    mean(({ refused }) => refused).toFixed(1),
    `${givenUp}`,
    `${requestsInMinute}`,
  ];
}

function compare(name: string, before: Figures | undefined, after: Figures | undefined) {
  const [one, other] = [before ?? nothing, after ?? nothing];
  return {
    name,
    used: other.used - one.used,
    usedText: `${percent(one.used)} to ${percent(other.used)}`,
    refused: other.refused - one.refused,
    refusedText: `${one.refused.toFixed(1)} to ${other.refused.toFixed(1)}`,
  };
}

const nothing: Figures = { used: 0, refused: 0, givenUp: 0 };

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}
