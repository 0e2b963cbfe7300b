import { expect, test } from 'vitest';
import { openNames } from '../../src/sync/pull/new-names.ts';

test('a variable is named after the words, and no name is used twice', () => {
  const { secret } = openNames(['TENANT_VAR_CRM_TOKEN', 'tenant_var_billing_token']);
  expect([
    secret('users-to-crm', 'password'),
    secret('Users to CRM!', 'password'),
    secret('crm', 'token'),
    secret('billing', 'token'),
    secret('日本', 'token'),
    secret('9', ''),
  ]).toEqual([
    '${env:TENANT_VAR_USERS_TO_CRM_PASSWORD}',
    '${env:TENANT_VAR_USERS_TO_CRM_PASSWORD_2}',
    '${env:TENANT_VAR_CRM_TOKEN_2}',
    '${env:TENANT_VAR_BILLING_TOKEN_2}',
    '${env:TENANT_VAR_TOKEN}',
    '${env:TENANT_VAR_9}',
  ]);
});
