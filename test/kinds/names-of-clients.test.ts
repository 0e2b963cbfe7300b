// Which client a name in the files means, where several have it or others chose it.
import { describe, expect, test } from 'vitest';
import type { TenantHeader } from '../../src/model/tenant.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import type { Written } from '../support/harbour.ts';
import { planOnTenant } from '../support/plan-on-tenant.ts';
import { testClient } from '../support/start-tenant.ts';

type Item = Readonly<Record<string, unknown>>;

const client = (id: string, name: string, more: Item = {}) => ({ client_id: id, name, is_first_party: true, ...more });
const grant = (client_id: string, audience: string, scope: readonly string[]) => ({
  ...{ id: 'cgr_0000000000000001', client_id, audience, scope, subject_type: 'client' },
});
const api = (identifier: string) => ({ identifier, scopes: [{ value: 'a' }, { value: 'b' }] });

interface Case {
  readonly clients: readonly object[];
  readonly grants?: readonly object[];
  readonly files: Readonly<Record<string, readonly Written[]>>;
  readonly header?: TenantHeader;
}

/** Requests and findings of a plan. */
async function planned({ clients, grants = [], files, header = {} }: Case) {
  const seed = {
    clients: [testClient, ...clients],
    resource_servers: ['api', 'jobs/api'].map(api),
    client_grants: grants,
  };
  const undeclared = Object.fromEntries(Object.keys(files).map((kind) => [kind, 'ignore']));
  const plan = await planOnTenant({ kinds, seed, files, header: { undeclared, ...header } });
  return {
    requests: plan.actions.map(({ request: { method, path, body } }) =>
      [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '),
    ),
    findings: plan.findings
      .filter(({ code }) => code !== 'LIVE_SECRET_NOT_COMPARED')
      .map(({ code, kind, key, message }) => `${code} ${kind}/${key}: ${message}`),
  };
}

describe('names with slashes', () => {
  const clients = [client('c1', 'Billing'), client('c2', 'Billing/jobs')];
  const grants = [grant('c2', 'api', ['a', 'b'])];
  const billing = { client: 'Billing', audience: 'jobs/api' };
  test.each<[string, Written, readonly string[]]>([
    [
      'a new grant takes none of another client',
      { ...billing, scope: ['a'] },
      ['POST /client-grants {"client_id":"c1","audience":"jobs/api","subject_type":"client","scope":["a"]}'],
    ],
    ['an absent grant is not that of another client', { ...billing, state: 'absent' }, []],
  ])('%s', async (_name, declared, requests) => {
    const files = { client_grants: [declared] };
    expect(await planned({ clients, grants, files })).toEqual({ requests, findings: [] });
  });
});
