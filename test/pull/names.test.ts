import { expect, test } from 'vitest';
import { openNames } from '../../src/pull/item-changes.ts';
import { pullTenant } from '../support/pull-tenant.ts';

test('a variable is named after the words, and no name is used twice', () => {
  const { secret } = openNames(['TENANT_VAR_CRM_TOKEN', 'tenant_var_billing_token']);
  expect([
    secret('users-to-crm', 'password'),
    secret('Users to CRM!', 'password'),
    secret('users', 'to', 'crm', 'password'),
    secret('crm', 'token'),
    secret('billing', 'token'),
    secret('日本', 'token'),
    secret('9', ''),
  ]).toEqual([
    '${env:TENANT_VAR_USERS_TO_CRM_PASSWORD}',
    '${env:TENANT_VAR_USERS_TO_CRM_PASSWORD_2}',
    '${env:TENANT_VAR_USERS_TO_CRM_PASSWORD_3}',
    '${env:TENANT_VAR_CRM_TOKEN_2}',
    '${env:TENANT_VAR_BILLING_TOKEN_2}',
    '${env:TENANT_VAR_TOKEN}',
    '${env:TENANT_VAR_9}',
  ]);
});

test('names of the tenant decide on no folder', async () => {
  const texts = {
    x: { y: 'a\nb\n' },
    'x-y.liquid/z': { y: 'c\nd\n' },
    [`${'/'.repeat(1500)}..`]: { '../p': 'e\nf\n' },
  };
  const tenant = await pullTenant({ prompts: { login: { partials: texts } } });
  const files = await tenant.pullInto({}, { selection: { only: ['prompts'] } });
  const liquid = Object.keys(files).filter((path) => path.endsWith('.liquid'));
  expect(liquid.map((path) => path.split('/').slice(0, -1).join('/'))).toEqual(liquid.map(() => 'partials/login'));
  expect(liquid).toHaveLength(3);
  expect(Math.max(...liquid.map(({ length }) => length))).toBeLessThan(200);
});
