import { expect, describe as group, test } from 'vitest';
import { promptPartials as kind } from '../../src/kinds/prompt-partials/index.ts';
import { InternalError } from '../../src/model/internal-error.ts';
import type { Unreadable } from '../../src/model/live-state.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';

const why: Unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation reads prompt partials' };
const unreadable = { code: 'LIVE_UNREADABLE', kind: 'prompt_partials', key: '*', message: why.message, source: { file: 'files.yaml', line: 1, column: 1 } };
const partials = { login: { 'form-content-start': '<b>hello</b>\nworld\n' } };

group('decide', () => {
  test('each declared prompt is put whole', () => {
    const decision = kind.decide({ desired: desiredSection([['login', { partials }]]), live: why, keep: keepNothing });
    expect(decision.actions).toEqual([
      {
        id: 'prompt_partials/login',
        kind: 'prompt_partials',
        key: 'login',
        action: 'put',
        reason: 'unreadable',
        request: { operation: 'set_prompt_partials', method: 'PUT', path: '/prompts/login/partials', body: partials },
        before: null,
        after: partials,
        source: { file: 'files.yaml', line: 2, column: 1 },
      },
    ]);
    expect(decision.findings).toEqual([unreadable]);
    expect(decision.losses).toEqual([]);
  });

  test('a prompt without partials is unmanaged', () => {
    expect(kind.decide({ desired: desiredSection([['login', {}]]), live: why, keep: keepNothing })).toMatchObject({ actions: [], findings: [unreadable] });
  });

  test('a protected prompt is left alone, and that is said', () => {
    const decision = kind.decide({ desired: desiredSection([['login', { partials }]]), live: why, keep: keeping({ isProtected: () => true }) });
    expect(decision).toMatchObject({ actions: [], findings: [unreadable, { code: 'LIVE_PROTECTED', key: 'login' }] });
  });

  test('a readable state is a bug, not an empty one', () => {
    expect(() => kind.decide({ desired: desiredSection([]), live: { readable: true, items: [], filtered: false }, keep: keepNothing })).toThrow(InternalError);
  });
});

test('file references are found wherever a text can be', () => {
  const declared = { partials: { login: { a: 'text', 'b/c~d': { file: 'x.liquid' } }, other: { e: { file: 'y.liquid' } } } };
  expect(kind.fileReferences?.(declared)).toEqual(['/partials/login/b~1c~0d', '/partials/other/e']);
  expect(kind.fileReferences?.({})).toEqual([]);
});

test('describe tells screen, insertion point, length and first line', () => {
  const [action] = kind.decide({ desired: desiredSection([['login', { partials }]]), live: why, keep: keepNothing }).actions;
  expect(action && kind.describe(action)).toEqual({ title: 'login', lines: ['login / form-content-start: 19 characters, "<b>hello</b>"'] });
  expect(action && kind.describe({ ...action, after: {} }).lines).toEqual(['no partials: clears the prompt']);
});
