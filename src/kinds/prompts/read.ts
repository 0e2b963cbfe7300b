import type { DesiredSection, ReadAsk, Reading } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { LiveState, NotRead, Unreadable } from '../../model/reader.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { getPromptPartials } from '../../service/prompts/operations.ts';
import { promptNames } from './check.ts';
import { type DesiredPrompt, type LivePrompt, textsOf } from './partials.ts';

export const reading: Reading<DesiredPrompt, LivePrompt> = { operations: [getPromptPartials], each: true, read };

/**
 * One request for each prompt whose partials are declared, and for the others only if they are reported: nothing lists
 * prompts (public facts 3.1).
 */
async function read(
  snapshot: Snapshot,
  { desired, keep, only, watched = [] }: ReadAsk<DesiredPrompt>,
): Promise<LiveState<LivePrompt>> {
  const declared = new Set(
    desired.items
      .filter(({ state, value }) => state === 'absent' || value.partials !== undefined)
      .map(({ key }) => key),
  );
  const reports = keep.undeclared === 'report' && only === null && watched.length === 0;
  const others = reports ? await readOthers(snapshot, desired) : null;
  if (others?.readable === false) return others;
  const items: LivePrompt[] = [];
  for (const { prompt, read } of await readPrompts(snapshot, [...declared])) {
    if (!read.ok) return whyNot(prompt, read);
    items.push({ prompt, partials: read.value });
  }
  const undeclared = others?.items.map(({ prompt }) => prompt);
  return { readable: true, items, ...(undeclared !== undefined && { undeclared }), filtered: false };
}

/** One request for each prompt that is not declared. One without texts needs no declaration. */
export async function readOthers(
  snapshot: Snapshot,
  { items: declared }: Pick<DesiredSection, 'items'>,
): Promise<LiveState<LivePrompt>> {
  const keys = new Set(declared.map(({ key }) => key));
  const reads = await readPrompts(
    snapshot,
    promptNames.filter((name) => !keys.has(name)),
  );
  const items: LivePrompt[] = [];
  for (const { prompt, read } of reads) {
    if (read.ok) items.push({ prompt, partials: read.value });
    else if (!notEnabled.test(read.serviceMessage ?? '')) return whyNot(prompt, read);
  }
  return { readable: true, items: items.filter(({ partials }) => textsOf(partials).length > 0), filtered: false };
}

function readPrompts(snapshot: Snapshot, prompts: readonly string[]) {
  return Promise.all(
    prompts.map(async (prompt) => ({ prompt, read: await snapshot.get(getPromptPartials, { prompt }) })),
  );
}

/** A missing scope or feature concerns all prompts; any other failure may concern only this one, so the message names it. */
function whyNot(prompt: string, { why, serviceMessage }: NotRead): Unreadable {
  if (why.code === 'LIVE_SCOPE_MISSING' || why.code === 'LIVE_NOT_ON_TENANT') return why;
  const fix = fixFor(prompt, serviceMessage ?? '');
  return { ...why, message: `prompt "${prompt}": ${why.message}${fix === null ? '' : `; ${fix}`}` };
}

/** The service does not know the prompt by this name (public facts 3.4). */
const notEnabled = /path validation error:.* on property prompt\b/i;

/** Fixes for refusals of the service, by their messages (public facts 3.4, 6.1; the one for a long text is assumed). */
const fixes: readonly (readonly [pattern: RegExp, fix: (prompt: string) => string])[] = [
  [/requires at least one custom domain/i, () => 'partials require a custom domain: add one to the tenant and rerun'],
  [
    /not available for (?:the|your) plan|does not have custom prompts|upgrade your subscription/i,
    () => 'the tenant does not have partials: remove the prompts from the files',
  ],
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
