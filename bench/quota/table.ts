import { furtherShapes, type NamedShape, namedShapes, randomShapes } from './shapes.ts';
import { type Scene, simulate } from './simulate.ts';

/** A number beside its bound. `ok` is null where there is no bound. */
export interface Row {
  readonly what: string;
  readonly got: string;
  readonly target: string;
  readonly ok: boolean | null;
}

interface Measured {
  /** Median of all seeds, 0 to 1. */
  readonly used: number;
  readonly refusals: number;
  readonly givenUp: number;
  readonly competitorRefusals: number;
}

export async function measure(
  { shapes, requests }: NamedShape,
  more: Partial<Scene>,
  seeds: number,
): Promise<Measured> {
  const used: number[] = [];
  let [refusals, givenUp, asked, refused] = [0, 0, 0, 0];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const run = await simulate({ shapes, requests, ...more, seed });
    used.push(run.used);
    refusals += run.refusals;
    givenUp += run.givenUp;
    asked += run.competitor.asked;
    refused += run.competitor.refused;
  }
  const perThousand = 1000 / (requests * seeds);
  return {
    used: quantile(used, 0.5),
    refusals: refusals * perThousand,
    givenUp,
    competitorRefusals: asked === 0 ? 0 : (refused * 1000) / asked,
  };
}

export function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}

const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
const describe = ({ used, refusals, givenUp }: Measured) =>
  `${percent(used)}, ${refusals.toFixed(1)} refused per 1,000${givenUp > 0 ? `, ${givenUp} given up` : ''}`;

/** The figures of the rate limiter on the virtual clock, `seeds` runs each. */
export async function quotaTable(seeds: number, random: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const bound = (what: string, got: Measured, used: number, refusals: number) =>
    rows.push({
      what,
      got: describe(got),
      target: `>= ${percent(used)}, <= ${refusals}`,
      ok: got.used >= used && got.refusals <= refusals && got.givenUp === 0,
    });

  for (const shape of namedShapes) {
    const plain = await measure(shape, {}, seeds);
    bound(`${shape.name}: headers on all responses`, plain, 0.95, 2);
    bound(
      `${shape.name}: headers on refusals only`,
      await measure(shape, { headers: 'refusals' }, seeds),
      0.9,
      shape.name.includes('2/s') ? 100 : 50,
    );
    for (const [name, skewMs] of skews) {
      const skewed = await measure(shape, { skewMs }, seeds);
      const differs = Math.abs(skewed.used - plain.used);
      rows.push({
        what: `${shape.name}: service clock ${name}`,
        got: `${percent(differs)} off`,
        target: '<= 1.0 %',
        ok: differs <= 0.01,
      });
    }
    const perSecond = Math.min(
      ...shape.shapes.map((one) => (one.kind === 'bucket' ? one.perSecond : one.size / (one.ms / 1000))),
    );
    const contested = await measure(shape, { competitor: perSecond * 0.3 }, seeds);
    bound(`${shape.name}: another client takes 30 %`, contested, 0.9 * 0.7, 60);
    const [alone, beside] = [
      await besideOnly(shape, perSecond),
      await measure(shape, { competitor: perSecond * 0.3, share: 0.5 }, seeds),
    ];
    const more = beside.competitorRefusals - alone;
    rows.push({
      what: `${shape.name}: share 0.5, refusals of another client`,
      got: `${more.toFixed(1)} more per 1,000`,
      target: '<= 1',
      ok: more <= 1,
    });
    rows.push({
      what: `${shape.name}: share 0.9`,
      got: describe(await measure(shape, { share: 0.9 }, seeds)),
      target: '',
      ok: null,
    });
  }
  for (const shape of furtherShapes) {
    rows.push({
      what: `${shape.name}: headers on all responses`,
      got: describe(await measure(shape, {}, seeds)),
      target: '',
      ok: null,
    });
    rows.push({
      what: `${shape.name}: headers on refusals only`,
      got: describe(await measure(shape, { headers: 'refusals' }, seeds)),
      target: '',
      ok: null,
    });
  }
  for (const reset of ['full', 'next'] as const) {
    const slowest = await slowestShortRun(reset, 100);
    rows.push({
      what: `bucket 10 + 10/s, reset is ${reset === 'full' ? 'when it is full' : 'the next token'}: slowest of 100 runs of 12 requests`,
      got: `${slowest.toFixed(0)} ms`,
      target: '<= 2000 ms',
      ok: slowest <= 2000,
    });
  }
  for (const [name, more] of weakSpots) {
    for (const shape of namedShapes)
      rows.push({
        what: `${shape.name}: ${name}`,
        got: describe(await measure(shape, more, seeds)),
        target: '',
        ok: null,
      });
  }
  rows.push(...(await sweep(random)));
  return rows;
}

/** Most plans send few requests: one wait by a wrong guess takes longer than all of them. Milliseconds. */
export async function slowestShortRun(reset: 'full' | 'next', seeds: number): Promise<number> {
  let slowest = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const shapes = [{ kind: 'bucket', size: 10, perSecond: 10, reset }] as const;
    slowest = Math.max(slowest, (await simulate({ shapes, requests: 12, share: 0.9, seed })).ms);
  }
  return slowest;
}

const skews: readonly (readonly [string, number])[] = [
  ['1 h ahead', 3_600_000],
  ['1 h behind', -3_600_000],
  ['24 h ahead', 86_400_000],
  ['24 h behind', -86_400_000],
];

const weakSpots: readonly (readonly [string, Partial<Scene>])[] = [
  ['each response repeated by the next 4', { staleFor: 5 }],
  ['no Date, clock 1 h ahead', { noDate: true, skewMs: 3_600_000 }],
  ['no Date, clock 1 h behind', { noDate: true, skewMs: -3_600_000 }],
];

/** What another client is refused without us. */
async function besideOnly(shape: NamedShape, perSecond: number): Promise<number> {
  const { competitorRefusals } = await measure(
    { ...shape, requests: 20 },
    { competitor: perSecond * 0.3, share: 0.05 },
    3,
  );
  return competitorRefusals;
}

export async function sweep(count: number): Promise<readonly Row[]> {
  const runs: { readonly name: string; readonly used: number; readonly refusals: number; readonly givenUp: number }[] =
    [];
  for (const [index, shape] of randomShapes(count, 7).entries()) {
    const { used, refusals, givenUp } = await simulate({ ...shape, seed: index });
    runs.push({ name: shape.name, used, refusals: (refusals * 1000) / shape.requests, givenUp });
  }
  const used = runs.map((run) => run.used);
  const [median, low] = [quantile(used, 0.5), quantile(used, 0.05)];
  const [worst] = [...runs].sort((a, b) => a.used - b.used);
  const givenUp = runs.reduce((sum, run) => sum + run.givenUp, 0);
  return [
    { what: `${count} random shapes: median`, got: percent(median), target: '>= 97.0 %', ok: median >= 0.97 },
    { what: `${count} random shapes: 5th percentile`, got: percent(low), target: '>= 75.0 %', ok: low >= 0.75 },
    { what: `${count} random shapes: requests given up`, got: `${givenUp}`, target: '= 0', ok: givenUp === 0 },
    {
      what: `${count} random shapes: worst`,
      got: `${percent(worst?.used ?? 0)} (${worst?.name})`,
      target: '',
      ok: null,
    },
    {
      what: `${count} random shapes: median of refusals`,
      got: `${quantile(
        runs.map((run) => run.refusals),
        0.5,
      ).toFixed(1)} per 1,000`,
      target: '',
      ok: null,
    },
  ];
}
