import type { TenantPart, TenantRoute } from '../../model/tenant-resource.ts';
import { getPromptPartials, setPromptPartials } from './operations.ts';
import type { Partials, PromptParams, SeededPrompts, SetPartialsBody } from './types.generated.ts';

export const promptsTenant: TenantPart<SeededPrompts> = {
  section: 'prompts',
  open(section = {}) {
    const prompts = new Map(Object.entries(section));

    // A prompt without partials reads as an empty object (public facts 3.3).
    const get: TenantRoute<PromptParams> = {
      operation: getPromptPartials,
      answer({ params }) {
        return { status: 200, body: inServiceOrder(withoutEmptyScreens(prompts.get(params.prompt)?.partials ?? {})) };
      },
    };

    const set: TenantRoute<PromptParams, never, SetPartialsBody> = {
      operation: setPromptPartials,
      answer({ params, body }) {
        const partials = withoutEmptyScreens(body);
        prompts.set(params.prompt, { partials });
        return { status: 200, body: partials };
      },
    };

    return { routes: [get, set], snapshot: () => Object.fromEntries(prompts) };
  },
};

/** A screen without insertion points is not stored: `{ "signup": {} }` is answered with `{}` (public facts 3.3). */
function withoutEmptyScreens(partials: Partials): Partials {
  const screens = Object.entries(partials).map(
    ([screen, points]) => [screen, Object.fromEntries(Object.entries(points))] as const,
  );
  return Object.fromEntries(screens.filter(([, points]) => Object.keys(points).length > 0));
}

/** A put is echoed as it was sent, but a get answers with keys by length, then alphabetically (public facts 3.3; for screens assumed). */
function inServiceOrder(partials: Partials): Partials {
  return byLength(Object.fromEntries(Object.entries(partials).map(([screen, points]) => [screen, byLength(points)])));
}

function byLength<Value>(object: Readonly<Record<string, Value>>): Record<string, Value> {
  const order = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1);
  return Object.fromEntries(Object.entries(object).toSorted(([one], [other]) => order(one, other)));
}
