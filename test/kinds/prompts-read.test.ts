import { setImmediate } from 'node:timers/promises';
import { expect, describe as group, test } from 'vitest';
import { promptNames } from '../../src/kinds/prompts/check.ts';
import { prompts as kind } from '../../src/kinds/prompts/index.ts';
import type { DesiredPrompt } from '../../src/kinds/prompts/partials.ts';
import type { ReadAsk } from '../../src/model/kind.ts';
import type { GetOperation } from '../../src/model/operation.ts';
import type { NotRead, PathParams, Reader, Reading, Unreadable } from '../../src/model/reader.ts';
import { buildAction } from '../support/build-action.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

type Answers = Readonly<Record<string, Reading<unknown>>>;

async function readWith(
  prompts: Readonly<Record<string, DesiredPrompt>>,
  answers: Answers,
  more: Partial<ReadAsk<DesiredPrompt>> = {},
) {
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
  const state = await kind.reading?.read(snapshotOf(reader), {
    desired: desiredSection(Object.entries(prompts)),
    only: null,
    keep: keepNothing,
    ...more,
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

test('a prompt that is declared absent is read', async () => {
  const desired = withStates(desiredSection([['login', {}] as const]), { login: 'absent' });
  expect(await readWith({}, { login: read({}) }, { desired })).toMatchObject({ asked: ['get_prompt_partials login'] });
});

group('undeclared prompts', () => {
  const keep = keeping({ undeclared: 'report' });
  const texts = { signup: { 'form-content-start': 'a' } };
  const notEnabled: NotRead = {
    ok: false,
    why: { readable: false, structural: false, code: 'LIVE_UNREADABLE', message: 'status 400' },
    status: 400,
    serviceMessage: `Path validation error: 'Invalid value' on property prompt (Name of the prompt).`,
  };
  /** All prompts: one has texts, one cannot be read, and the others are empty. */
  const answers = (failing: NotRead = notEnabled) => ({
    ...Object.fromEntries(promptNames.map((name) => [name, read({})])),
    signup: read(texts),
    passkeys: failing,
  });

  test('that have texts are listed if they are to be reported; one that is not enabled has none', async () => {
    const { state, asked } = await readWith({ login: declared }, answers(), { keep });
    expect(state).toEqual({
      readable: true,
      items: [{ prompt: 'login', partials: {} }],
      undeclared: ['signup'],
      filtered: false,
    });
    expect(asked.toSorted()).toEqual(promptNames.map((name) => `get_prompt_partials ${name}`).toSorted());
  });

  test.each<readonly [string, Partial<ReadAsk<DesiredPrompt>>]>([
    ['they are ignored', { keep: keeping({ undeclared: 'ignore' }) }],
    ['only some prompts are selected', { keep, only: ['login'] }],
    ['a plan is made again', { keep, watched: [buildAction({ kind: 'prompts', key: 'login' })] }],
  ])('are not read if %s', async (_name, more) => {
    const { state, asked } = await readWith({ login: declared }, answers(), more);
    expect({ state, asked }).toEqual({
      state: { readable: true, items: [{ prompt: 'login', partials: {} }], filtered: false },
      asked: ['get_prompt_partials login'],
    });
  });

  test('that cannot be read make the kind unreadable', async () => {
    const failing = { ...notEnabled, status: 500, serviceMessage: null };
    const { state } = await readWith({ login: declared }, answers(failing), { keep });
    expect(state).toMatchObject({ readable: false, message: 'prompt "passkeys": status 400' });
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
      'a tenant without partials, which concerns all prompts',
      failure('LIVE_NOT_ON_TENANT', 403, 'Your account does not have custom prompts'),
      'get_prompt_partials: status 403: Your account does not have custom prompts',
    ],
    [
      'an unknown 403',
      failure('LIVE_FORBIDDEN', 403, 'Not for you'),
      'prompt "passkeys": get_prompt_partials: status 403: Not for you',
    ],
  ])('%s', async (_name, notRead, message) => {
    const { state } = await readWith(
      { login: declared, passkeys: declared, signup: declared },
      { login: read({}), passkeys: notRead, signup: notRead },
    );
    expect(state).toEqual({ ...notRead.why, message });
  });
});
