import type { Effects } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { Partials } from '../../service/prompts/types.generated.ts';
import type { InspectedText } from './inspection/introduced.ts';
import { changedTexts, textPointer } from './partials.ts';

/**
 * What changed texts bring that the live ones do not have. The parsers are loaded only if a text changes; without a
 * reading, every text counts as new.
 */
export async function inspect(actions: readonly Action[]): Promise<Effects> {
  const changed = actions.map((action) => ({ action, texts: textsOf(action) })).filter(({ texts }) => texts.length > 0);
  if (changed.length === 0) return new Map();
  const { openInspection } = await import('./inspection/introduced.ts');
  const introduced = openInspection();
  return new Map(changed.map(({ action, texts }) => [action.id, introduced(action.key, texts)]));
}

function textsOf({ before, after, sources = [] }: Action): InspectedText[] {
  const places = new Map(sources.map(({ pointer, source }) => [pointer, source]));
  return changedTexts((before ?? {}) as Partials, (after ?? {}) as Partials).flatMap((change) =>
    change.after === null ? [] : [{ ...change, text: change.after, source: places.get(textPointer(change)) ?? null }],
  );
}
