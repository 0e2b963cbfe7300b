// Laws of the plan over generated partials, with the tenant's replacing put in between.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptsTenant } from '../../src/embedded-tenant/kinds/prompts.ts';
import { prompts as kind } from '../../src/kinds/prompts/index.ts';
import type { LivePrompt } from '../../src/kinds/prompts/partials.ts';
import type { Decision, KeepRules } from '../../src/model/kind.ts';
import type { GetOperation } from '../../src/model/operation.ts';
import type { LiveState, Reader, Reading } from '../../src/model/reader.ts';
import type { Partials } from '../../src/service/prompts/types.generated.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { type OpenRoutes, openRoutes } from '../support/open-routes.ts';
import { snapshotOf } from '../support/snapshot-of.ts';
import { propertyRuns } from '../support/thorough.ts';

const names = ['login', 'signup', 'a/b', 'c~d', 'é', '7', 'constructor', 'toString', 'hasOwnProperty'];
const partialsWith = (allowed: readonly string[]) => {
  const name = fc.constantFrom(...allowed);
  const points = fc.dictionary(name, fc.constantFrom('', 'x', 'y\n'), { maxKeys: 4, noNullPrototype: true });
  return fc.dictionary(name, points, { maxKeys: 4, noNullPrototype: true });
};
// The loader refuses __proto__, but a tenant may hold anything.
const live = partialsWith([...names, '__proto__']);
const declared = partialsWith(names);
const keepRules = fc.record({ keepsParts: fc.boolean(), protect: fc.boolean() }).map(
  ({ keepsParts, protect }): KeepRules => ({
    undeclared: 'report',
    keepsParts,
    isProtected: () => protect,
    patterns: protect ? ['*'] : [],
  }),
);

function answerOf(tenant: OpenRoutes, operation: string, body: unknown): unknown {
  const answer = tenant.respond(operation, { params: { prompt: 'login' }, body });
  // As it is after a way through JSON.
  return JSON.parse(JSON.stringify('body' in answer ? answer.body : null));
}

/** Reads the tenant's part as the client would, without a wire. */
function readerOf(tenant: OpenRoutes): Reader {
  return {
    list: () => Promise.reject(new Error('nothing lists partials')),
    count: () => expect.unreachable(),
    get: async <Answer>({ id }: GetOperation<unknown, Answer>) =>
      ({ ok: true, value: answerOf(tenant, id, undefined) }) as Reading<Answer>,
  };
}

const sectionOf = (partials: Partials) => desiredSection([['login', { partials }]]);

async function decideOn(tenant: OpenRoutes, partials: Partials, keep: KeepRules): Promise<Decision> {
  const desired = sectionOf(partials);
  const state = await kind.reading?.read(snapshotOf(readerOf(tenant)), { desired, only: null, keep: keepNothing });
  return kind.decide({ desired, live: state as LiveState<LivePrompt>, keep, api: 'full', rotate: new Set() });
}

/** Every text in one order, so that two sides are equal exactly when they hold the same. */
function flat(partials: unknown): string[] {
  return Object.entries(partials as Partials)
    .flatMap(([screen, points]) => Object.entries(points).map(([point, text]) => JSON.stringify([screen, point, text])))
    .sort();
}

const placesOf = (partials: unknown) => flat(partials).map((text) => JSON.stringify(JSON.parse(text).slice(0, 2)));

const isBlank = (text: string) => String(JSON.parse(text)[2]).trim() === '';
const emptiesText = (text: string, other: string) => !isBlank(other) && placesOfText(text) === placesOfText(other);
const placesOfText = (text: string) => JSON.stringify(JSON.parse(text).slice(0, 2));

test('one put makes the prompt what it shall be, and then there is nothing to do', async () => {
  await fc.assert(
    fc.asyncProperty(live, declared, keepRules, async (held, wanted, keep) => {
      const tenant = openRoutes([promptsTenant], { prompts: { login: { partials: held } } });
      const { actions, losses, findings } = await decideOn(tenant, wanted, keep);
      const keeps = keep.keepsParts || keep.isProtected('login');
      const undeclared = placesOf(held).filter((place) => !placesOf(wanted).includes(place));
      const kept = findings.filter(({ code }) => code !== 'LIVE_UNKNOWN_SCREEN');
      expect(kept).toHaveLength(keep.isProtected('login') && undeclared.length > 0 ? 1 : 0);
      // A text that becomes blank is lost as well.
      const emptied = flat(wanted).filter(
        (text) => isBlank(text) && flat(held).some((other) => emptiesText(text, other)),
      );
      expect(losses).toHaveLength((keeps ? 0 : undeclared.length) + emptied.length);
      expect(actions.flatMap(({ notes = [] }) => notes)).toHaveLength(losses.length);
      for (const action of actions) answerOf(tenant, action.request.operation, action.request.body);
      const now = answerOf(tenant, 'get_prompt_partials', undefined);
      expect(flat(now)).toEqual(
        flat(
          keeps
            ? [...flat(wanted), ...flat(held).filter((text) => isUndeclared(text, wanted))].reduce(withText, {})
            : wanted,
        ),
      );
      expect((await decideOn(tenant, wanted, keep)).actions).toEqual([]);
    }),
    propertyRuns(300),
  );
});

function isUndeclared(text: string, wanted: Partials): boolean {
  return !placesOf(wanted).includes(JSON.stringify(JSON.parse(text).slice(0, 2)));
}

function withText(partials: Partials, text: string): Partials {
  const [screen, point, value] = JSON.parse(text) as [string, string, string];
  const points = Object.hasOwn(partials, screen) ? partials[screen] : {};
  return Object.fromEntries([
    ...Object.entries(partials),
    [screen, Object.fromEntries([...Object.entries(points ?? {}), [point, value]])],
  ]);
}

test('there is a put exactly when a text differs', async () => {
  await fc.assert(
    fc.asyncProperty(live, declared, fc.boolean(), async (held, other, same) => {
      const wanted = same ? held : other;
      const tenant = openRoutes([promptsTenant], { prompts: { login: { partials: held } } });
      const { actions } = await decideOn(tenant, wanted, keepNothing);
      expect(actions).toHaveLength(flat(held).join() === flat(wanted).join() ? 0 : 1);
    }),
    propertyRuns(100),
  );
});

test('the plan does not depend on the order in which the tenant tells its keys', () => {
  const shuffled = live.chain((held) =>
    fc.tuple(
      fc.constant(held),
      fc.shuffledSubarray(flat(held), { minLength: flat(held).length }).map((texts) => texts.reduce(withText, {})),
    ),
  );
  const decideFrom = (partials: Partials, wanted: Partials, keep: KeepRules) =>
    JSON.stringify(
      kind.decide({
        desired: sectionOf(wanted),
        live: { readable: true, items: [{ prompt: 'login', partials }], filtered: false },
        keep,
        api: 'full',
        rotate: new Set(),
      }),
    );
  fc.assert(
    fc.property(shuffled, declared, keepRules, ([held, again], wanted, keep) => {
      expect(decideFrom(again, wanted, keep)).toBe(decideFrom(held, wanted, keep));
    }),
    propertyRuns(100),
  );
});
