import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { pairsOf, pairText } from './permission-pair.ts';

export function describe(action: Action): Description {
  return { title: action.key, lines: pairsOf(action).map(pairText) };
}
