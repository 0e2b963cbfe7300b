import type { ReadAsk, Reading } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { LiveState, NotRead, Reader, Unreadable } from '../../model/reader.ts';
import { getPromptPartials } from '../../resources/prompts/operations.ts';
import type { DesiredPrompt, LivePrompt } from './partials.ts';

export const reading: Reading<DesiredPrompt, LivePrompt> = { operations: [getPromptPartials], each: true, read };

/**
 * One request for each prompt whose partials are declared: nothing lists prompts, and the others are not managed
 * (public facts 3.1).
 */
async function read(reader: Reader, { desired }: ReadAsk<DesiredPrompt>): Promise<LiveState<LivePrompt>> {
  const prompts = desired.items
    .filter(({ state, value }) => state === 'absent' || value.partials !== undefined)
    .map(({ key }) => key);
  const reads = await Promise.all(
    prompts.map(async (prompt) => ({ prompt, read: await reader.get(getPromptPartials, { prompt }) })),
  );
  const items: LivePrompt[] = [];
  for (const { prompt, read } of reads) {
    if (!read.ok) return whyNot(prompt, read);
    items.push({ prompt, partials: read.value });
  }
  return { readable: true, items, filtered: false };
}

/** A missing scope concerns all prompts; any other failure may concern only this prompt, so the message names it. */
export function whyNot(prompt: string, { why, serviceMessage }: NotRead): Unreadable {
  if (why.code === 'LIVE_SCOPE_MISSING') return why;
  const fix = fixFor(prompt, serviceMessage ?? '') ?? (why.code === 'LIVE_FORBIDDEN' ? planFix : null);
  return { ...why, message: `prompt "${prompt}": ${why.message}${fix === null ? '' : `; ${fix}`}` };
}

const planFix =
  'the subscription of the tenant may not include partials: upgrade it or remove the prompts from the files';

const notEnabled = /path validation error:.* on property prompt\b/i;

/** True if the service does not know the prompt by this name (public facts 3.4). */
export function isNotEnabled({ serviceMessage }: NotRead): boolean {
  return notEnabled.test(serviceMessage ?? '');
}

/** Fixes for refusals of the service, by their messages (public facts 3.4, 6.1; the one for a long text is assumed). */
const fixes: readonly (readonly [pattern: RegExp, fix: (prompt: string) => string])[] = [
  [/requires at least one custom domain/i, () => 'partials require a custom domain: add one to the tenant and rerun'],
  [/not available for (?:the|your) plan|does not have custom prompts|upgrade your subscription/i, () => planFix],
  [
    notEnabled,
    (prompt) => `the prompt "${prompt}" is not enabled on the tenant: enable it there or remove it from the files`,
  ],
  [/string is too long/i, () => 'a partial can have at most 10,000 characters: shorten the text'],
];

/** The fix in one sentence, or null if the message is not in the public facts. */
function fixFor(prompt: string, message: string): string | null {
  return fixes.find(([pattern]) => pattern.test(message))?.[1](prompt) ?? null;
}

export function fix({ key }: Action, message: string): string | null {
  return fixFor(key, message);
}
