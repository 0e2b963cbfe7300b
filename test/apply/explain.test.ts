// What a kind adds to the message of an action that was not done.
import { describe, expect, test } from 'vitest';
import { openExplanations } from '../../src/apply/explain.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { PerformedAction } from '../../src/model/outcome.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { Reader } from '../../src/model/reader.ts';
import { buildAction } from '../support/build-action.ts';

describe('what was not done is explained', () => {
  const action = buildAction({ action: 'create', reason: 'missing' });
  const failed = (status: number): PerformedAction => ({
    id: action.id,
    outcome: 'failed',
    status,
    message: `status ${status}`,
  });
  const about = (more: Partial<AnyKind>) => [{ name: 'rate_limit_policies', ...more } as AnyKind];
  const reader = {} as Reader;
  const message = async (status: number, kind: Partial<AnyKind>) =>
    (await openExplanations(about(kind), reader)(action, failed(status))).message;

  test('a conflict names who holds the identity', async () => {
    const readBack = async () => () => 'the tenant now has rlp_9';
    expect(await message(409, { readBack })).toBe('status 409; conflict: the tenant now has rlp_9; run plan again');
    expect(await message(400, { readBack })).toBe('status 400');
  });

  test('a kind is read once, however many creates conflict', async () => {
    let readings = 0;
    const readBack = async () => {
      readings += 1;
      return ({ key }: Action) => (key.includes('1') ? `the tenant now has ${key}` : null);
    };
    const explain = openExplanations(about({ readBack }), reader);
    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);
    const outcomes = await Promise.all(keys.map((key) => explain({ ...action, key }, failed(409))));
    expect(outcomes.map((outcome) => outcome.message)).toEqual(
      keys.map((key) =>
        key.includes('1') ? `status 409; conflict: the tenant now has ${key}; run plan again` : 'status 409',
      ),
    );
    expect(readings).toBe(1);
  });

  test('the kind adds what helps', async () => {
    expect(await message(400, { fix: (_action, said) => `${said} means that you should wait` })).toBe(
      'status 400; status 400 means that you should wait',
    );
    expect(await message(400, { fix: () => null })).toBe('status 400');
  });

  test('the kind decides by what the service has said, which is not passed on', async () => {
    const refused = { ...failed(400), refusal: 'a text with a secret' };
    const fix: AnyKind['fix'] = (_action, said) => (/with a secret/.test(said) && said.includes('400') ? 'wait' : null);
    expect(await openExplanations(about({ fix }), reader)(action, refused)).toEqual({
      ...failed(400),
      message: 'status 400; wait',
    });
    expect(await openExplanations([], reader)(action, refused)).toEqual(failed(400));
  });

  test('an explanation that cannot be had ends nothing', async () => {
    const readBack = async () => {
      throw new Error('no connection');
    };
    expect(await message(409, { readBack })).toBe('status 409');
    expect(await message(409, {})).toBe('status 409');
  });

  test('what was done, or belongs to no kind, is passed on as it is', async () => {
    const done: PerformedAction = { id: action.id, outcome: 'done', status: 201, message: null };
    expect(await openExplanations(about({ fix: () => 'x' }), reader)(action, done)).toEqual(done);
    expect((await openExplanations([], reader)(action, failed(400))).message).toBe('status 400');
  });
});
