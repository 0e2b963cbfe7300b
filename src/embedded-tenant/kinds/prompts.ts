import { shape } from '../../contract/shape.ts';
import type { TenantResource, TenantRoute, TenantStore } from '../../model/tenant-resource.ts';
import { getPromptPartials, setPromptPartials } from '../../service/prompts/operations.ts';
import { validateSeed } from '../../service/prompts/seed-validators.generated.ts';
import type { Partials, PromptParams, SeededPrompts, SetPartialsBody } from '../../service/prompts/types.generated.ts';
import { compareText } from '../../values/text-order.ts';

interface PromptStore extends TenantStore {
  partials(prompt: string): Partials;
  replace(prompt: string, partials: Partials): void;
}

// A prompt without partials reads as an empty object (public facts 3.3).
const get: TenantRoute<PromptStore, PromptParams> = {
  operation: getPromptPartials,
  respond({ params }, { store }) {
    return { status: 200, body: inServiceOrder(withoutEmptyScreens(store.partials(params.prompt))) };
  },
};

const set: TenantRoute<PromptStore, PromptParams, never, SetPartialsBody> = {
  operation: setPromptPartials,
  respond({ params, body }, { store }) {
    const partials = withoutEmptyScreens(body);
    store.replace(params.prompt, partials);
    return { status: 200, body: partials };
  },
};

export const promptsTenant: TenantResource<SeededPrompts, PromptStore> = {
  section: 'prompts',
  seed: shape<SeededPrompts>('prompts.schema.json#/$defs/seed', validateSeed),
  openStore(section = {}) {
    const prompts = new Map(Object.entries(section));
    return {
      partials: (prompt) => prompts.get(prompt)?.partials ?? {},
      replace: (prompt, partials) => void prompts.set(prompt, { partials }),
      snapshot: () => Object.fromEntries(prompts),
    };
  },
  routes: [get, set],
};

/** A screen without insertion points is not stored: the response to `{ "signup": {} }` is `{}` (public facts 3.3). */
function withoutEmptyScreens(partials: Partials): Partials {
  return Object.fromEntries(Object.entries(partials).filter(([, points]) => Object.keys(points).length > 0));
}

/**
 * PUT returns the partials as sent; GET returns keys by length, then alphabetically (public facts 3.3; assumed for
 * screens).
 */
function inServiceOrder(partials: Partials): Partials {
  return byLength(Object.fromEntries(Object.entries(partials).map(([screen, points]) => [screen, byLength(points)])));
}

function byLength<Value>(object: Readonly<Record<string, Value>>): Record<string, Value> {
  const order = (one: string, other: string) => one.length - other.length || compareText(one, other);
  return Object.fromEntries(Object.entries(object).toSorted(([one], [other]) => order(one, other)));
}
