// No file takes more time than its size explains: twice the input costs at most 2.5 times the time.
import { describe, expect, test } from 'vitest';
import { hostileFolders, hostileInputs } from '../support/hostile-inputs.ts';
import { growthOf, isLinear } from '../support/measure-growth.ts';
import { sized } from '../support/thorough.ts';

describe('twice the input costs at most 2.5 times the time', () => {
  for (const input of [...hostileInputs, ...hostileFolders])
    test(input.name, async () => {
      const growth = await growthOf({ ...input, units: sized(input.units) });
      expect(isLinear(growth), `${growth.once.toFixed(1)} ms, then ${growth.twice.toFixed(1)} ms`).toBe(true);
    });
});
