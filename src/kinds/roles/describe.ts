import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { pairText } from './permission-pair.ts';
import { pairsOf } from './request-pairs.ts';

export function describe(action: Action): Description {
  return { title: action.key, lines: pairsOf(action).map(pairText) };
}
