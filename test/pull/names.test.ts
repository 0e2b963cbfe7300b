import { expect, test } from 'vitest';
import { openNames } from '../../src/pull/item-changes.ts';
import { openNewFiles } from '../../src/pull/references.ts';
import { memorySource } from '../support/memory-source.ts';
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

test('new texts whose paths differ by case, or not at all, do not replace each other where a file system ignores case', async () => {
  const texts = {
    x: { Point: 'one\n', point: 'two\n', 'POINT-2': 'three\n', 'a/b': 'four\n', 'A-B': 'five\n' },
    X: { point: 'six\n' },
  };
  const seed = { prompts: { login: { partials: texts } } };
  const tenant = await pullTenant(seed);
  const files = await tenant.pullInto({}, { selection: { only: ['prompts'] } });
  const liquid = Object.entries(files).filter(([path]) => path.endsWith('.liquid'));
  expect(new Set(liquid.map(([path]) => path.toLowerCase())).size).toBe(6);
  expect(liquid.map(([, text]) => text).sort()).toEqual(['five\n', 'four\n', 'one\n', 'six\n', 'three\n', 'two\n']);
});

test('files of new sections have names of their own, too', async () => {
  const { add, texts } = openNewFiles(memorySource({ 'roles-2.yaml': 'prompts: {}\n' }));
  expect([await add('Roles.yaml', 'a'), await add('roles.yaml', 'b'), await add('ROLES.yaml', 'c')]).toEqual([
    'Roles.yaml',
    'roles-3.yaml',
    'ROLES-2.yaml',
  ]);
  expect([...texts.values()]).toEqual(['a', 'b', 'c']);
});
