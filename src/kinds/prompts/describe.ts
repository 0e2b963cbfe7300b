import type { Description, Effects, LabelOf, PartList, PartVerb, TextChange } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { Partials } from '../../service/prompts/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import type { InspectedText } from './inspection/introduced.ts';
import { type ChangedText, changedTexts, textName, textPointer } from './partials.ts';

/** One text for each insertion point that a put changes, or for each that it sends if nothing was read. */
export function describe(action: Action, labelOf: LabelOf = () => ''): Description {
  const after = (action.after ?? {}) as Partials;
  const changes = changedTexts((action.before ?? {}) as Partials, after);
  return {
    ...(changes.length === 0 ? { summary: 'no partials' } : { parts: partsOf(action, changes, labelOf) }),
    texts: changes.map((change) => textChange(action, change)),
  };
}

/** `form-content-start`: with the screen if it is not named like the prompt. No verb is known of what was not read. */
function partsOf({ key, before: live }: Action, changes: readonly ChangedText[], labelOf: LabelOf): PartList[] {
  const byVerb = groupBy(
    changes,
    ({ before, after }): PartVerb => (after === null ? 'deletes' : before === null ? 'adds' : 'changes'),
  );
  return [...byVerb].map(([does, of]) => ({
    ...(live !== null && { does }),
    parts: of.map((change) => ({
      name: (change.screen === key ? change.point : textName(change)) + labelOf(textPointer(change)),
    })),
  }));
}

function textChange({ sources = [] }: Action, change: ChangedText): TextChange {
  const pointer = textPointer(change);
  return {
    label: `${change.screen} / ${change.point}`,
    before: change.before,
    after: change.after,
    source: sources.find((part) => part.pointer === pointer)?.source ?? null,
  };
}

/**
 * What changed texts bring that the live ones do not have. The parsers are loaded only if a text changes; without a
 * reading, every text counts as new.
 */
export async function inspect(actions: readonly Action[]): Promise<Effects> {
  const changed = actions
    .map((action) => ({ action, texts: inspectedTexts(action) }))
    .filter(({ texts }) => texts.length > 0);
  if (changed.length === 0) return new Map();
  const { openInspection } = await import('./inspection/introduced.ts');
  const introduced = openInspection();
  return new Map(changed.map(({ action, texts }) => [action.id, introduced(action.key, texts)]));
}

function inspectedTexts({ before, after, sources = [] }: Action): InspectedText[] {
  const places = new Map(sources.map(({ pointer, source }) => [pointer, source]));
  return changedTexts((before ?? {}) as Partials, (after ?? {}) as Partials).flatMap((change) =>
    change.after === null ? [] : [{ ...change, text: change.after, source: places.get(textPointer(change)) ?? null }],
  );
}
