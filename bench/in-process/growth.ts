import { hostileFolders, hostileInputs } from '../../test/support/hostile-inputs.ts';
import { type Growth, growthOf, isLinear } from '../../test/support/measure-growth.ts';

export interface NamedGrowth extends Growth {
  readonly name: string;
  readonly isLinear: boolean;
}

export async function measureAll(): Promise<readonly NamedGrowth[]> {
  const found: NamedGrowth[] = [];
  for (const input of [...hostileInputs, ...hostileFolders]) {
    const growth = await growthOf(input);
    found.push({ name: input.name, ...growth, isLinear: isLinear(growth) });
  }
  return found.sort((left, right) => right.twice / right.once - left.twice / left.once);
}
