import { describe, expect, test } from 'vitest';
import { grantedScopes, ownerOf } from '../../../src/client/token/token-source.ts';

describe('scopes of a token', () => {
  const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
  test.each<[string, string, string | undefined, readonly string[] | null]>([
    ['the endpoint says them', 'opaque', 'read:roles  update:roles', ['read:roles', 'update:roles']],
    ['the endpoint names no scope', 'opaque', '', null],
    ['the endpoint names something else', 'opaque', 'full_access', null],
    ['a claim says them', jwt({ scope: 'read:roles' }), undefined, ['read:roles']],
    ['a claim lists them', jwt({ scope: ['read:roles'] }), undefined, ['read:roles']],
    ['a list of permissions says them', jwt({ permissions: ['read:roles'] }), undefined, ['read:roles']],
    ['both claims', jwt({ scope: 'openid', permissions: ['read:roles'] }), undefined, ['openid', 'read:roles']],
    ['a list with a number', jwt({ permissions: ['read:roles', 7] }), undefined, null],
    ['a claim that is an object', jwt({ scope: { 'read:roles': true } }), undefined, null],
    ['a claim that is null', jwt({ scope: null }), undefined, null],
    ['a claim that is no list, beside one that is', jwt({ scope: 7, permissions: ['read:roles'] }), undefined, null],
    ['a claim without any scope', jwt({ scope: 'full_access' }), undefined, null],
    ['an empty claim', jwt({ scope: '' }), undefined, null],
    ['a token without either', jwt({ sub: 'x' }), undefined, null],
    ['a token that is no JWT', 'opaque', undefined, null],
  ])('%s', async (_name, token, answered, expected) => {
    const granted = await grantedScopes(token, answered);
    expect(granted && [...granted]).toEqual(expected);
  });
});

test.each<[object, Awaited<ReturnType<typeof ownerOf>>]>([
  [
    { azp: 'c1', aud: 'https://a.example/' },
    { client: 'c1', apis: ['https://a.example/'] },
  ],
  [{ aud: ['a', 1, 'b'] }, { client: null, apis: ['a', 'b'] }],
  [{ azp: 1 }, { client: null, apis: [] }],
])('the owner of a token with %j', async (claims, owner) => {
  const token = `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  expect(await ownerOf({ current: async () => token })).toEqual(owner);
});
