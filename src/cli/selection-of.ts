import type { Selection } from '../model/plan.generated.ts';
import type { Arguments } from './parse-arguments.ts';

/** The part of the tenant that a command line is about. */
export function selectionOf({ only, except, rotate = [] }: Arguments): Selection {
  return { only: [...only], except: [...except], rotate: [...rotate] };
}
