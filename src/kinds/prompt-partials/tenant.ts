import type { TenantPart, TenantRoute } from '../../model/tenant-part.ts';
import { setPromptPartials } from './operations.ts';
import type { Partials, SeededPrompts, SetPartialsParams } from './types.generated.ts';

export const promptPartialsTenant: TenantPart<SeededPrompts> = {
  section: 'prompts',
  open(section = {}) {
    const prompts = new Map(Object.entries(section));

    const set: TenantRoute<SetPartialsParams, unknown, Partials> = {
      operation: setPromptPartials,
      answer({ params, body }) {
        const partials = withoutEmptyScreens(body);
        prompts.set(params.prompt, { partials });
        return { status: 200, body: partials };
      },
    };

    return { routes: [set], snapshot: () => Object.fromEntries(prompts) };
  },
};

/** A screen without insertion points is not stored: public facts show `{ "signup": {} }` answered with `{}`. */
function withoutEmptyScreens(partials: Partials): Partials {
  const screens = Object.entries(partials).map(([screen, points]) => [screen, Object.fromEntries(Object.entries(points))] as const);
  return Object.fromEntries(screens.filter(([, points]) => Object.keys(points).length > 0));
}
