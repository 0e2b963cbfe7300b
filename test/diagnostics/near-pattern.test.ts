import { describe, expect, test } from 'vitest';
import { isNearPattern, nearestName } from '../../src/diagnostics/near-pattern.ts';

describe('a misspelt pattern', () => {
  test.each([
    ['defualt', 'default'],
    ['Default', 'default'],
    ['default ', 'default'],
    ['de\u200bfault', 'default'],
    ['defaul', 'default'],
    ['clinet_id:*', 'client_id:web'],
    ['*_client', 'third_party_clients'],
    ['third*clinets', 'third_party_clients'],
    ['Ａdmin', 'admin'],
  ])('%j is near %j', (pattern, name) => {
    expect(isNearPattern(pattern, name)).toBe(true);
  });

  test.each([
    ['client_id:one', 'client_id:two'],
    ['ab', 'ac'],
    ['a*', 'bcdef'],
    ['login', 'signup'],
    ['default', 'a default of another kind'],
    ['x'.repeat(300), 'y'.repeat(300)],
  ])('%j is not near %j', (pattern, name) => {
    expect(isNearPattern(pattern, name)).toBe(false);
  });

  test('the nearest name does not depend on the order of names', () => {
    const names = ['defaults', 'default', 'defau1t'];
    expect(nearestName('defualt', names)).toBe('default');
    expect(nearestName('defualt', names.toReversed())).toBe('default');
    expect(nearestName('defualt', ['other'])).toBe(null);
  });
});
