import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onlyCompleteKeys, selectsItem, selectsKind, unmatchedSelectors } from '../../src/plan/selection.ts';
import { itemSelector, literalPattern, matchesWildcard, parseSelector } from '../../src/values/selector.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { propertyRuns } from '../support/thorough.ts';

describe('wildcards', () => {
  test.each([
    ['default', 'default', true],
    ['default', 'defaults', false],
    ['*', '', true],
    ['*', 'anything/at all', true],
    ['client_id:tpa_*', 'client_id:tpa_1', true],
    ['client_id:tpa_*', 'client_id:tp', false],
    ['*_clients', 'cimd_clients', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['a*a', 'a', false],
    ['a*bb*b', 'abb', false],
    ['', '', true],
    ['', 'x', false],
    ['.', 'x', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['a\\*', 'a\\*', false],
    ['\\**', '*b', true],
    ['\\**', 'ab', false],
    ['a\\b', 'a\\b', true],
    ['a\\\\*', 'a\\*', true],
  ])('%j on %j: %s', (pattern, text, matches) => {
    expect(matchesWildcard(pattern, text)).toBe(matches);
  });

  test('agrees with a regular expression made of the pattern', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^]*')}$`);
        expect(matchesWildcard(pattern, text)).toBe(expression.test(text));
      }),
      propertyRuns(2_000),
    );
  });

  test('the pattern and the selector of a text match it and no other text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', '*', '\\', '/'), maxLength: 6 });
    fc.assert(
      fc.property(letters, letters, (text, other) => {
        expect(matchesWildcard(literalPattern(text), text)).toBe(true);
        expect(matchesWildcard(literalPattern(text), other)).toBe(text === other);
        const selection = { only: [itemSelector({ kind: 'roles', key: text })], except: [], rotate: [] };
        expect(selectsItem(selection, 'roles', other)).toBe(text === other);
        expect(onlyCompleteKeys(selection, 'roles')).toEqual([text]);
      }),
      propertyRuns(2_000),
    );
  });

  test('stays fast on a hostile pattern', () => {
    const spent = startProcessorTime();
    expect(matchesWildcard(`${'*a'.repeat(50)}b`, 'a'.repeat(100_000))).toBe(false);
    expect(spent()).toBeLessThan(500);
  });
});

describe('selectors', () => {
  test('a key may hold slashes, a kind does not', () => {
    expect(parseSelector('rate_limit_policies/a/b/client_id:https://c.example/d')).toMatchObject({
      kind: 'rate_limit_policies',
      key: 'a/b/client_id:https://c.example/d',
    });
    expect(parseSelector('event_streams')).toMatchObject({ kind: 'event_streams', key: null });
  });

  test.each([
    [[], [], true],
    [['event_streams'], [], false],
    [['rate_limit_policies/a'], [], true],
    [['rate_limit_policies'], ['rate_limit_policies/a'], true],
    [[], ['rate_limit_policies'], false],
    [[], ['rate_limit_policies/*'], false],
  ])('--only %j --except %j reads the kind: %s', (only, except, reads) => {
    expect(selectsKind({ only, except, rotate: [] }, 'rate_limit_policies')).toBe(reads);
  });

  test.each([
    [[], [], true],
    [['rate_limit_policies'], [], true],
    [['rate_limit_policies/a*'], [], true],
    [['rate_limit_policies/b'], [], false],
    [['rate_limit_policies'], ['rate_limit_policies/ab'], false],
    [[], ['event_streams/ab'], true],
  ])('--only %j --except %j takes the item: %s', (only, except, takes) => {
    expect(selectsItem({ only, except, rotate: [] }, 'rate_limit_policies', 'ab')).toBe(takes);
  });

  test.each([
    [['rate_limit_policies/a'], ['a']],
    [['rate_limit_policies/a*'], null],
    [['rate_limit_policies'], null],
    [
      ['rate_limit_policies/a', 'rate_limit_policies/b', 'rate_limit_policies/a'],
      ['a', 'b'],
    ],
    [['rate_limit_policies/a', 'rate_limit_policies/b*'], null],
    [['event_streams/a'], null],
    [[], null],
  ])('--only %j asks for these complete keys: %j', (only, keys) => {
    expect(onlyCompleteKeys({ only, except: [], rotate: [] }, 'rate_limit_policies')).toEqual(keys);
  });

  test('a selector that names nothing is found out', () => {
    const selection = {
      only: ['rate_limit_policies/a', 'rate_limit_policies/x*', 'event_streams'],
      except: [],
      rotate: [],
    };
    expect(
      unmatchedSelectors(selection.only, [{ kind: 'rate_limit_policies', key: 'a' }]).map(({ text }) => text),
    ).toEqual(['rate_limit_policies/x*', 'event_streams']);
    expect(unmatchedSelectors(['event_streams'], [{ kind: 'event_streams', key: 'a' }])).toEqual([]);
    expect(unmatchedSelectors([], [{ kind: 'event_streams', key: 'a' }])).toEqual([]);
  });
});
