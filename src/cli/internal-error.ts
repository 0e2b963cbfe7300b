import type { Diagnostic } from '../model/diagnostic.ts';
import { problem } from './fault.ts';
import type { Output } from './output.ts';

/** What is told of a fault of our own; its stack as well where somebody looks for it. */
export function internalError(error: unknown, output: Output, debug: boolean): Diagnostic {
  if (debug && error instanceof Error) output.talk(error.stack ?? error.message);
  const message = `A fault of tenant-sync itself: ${error instanceof Error ? error.message : String(error)}`;
  return problem('INTERNAL_ERROR', message, 'please report it, with what --debug prints');
}
