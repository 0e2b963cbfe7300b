// What a kind adds to the message of an action that was not done.
import { describe, expect, test } from 'vitest';
import { explained } from '../../src/apply/pipeline.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { PerformedAction } from '../../src/model/outcome.ts';
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
  const message = (status: number, kind: Partial<AnyKind>) => explained(about(kind), action, failed(status)).message;

  test('an identity that is in use is a conflict', () => {
    expect(message(409, {})).toBe('status 409; conflict: another item may have this identity by now; run plan again');
    expect(message(409, { fix: () => 'wait' })).toBe('status 409; wait');
  });

  test('the kind adds what helps', () => {
    expect(message(400, { fix: (_action, said) => `${said} means that you should wait` })).toBe(
      'status 400; status 400 means that you should wait',
    );
    expect(message(400, { fix: () => null })).toBe('status 400');
  });

  test('the kind decides by what the service has said, which is not passed on', () => {
    const refused = { ...failed(400), refusal: 'a text with a secret' };
    const fix: AnyKind['fix'] = (_action, said) => (/with a secret/.test(said) && said.includes('400') ? 'wait' : null);
    expect(explained(about({ fix }), action, refused)).toEqual({ ...failed(400), message: 'status 400; wait' });
    expect(explained([], action, refused)).toEqual(failed(400));
  });

  test('what was done, or belongs to no kind, is passed on as it is', () => {
    const done: PerformedAction = { id: action.id, outcome: 'done', status: 201, message: null };
    expect(explained(about({ fix: () => 'x' }), action, done)).toEqual(done);
    expect(explained([], action, failed(400)).message).toBe('status 400');
  });
});
