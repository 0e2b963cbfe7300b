// The description of roles, whose code is by hand: its operations are those of that code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describe } from '../../scripts/kinds/index.mjs';
import type { ListOperation, Operation } from '../../src/model/operation.ts';
import * as service from '../../src/service/roles/operations.ts';

const folder = join(import.meta.dirname, '../../src/kinds/roles');
const source = {
  file: 'roles',
  text: readFileSync(join(folder, 'kind.yaml'), 'utf8'),
  facts: JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')),
};
const { kinds, mistakes } = describe([source], ['roles', 'resource_servers']);

interface Described {
  readonly row: Operation;
  readonly style?: string;
  readonly items?: string;
}
const { operations, resources } = kinds[0] as unknown as {
  operations: Record<string, Described>;
  resources: Record<string, { operations: Record<string, Described> }>;
};

test.each<[string, Described | undefined, Operation | ListOperation]>([
  ['list', operations['list'], service.listRoles],
  ['get', operations['get'], service.getRole],
  ['create', operations['create'], service.createRole],
  ['update', operations['update'], service.updateRole],
  ['delete', operations['delete'], service.deleteRole],
  ['list permissions', resources['permissions']?.operations['list'], service.listRolePermissions],
  ['add permissions', resources['permissions']?.operations['add'], service.addRolePermissions],
  ['remove permissions', resources['permissions']?.operations['remove'], service.removeRolePermissions],
])('%s', (_name, described, row) => {
  expect(mistakes).toEqual([]);
  const { summary: _summary, ...cells } = described?.row ?? {};
  expect(row).toMatchObject(cells);
  if ('paging' in row && row.paging !== undefined) expect(described?.items).toBe(row.paging.items);
});
