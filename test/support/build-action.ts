import { expect } from 'vitest';
import { actionId } from '../../src/model/action-identity.ts';
import type { Action, FieldChange, PlannedRequest } from '../../src/model/plan.generated.ts';
import { fingerprint } from '../../src/values/fingerprint.ts';
import { buildLivePolicy } from './build-live-policy.ts';
import { buildPermission } from './build-permission.ts';

/** A precondition whose text is not of interest: tests of preconditions compare texts with each other. */
export const someState: string = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

/** Fields of an action. The sides and the body may have any object type, and lists may be read-only. */
export type ActionParts = Omit<Partial<Action>, 'before' | 'after' | 'request' | 'changes'> & {
  readonly before?: object | null;
  readonly after?: object | null;
  readonly request?: Omit<PlannedRequest, 'body'> & { readonly body?: object };
  readonly changes?: readonly FieldChange[];
};

/**
 * The only place in the tests that lists the fields of an action. Without more, it deletes the rate limit policy `one`. Its id and
 * its precondition follow from the other fields.
 */
export function buildAction(parts: ActionParts = {}): Action {
  const { kind = 'rate_limit_policies', key = 'one', action = 'delete', before = { id: key } } = parts;
  return {
    id: actionId({ ...parts, kind, key }),
    kind,
    key,
    action,
    reason: 'undeclared',
    origin: null,
    needs: [],
    request: {
      operation: 'delete_rate_limit_policy',
      method: 'DELETE',
      path: `/rate-limit-policies/${key}`,
    },
    before: { id: key },
    after: null,
    precondition: action === 'create' ? 'absent' : before && fingerprint(before),
    effects: [],
    source: null,
    ...(parts as Partial<Action>),
  };
}

export function deletePolicy(selector: string, id = 'rlp_1', parts: ActionParts = {}): Action {
  return buildAction({
    key: `oauth_authentication_api/client/${selector}`,
    request: { operation: 'delete_rate_limit_policy', method: 'DELETE', path: `/rate-limit-policies/${id}` },
    before: { ...buildLivePolicy({ id, consumer_selector: selector }) },
    ...parts,
  });
}

/** The removal of permissions of a role that could not be read. */
export function removePermissions(role: string, permissions: readonly string[]): Action {
  const pairs = permissions.map((name) => buildPermission(name));
  return buildAction({
    kind: 'roles',
    key: role,
    part: 'remove',
    action: 'remove',
    reason: 'unreadable',
    request: {
      operation: 'remove_role_permissions',
      method: 'DELETE',
      path: `/roles/${role}/permissions`,
      body: { permissions: pairs },
    },
    before: null,
    after: { absent_permissions: pairs },
    source: { file: 'roles.yaml', line: 6, column: 5 },
  });
}

/** The texts of a prompt that could not be read. */
export function putPartials(prompt: string, partials: Record<string, Record<string, string>>): Action {
  return buildAction({
    kind: 'prompts',
    key: prompt,
    action: 'put',
    reason: 'unreadable',
    request: { operation: 'set_prompt_partials', method: 'PUT', path: `/prompts/${prompt}/partials`, body: partials },
    before: null,
    after: partials,
    source: { file: 'prompts.yaml', line: 2, column: 3 },
  });
}
