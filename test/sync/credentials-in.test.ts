import { expect, test } from 'vitest';
import { credentialsIn } from '../../src/engine/credential-values.ts';

test('the credentials of an environment are prepared once, however many tenants use it', () => {
  const secrets = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`T${index}_CLIENT_SECRET`, `secret-number-${index}-of-a-tenant`]),
  );
  const first = credentialsIn(secrets);
  expect(first.credentials.size).toBe(500);
  expect(first.has('x secret-number-499-of-a-tenant x')).toBe(true);
  expect(first.has('nothing')).toBe(false);
  expect(credentialsIn(secrets)).toBe(first);
  expect(credentialsIn({ T_CLIENT_SECRET: 'of another environment' }).has('secret-number-499-of-a-tenant')).toBe(false);
});
