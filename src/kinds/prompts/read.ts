import type { ReadAsk, Reading } from '../../model/kind.ts';
import type { LiveState, Unreadable } from '../../model/live-state.ts';
import type { NotRead, Reader } from '../../model/reader.ts';
import { getPromptPartials } from '../../resources/prompts/operations.ts';
import type { DesiredPrompt, LivePrompt } from './partials.ts';
import { planRemedy, remedyFor } from './remedy.ts';

export const reading: Reading<DesiredPrompt, LivePrompt> = { operations: [getPromptPartials], each: true, read };

/** One request for each prompt whose partials are declared: nothing lists prompts, and the others are not managed (public facts 3.1). */
async function read(reader: Reader, { desired }: ReadAsk<DesiredPrompt>): Promise<LiveState<LivePrompt>> {
  const prompts = desired.items.filter(({ value }) => value.partials !== undefined).map(({ key }) => key);
  const answers = await Promise.all(
    prompts.map(async (prompt) => ({ prompt, answer: await reader.get(getPromptPartials, { prompt }) })),
  );
  const items: LivePrompt[] = [];
  for (const { prompt, answer } of answers) {
    if (!answer.ok) return whyNot(prompt, answer);
    items.push({ prompt, partials: answer.value });
  }
  return { readable: true, items, filtered: false };
}

/** A scope is missing for all prompts alike; anything else may be about this one, so it is named. */
function whyNot(prompt: string, { why, said }: NotRead): Unreadable {
  if (why.code === 'LIVE_SCOPE_MISSING') return why;
  const remedy = remedyFor(prompt, said ?? '') ?? (why.code === 'LIVE_FORBIDDEN' ? planRemedy : null);
  return { ...why, message: `prompt "${prompt}": ${why.message}${remedy === null ? '' : `; ${remedy}`}` };
}
