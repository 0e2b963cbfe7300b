import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemaComment } from '../../src/files/schema-comment.ts';
import { folder } from '../support/temp-folder.ts';

const comment = (path: string) => `# yaml-language-server: $schema=${path}`;
const schema = 'node_modules/tenant-sync/schemas/config.schema.json';

test.each([
  ['a.yaml', schema],
  ['tenant/a.yaml', `../${schema}`],
  ['tenants/acme/roles/sales/a.yaml', `../../../../${schema}`],
])('%s finds the installed schema', async (file, path) => {
  const root = await folder({ [schema]: '{}', 'package.json': '{}', '.git/HEAD': '' });
  expect(await schemaComment(join(root, file))).toBe(comment(path));
});

test('of two installations, the nearer one is used', async () => {
  const root = await folder({ [schema]: '{}', [`infra/${schema}`]: '{}' });
  expect(await schemaComment(join(root, 'infra/tenant/a.yaml'))).toBe(comment(`../${schema}`));
});

test.each(['package.json', '.git/HEAD'])(
  'without an installation, the folder with %s is where it will be',
  async (file) => {
    const root = await folder({ [file]: '{}' });
    expect(await schemaComment(join(root, 'tenant/deep/a.yaml'))).toBe(comment(`../../${schema}`));
  },
);

test('outside every project, the schema is expected beside the file', async () => {
  expect(await schemaComment(join(await folder({}), 'a.yaml'))).toBe(comment(schema));
});

test('a checkout of this package has its own schema', async () => {
  const root = join(import.meta.dirname, '../..');
  expect(await schemaComment(join(root, 'my-tenant/roles/a.yaml'))).toBe(comment('../../schemas/config.schema.json'));
});
