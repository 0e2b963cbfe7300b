import { describe, expect, test } from 'vitest';
import { openNames } from '../../src/diagnostics/near-names.ts';
import { startProcessorTime } from '../support/processor-time.ts';

const nearName = (pattern: string, names: readonly string[]) => openNames(names).near(pattern);

describe('a misspelt pattern', () => {
  test.each([
    ['defualt', 'default'],
    ['Default', 'default'],
    ['default ', 'default'],
    ['de\u200bfault', 'default'],
    ['defaul', 'default'],
    ['clinet_id:*', 'client_id:web'],
    ['clinet_di:*', 'client_id:web'],
    ['*-pap', 'web-app'],
    ['*_client', 'third_party_clients'],
    ['third*clinets', 'third_party_clients'],
    ['Ａdmin', 'admin'],
  ])('%j is near %j', (pattern, name) => {
    expect(nearName(pattern, [name])).toBe(name);
  });

  test.each([
    ['client_id:one', 'client_id:two'],
    ['ab', 'ac'],
    ['a*', 'bcdef'],
    ['login', 'signup'],
    ['default', 'a default of another kind'],
    ['x'.repeat(300), 'y'.repeat(300)],
  ])('%j is not near %j', (pattern, name) => {
    expect(nearName(pattern, [name])).toBeUndefined();
  });

  test('the nearest name does not depend on the order of names', () => {
    const names = ['defaults', 'default', 'defau1t'];
    expect(nearName('default', names)).toBe('default');
    expect(nearName('default', names.toReversed())).toBe('default');
    expect(nearName('defualt', names)).toBe('default');
    for (const list of [names, names.toReversed()]) expect(nearName('defau*x', list)).toBe('defau1t');
    expect(nearName('defualt', ['other'])).toBeUndefined();
  });
});

test('a name as reports print it, and the end of a name, are near', () => {
  const names = ['client_id:break-glass', 'default'];
  expect(nearName('oauth_authentication_api/client/client_id:break-glass', names)).toBe('client_id:break-glass');
  expect(nearName('break-glass', names)).toBe('client_id:break-glass');
  expect(nearName('break-glass*', names)).toBe('client_id:break-glass');
  expect(nearName('*/client/client_id:break-*', names)).toBe('client_id:break-glass');
  expect(nearName('glass', names)).toBeUndefined();
  expect(nearName('*:default*', ['default'])).toBe('default');
  expect(nearName('other:*', names)).toBeUndefined();
});

describe('a permission that was probably meant', () => {
  test.each([
    ['raed:users', 'read:users'],
    ['Read:Users', 'read:users'],
    ['read:usres', 'read:users'],
    ['read:users ', 'read:users'],
    ['löschne:x', 'löschen:x'],
  ])('%s is %s', (word, name) => {
    expect(openNames(['admin:users', name, 'write:users']).swapped(word)).toBe(name);
  });

  test.each([
    ['read:users', 'admin:users'],
    ['read:users', 'write:users'],
    ['read:users', 'edit:users'],
    ['r:users', 'w:users'],
    ['get:users', 'set:users'],
    ['lock:users', 'block:users'],
    ['unblock:users', 'unlock:users'],
    ['read:user', 'read:users'],
    ['read:own', 'read:one'],
    ['read:app1', 'read:app2'],
    ['read:app12', 'read:app21'],
    ['read:users', 'read:users_all'],
    ['read:users', '*:users'],
    ['read:users', 'users'],
    ['read:users', 'reda:usesr'],
  ])('%s, which is gone, does not become %s', (word, name) => {
    expect(openNames([name]).swapped(word)).toBeUndefined();
  });
});

test('a name that is slow to normalize is not normalized', () => {
  const name = `a${'\u0301\u0327'.repeat(400_000)}`;
  const spent = startProcessorTime();
  expect(nearName('protected', [name])).toBeUndefined();
  expect(spent()).toBeLessThan(1_000);
});

test('many patterns over thousands of names, and a thousand misspelt words, take a few seconds at most', () => {
  const word = (seed: number) => ((seed * 7_919 + 104_729) % 1_000_003).toString(36).padStart(4, '0');
  const names = Array.from({ length: 5_000 }, (_none, index) => `client_id:app-${index}-${word(index)}`);
  const { near, nearest } = openNames(names);
  const spent = startProcessorTime();
  for (let index = 0; index < 60; index += 1) near(`clinet_id:ap*-${index}-${word(index + 9_000)}`);
  const some = names.filter((_name, index) => index % 5 === 0);
  const found = some.map((name) => nearest(name.replace('client', 'cleint')));
  // To compare each with each takes more than half a minute.
  expect(spent()).toBeLessThan(3_000);
  expect(found).toEqual(some);
});
