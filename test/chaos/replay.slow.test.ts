import { describe, expect, test } from 'vitest';
import { thorough } from '../support/thorough.ts';
import { playSeed } from './play-seed.ts';
import { renderSeed } from './render-seed.ts';

describe('a seed makes the same history again', () => {
  // Ports, folders, and the digests that the port is in.
  const byChance = /127\.0\.0\.1:\d+|tenant-sync-chaos-\w+|\b[0-9a-f]{12,64}\b/g;

  test.each(thorough ? [7, 16, 19, 24, 30] : [7, 19, 30])('seed %i', async (seed) => {
    const once = renderSeed(await playSeed(seed)).replaceAll(byChance, '');
    expect(renderSeed(await playSeed(seed)).replaceAll(byChance, '')).toBe(once);
    expect(once).toMatch(/^--- violations\nnone$/m);
  });
});
