import { hostileInputs } from '../../test/support/hostile-inputs.ts';
import { type Growth, growthOf } from '../../test/support/measure-growth.ts';

export interface NamedGrowth extends Growth {
  readonly name: string;
}

export async function measureAll(): Promise<readonly NamedGrowth[]> {
  const found: NamedGrowth[] = [];
  for (const input of hostileInputs) found.push({ name: input.name, ...(await growthOf(input)) });
  return found.sort((left, right) => right.twice / right.once - left.twice / left.once);
}
