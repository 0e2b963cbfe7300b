import { expect, test } from 'vitest';
import { operations as streamOperations } from '../../../src/service/event-streams/description.generated.ts';
import { operations as policies } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { errorResponse, policyPage, startBench, writing } from '../builders.ts';

const tokenWith = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

test('a scope that the service has allowed counts, although the claim of the token does not list it', async () => {
  await using bench = await startBench(({ path }) =>
    path.includes('event-streams') ? errorResponse(403, 'Insufficient scope') : { body: policyPage([]) },
  );
  const granted = async (claims: object) =>
    writing({ ...bench.options, credentials: { token: tokenWith(claims) } }, async ({ reader, grantedScopes }) => {
      await reader.list(policies.list, {});
      await reader.list(streamOperations.list, {});
      const scopes = await grantedScopes();
      return scopes && [...scopes];
    });
  expect(await granted({ scope: 'update:roles' })).toEqual(['update:roles', 'read:rate_limit_policies']);
  expect(await granted({ scope: 7 })).toBeNull();
});
