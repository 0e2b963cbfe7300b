import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { Partials } from './types.generated.ts';

export function describe(action: Action): Description {
  const partials = (action.after ?? {}) as Partials;
  const lines = Object.entries(partials).flatMap(([screen, points]) =>
    Object.entries(points).map(([point, text]) => `${screen} / ${point}: ${textSummary(text)}`),
  );
  return { title: action.key, lines: lines.length === 0 ? ['no partials: clears the prompt'] : lines };
}

function textSummary(text: string): string {
  const [firstLine = ''] = text.trimStart().split('\n', 1);
  return `${text.length} characters, "${firstLine.trimEnd()}"`;
}
