import { expect, test } from 'vitest';
import { fileOptions } from '../../src/cli/run-options.ts';
import { validate } from '../../src/sync/validate.ts';
import { kinds } from '../support/all-kinds.ts';
import { memorySource } from '../support/memory-source.ts';

const options = { folder: '.', only: [], except: [], rotate: [], var: [], varFile: [], allowEnv: [] };

test('the credentials of an environment are prepared once, however many tenants use it', () => {
  const env = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`T${index}_CLIENT_SECRET`, `secret-number-${index}-of-a-tenant`]),
  );
  const { signal } = new AbortController();
  const preparedFor = (of: Readonly<Record<string, string>>) => {
    const target = { files: memorySource({}), tenant: null, project: null };
    return fileOptions({ cwd: '/', env: of, signal }, options as never, target).options.environmentCredentials;
  };
  const first = preparedFor(env);
  expect(first.credentials.size).toBe(500);
  expect(first.has('x secret-number-499-of-a-tenant x')).toBe(true);
  expect(first.has('nothing')).toBe(false);
  expect(preparedFor(env)).toBe(first);
  expect(preparedFor({ T_CLIENT_SECRET: 'of another environment' }).has('secret-number-499-of-a-tenant')).toBe(false);
});

test('a program that changes its environment has the new credentials searched for by the next run', async () => {
  const env: Record<string, string> = {};
  const files = memorySource({ 'a.yaml': 'tenant: { name: planted-secret-of-two }\nroles: []\n' });
  const codesOf = async () => {
    const result = await validate({ kinds, files, variables: { env, values: [], files: [] } });
    return result.status === 'invalid' ? result.diagnostics.map(({ code }) => code) : [];
  };
  expect(await codesOf()).toEqual([]);
  env['TWO_CLIENT_SECRET'] = 'planted-secret-of-two';
  expect(await codesOf()).toEqual(['CONFIG_CREDENTIAL_EXPOSED']);
});
