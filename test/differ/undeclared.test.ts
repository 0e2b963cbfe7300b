import { expect, test } from 'vitest';
import { undeclaredFinding } from '../../src/differ/undeclared.ts';
import { keeping } from '../support/keep-rules.ts';

test('what the files do not declare is a note, and kept by its name', () => {
  const found = ['a', 'c'].map((key) =>
    undeclaredFinding('roles', key, keeping({ isProtected: (name) => name === 'a' })),
  );
  expect(found.map(({ code, severity, key, source }) => [code, severity, key, source])).toEqual([
    ['LIVE_PROTECTED', 'note', 'a', null],
    ['LIVE_UNDECLARED', 'note', 'c', null],
  ]);
  expect(found[1]?.message).toBe(
    'on the tenant but not declared; add to the files with pull, or set undeclared: { roles: ignore }',
  );
});
