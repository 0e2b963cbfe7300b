import { describe, expect, test } from 'vitest';
import { grantedScopes } from '../../../src/client/token/token-source.ts';

describe('scopes of a token', () => {
  const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
  test.each<[string, string, string | undefined, readonly string[] | null]>([
    ['the endpoint says them', 'opaque', 'read:roles  update:roles', ['read:roles', 'update:roles']],
    ['the endpoint says that there are none', 'opaque', '', []],
    ['a claim says them', jwt({ scope: 'read:roles' }), undefined, ['read:roles']],
    ['a list of permissions says them', jwt({ permissions: ['read:roles', 7] }), undefined, ['read:roles']],
    ['a token without either', jwt({ sub: 'x' }), undefined, null],
    ['a token that is no JWT', 'opaque', undefined, null],
  ])('%s', async (_name, token, answered, expected) => {
    const granted = await grantedScopes(token, answered);
    expect(granted && [...granted]).toEqual(expected);
  });
});
