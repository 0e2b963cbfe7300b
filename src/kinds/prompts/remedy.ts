import type { Action } from '../../model/plan.generated.ts';

export const planRemedy =
  'the subscription of the tenant may not include partials: upgrade it or remove the prompts from the files';

/** What helps when the service refuses partials, by its own words (public facts 3.4, 6.1; those of a text that is too long are assumed). */
const remedies: readonly (readonly [said: RegExp, remedy: (prompt: string) => string])[] = [
  [/requires at least one custom domain/i, () => 'partials require a custom domain: add one to the tenant and rerun'],
  [/not available for (?:the|your) plan|does not have custom prompts|upgrade your subscription/i, () => planRemedy],
  [
    /path validation error:.* on property prompt\b/i,
    (prompt) => `the prompt "${prompt}" is not enabled on the tenant: enable it there or remove it from the files`,
  ],
  [/string is too long/i, () => 'a partial can have at most 10,000 characters: shorten the text'],
];

/** One sentence on what helps, or null when the message is none of those that the public facts explain. */
export function remedyFor(prompt: string, message: string): string | null {
  return remedies.find(([said]) => said.test(message))?.[1](prompt) ?? null;
}

export function remedy({ key }: Action, message: string): string | null {
  return remedyFor(key, message);
}
