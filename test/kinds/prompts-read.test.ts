import { setImmediate } from 'node:timers/promises';
import { expect, describe as group, test } from 'vitest';
import { prompts as kind } from '../../src/kinds/prompts/index.ts';
import type { DesiredPrompt } from '../../src/kinds/prompts/partials.ts';
import type { GetOperation } from '../../src/model/operation.ts';
import type { NotRead, PathParams, Reader, Reading, Unreadable } from '../../src/model/reader.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

type Answers = Readonly<Record<string, Reading<unknown>>>;

async function readWith(prompts: Readonly<Record<string, DesiredPrompt>>, answers: Answers) {
  const asked: string[] = [];
  let open = 0;
  let together = 0;
  const reader: Reader = {
    list: () => Promise.reject(new Error('nothing lists partials')),
    count: () => expect.unreachable(),
    get: async <Answer>({ id }: GetOperation<unknown, Answer>, { prompt = '' }: PathParams) => {
      asked.push(`${id} ${prompt}`);
      open += 1;
      together = Math.max(together, open);
      await setImmediate();
      open -= 1;
      return answers[prompt] as Reading<Answer>;
    },
  };
  const state = await kind.reading?.read(reader, {
    desired: desiredSection(Object.entries(prompts)),
    only: null,
    keep: keepNothing,
  });
  return { state, asked, together };
}

const read = (value: unknown): Reading<unknown> => ({ ok: true, value });
const declared: DesiredPrompt = { partials: {} };

test('the kind is read item by item, by one operation', () => {
  expect([kind.reading?.each, kind.reading?.operations.map(({ id }) => id)]).toEqual([true, ['get_prompt_partials']]);
});

test('each prompt with partials is asked for once, all together; the others are not managed', async () => {
  const partials = { login: { 'form-content-start': 'a' } };
  expect(
    await readWith({ login: declared, 'login-id': {}, signup: declared }, { login: read(partials), signup: read({}) }),
  ).toEqual({
    asked: ['get_prompt_partials login', 'get_prompt_partials signup'],
    together: 2,
    state: {
      readable: true,
      items: [
        { prompt: 'login', partials },
        { prompt: 'signup', partials: {} },
      ],
      filtered: false,
    },
  });
});

test('nothing declared asks for nothing', async () => {
  expect(await readWith({ login: {} }, {})).toEqual({
    asked: [],
    together: 0,
    state: { readable: true, items: [], filtered: false },
  });
});

group('one prompt that cannot be read makes the kind unreadable', () => {
  const failure = (code: Unreadable['code'], status: number | null, serviceMessage: string | null): NotRead => ({
    ok: false,
    why: {
      readable: false,
      structural: false,
      code,
      message: `get_prompt_partials: status ${status}: ${serviceMessage}`,
    },
    status,
    serviceMessage,
  });
  const planRemedy =
    'the subscription of the tenant may not include partials: upgrade it or remove the prompts from the files';

  test.each<readonly [string, NotRead, string]>([
    ['a failure', failure('LIVE_UNREADABLE', 500, 'Oops'), 'prompt "passkeys": get_prompt_partials: status 500: Oops'],
    ['no answer', failure('LIVE_UNREADABLE', null, null), 'prompt "passkeys": get_prompt_partials: status null: null'],
    [
      'a missing scope, which all prompts share',
      failure('LIVE_SCOPE_MISSING', 403, 'Insufficient scope, expected any of: read:prompts'),
      'get_prompt_partials: status 403: Insufficient scope, expected any of: read:prompts',
    ],
    [
      'a prompt that is not enabled',
      failure(
        'LIVE_UNREADABLE',
        400,
        `Path validation error: 'Invalid value "passkeys"' on property prompt (Name of the prompt).`,
      ),
      `prompt "passkeys": get_prompt_partials: status 400: Path validation error: 'Invalid value "passkeys"' on property prompt (Name of the prompt).; the prompt "passkeys" is not enabled on the tenant: enable it there or remove it from the files`,
    ],
    [
      'no custom domain',
      failure('LIVE_UNREADABLE', 400, 'This feature requires at least one custom domain'),
      'prompt "passkeys": get_prompt_partials: status 400: This feature requires at least one custom domain; partials require a custom domain: add one to the tenant and rerun',
    ],
    [
      'a plan that is too small',
      failure('LIVE_FORBIDDEN', 403, 'Your account does not have custom prompts'),
      `prompt "passkeys": get_prompt_partials: status 403: Your account does not have custom prompts; ${planRemedy}`,
    ],
    [
      'a plan that is too small, in words of another kind',
      failure('LIVE_FORBIDDEN', 403, 'Not for you'),
      `prompt "passkeys": get_prompt_partials: status 403: Not for you; ${planRemedy}`,
    ],
  ])('%s', async (_name, notRead, message) => {
    const { state } = await readWith(
      { login: declared, passkeys: declared, signup: declared },
      { login: read({}), passkeys: notRead, signup: notRead },
    );
    expect(state).toEqual({ ...notRead.why, message });
  });
});
