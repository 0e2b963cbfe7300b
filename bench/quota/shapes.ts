import type { Shape } from './limiters.ts';
import { randomFrom } from './simulate.ts';

export interface NamedShape {
  readonly name: string;
  readonly shapes: readonly Shape[];
  readonly requests: number;
}

/** The shapes of the published limits of such services, and of the free plan. */
export const namedShapes: readonly NamedShape[] = [
  { name: 'bucket 50 + 16/s', shapes: [{ kind: 'bucket', size: 50, perSecond: 16 }], requests: 2000 },
  { name: 'bucket 10 + 2/s', shapes: [{ kind: 'bucket', size: 10, perSecond: 2 }], requests: 300 },
  { name: 'window 100 / 10 s', shapes: [{ kind: 'window', size: 100, ms: 10_000 }], requests: 2000 },
  { name: 'window 10 / 1 s', shapes: [{ kind: 'window', size: 10, ms: 1000 }], requests: 2000 },
  {
    name: '50/s and 1,000/min',
    shapes: [
      { kind: 'bucket', size: 50, perSecond: 50 },
      { kind: 'bucket', size: 1000, perSecond: 1000 / 60 },
    ],
    requests: 2000,
  },
];

export const furtherShapes: readonly NamedShape[] = [
  { name: 'bucket 2 + 2/s', shapes: [{ kind: 'bucket', size: 2, perSecond: 2 }], requests: 300 },
  {
    name: 'bucket 10 + 2/s, reset is the next token',
    shapes: [{ kind: 'bucket', size: 10, perSecond: 2, reset: 'next' }],
    requests: 300,
  },
  {
    name: 'bucket 20 + 10/s, reset is the next token',
    shapes: [{ kind: 'bucket', size: 20, perSecond: 10, reset: 'next' }],
    requests: 450,
  },
  { name: 'bucket 5 + 5/min', shapes: [{ kind: 'bucket', size: 5, perSecond: 5 / 60 }], requests: 40 },
  { name: 'window 5 / 60 s', shapes: [{ kind: 'window', size: 5, ms: 60_000 }], requests: 40 },
];

/**
 * Buckets of 5 to 500 at 0.8 to 60 a second, windows of 1 to 60 s, and two buckets at once. Enough requests for a
 * minute and a half.
 */
export function randomShapes(count: number, seed: number): readonly NamedShape[] {
  const random = randomFrom(seed);
  const between = (low: number, high: number) => low * (high / low) ** random();
  return Array.from({ length: count }, (_none, index) => {
    const size = Math.round(between(5, 500));
    const perSecond = between(0.8, 60);
    const seconds = Math.max(1, Math.round(Math.min(60, size / perSecond)));
    const kind = ['bucket', 'bucket', 'window', 'dual'][index % 4];
    const requests = Math.min(1500, Math.round(size + 60 * perSecond));
    if (kind === 'window')
      return {
        name: `window ${size} / ${seconds} s`,
        shapes: [{ kind: 'window', size, ms: seconds * 1000 }],
        requests,
      };
    const bucket: Shape = { kind: 'bucket', size, perSecond };
    if (kind === 'bucket') return { name: `bucket ${size} + ${perSecond.toFixed(1)}/s`, shapes: [bucket], requests };
    const second: Shape = { kind: 'bucket', size: size * 8, perSecond: perSecond / 3 };
    return {
      name: `bucket ${size} + ${perSecond.toFixed(1)}/s and ${second.size} + ${second.perSecond.toFixed(1)}/s`,
      shapes: [bucket, second],
      requests,
    };
  });
}
