import type { KindHead } from '../../model/kind.ts';

export const head = {
  name: 'roles',
  title: 'Roles',
  noun: { one: 'role', many: 'roles' },
  keyHint: 'NAME_OR_ID',
  undeclared: 'report',
  // Permissions go with the scopes of an API.
  needs: ['resource_servers'],
  goneWith: ['resource_servers'],
} satisfies KindHead;
