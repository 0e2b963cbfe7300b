// Messages of the service stay readable: what they repeat of our request and the files, scopes, and error codes.
import { describe, expect, test } from 'vitest';
import type { ConnectOptions } from '../../../src/model/client.ts';
import type { PlannedRequest } from '../../../src/model/plan.generated.ts';
import { operations as policyOperations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { startProcessorTime } from '../../support/processor-time.ts';
import { addRolePermissions, removeRolePermissions } from '../../support/role-operations.ts';
import { actionOf, errorResponse, reading, startBench, writing } from '../builders.ts';

const pair = { resource_server_identifier: 'https://orders.example/apis/fulfilment', permission_name: 'read:orders' };
const remove: PlannedRequest = {
  operation: removeRolePermissions.id,
  method: 'DELETE',
  path: '/roles/rol_Zx1Kq8Lm3Np5Rt7Vw9/permissions',
  body: { permissions: [pair] },
};
const add: PlannedRequest = { ...remove, operation: addRolePermissions.id, method: 'POST' };
const policy: PlannedRequest = {
  operation: 'delete_rate_limit_policy',
  method: 'DELETE',
  path: '/rate-limit-policies/rlp_a%20b',
};

async function shown(request: PlannedRequest, message: string, more: Partial<ConnectOptions> = {}) {
  await using bench = await startBench([errorResponse(400, message)], more);
  const { message: text } = await writing(bench.options, ({ perform }) => perform(actionOf(request)));
  return text?.replace(`http:${new URL(bench.server.url).host}`, '').replace('status 400: ', '');
}

describe('messages of the service', () => {
  // Public facts 6.1, and what a message of an unknown service may name.
  test.each<[PlannedRequest, string]>([
    [
      policy,
      "Path validation error: 'Object didn't pass validation for format rate-limit-policy-id: a' on property id",
    ],
    [remove, "Payload validation error: 'Array items are not unique (indexes 0 and 1)' on property permissions."],
    [remove, "Payload validation error: 'Expected type string' on property permissions[0].resource_server_identifier."],
    [remove, "Payload validation error: 'Expected type array but found type null' on property permissions (Pairs)"],
    [remove, 'Bad HTTP authentication header format'],
    [remove, 'Requesting page exceeds the allowed maximum of 1000 records.'],
    [remove, 'Expired token received for JSON Web Token validation'],
    [remove, 'Insufficient scope, expected any of: read:self_service_profile_custom_texts, update:roles'],
    [remove, 'Please upgrade your subscription to enable Akamai Signals.'],
    [remove, 'The role rol_Zx1Kq8Lm3Np5Rt7Vw9 does not exist.'],
    [remove, 'Cannot DELETE /api/v2/roles/rol_Zx1Kq8Lm3Np5Rt7Vw9/permissions.'],
    [add, "The resource server does not exist: 'https://orders.example/apis/fulfilment'"],
    [add, 'inexistent_resource_server: https://orders.example/apis/fulfilment;'],
    [policy, 'There is no rlp_a b, also known as /rate-limit-policies/rlp_a%20b'],
    [remove, 'The tenant has multiple verified custom domains.'],
    [remove, 'Global limit has been reached'],
    [remove, 'One line\nand another one of about the same length'],
  ])('%j: %s', async (request, message) => {
    expect(await shown(request, message)).toBe(message.replaceAll('\n', ' '));
  });

  test('texts that are nowhere else are hidden, however they are separated from others', async () => {
    const unknown = 'Kx81vQzR4mWn27LpYt0u';
    expect(await shown(remove, `a ${unknown}, '${unknown}': (${unknown}=%3D) x ${unknown.slice(1)}`)).toBe(
      `a […], '[…]': ([…]) x ${unknown.slice(1)}`,
    );
    expect(await shown(remove, `a ${unknown.slice(0, 9)}\n  ${unknown.slice(9)}/b`)).toBe('a […]');
  });

  test('texts of the files are shown', async () => {
    const known = { isKnownText: (run: string) => 'a file with Kx81vQzR4mWn27LpYt0u'.includes(run) };
    const message = 'no Kx81vQzR4mWn27LpYt0u, nor Kx81vQzR4mWn27LpYt0v';
    expect(await shown(remove, message, known)).toBe('no Kx81vQzR4mWn27LpYt0u, nor […]');
  });

  test('a read shows what its path and its query have, but no cursor, which the service has chosen', async () => {
    const cursor = 'c'.repeat(30);
    const selector = 'client_id:https://apps.example/client';
    await using bench = await startBench((request, index) =>
      index === 0
        ? { body: { rate_limit_policies: [], next: cursor } }
        : errorResponse(400, `${cursor} ${selector} ${request.path.split('?')[0]}`),
    );
    const listing = await reading(bench.options, ({ reader }) =>
      reader.list(policyOperations.list, { consumer_selector: selector }),
    );
    expect(listing).toMatchObject({
      ok: false,
      why: { message: `list_rate_limit_policies: page 2: status 400: […] ${selector} /api/v2/rate-limit-policies` },
    });
  });

  test('files are searched for a few texts of a message, not for thousands', async () => {
    let searches = 0;
    const isKnownText = () => {
      searches += 1;
      return false;
    };
    const many = Array.from({ length: 2_000 }, (_, index) => `unknown-text-number-${index + 1000}`).join(' ');
    expect(await shown(remove, many, { isKnownText })).toMatch(/^(?:\[…\] ){74}\[…\]…$/);
    expect(searches).toBeLessThanOrEqual(300);
  });

  test.each([
    ['dots', '.'.repeat(60_000)],
    ['blanks', `a${' '.repeat(60_000)}b`],
    ['line ends', `a${'\n'.repeat(60_000)}b`],
    ['letters in lines', 'a\n'.repeat(30_000)],
  ])('%s take no noticeable time', async (_name, message) => {
    const spent = startProcessorTime();
    await shown(remove, message);
    expect(spent()).toBeLessThan(1_000);
  });
});
