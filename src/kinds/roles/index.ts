import { describedKind } from '../../items/described-kind.ts';
import type { ResourceKind } from '../../model/kind.ts';
import { listRoleGroups, listRoleUsers } from '../../service/role-holders/operations.ts';
import { description } from '../../service/roles/description.generated.ts';
import type { DeclaredRole } from '../../service/roles/permissions.ts';
import type { LiveRole } from '../../service/roles/types.generated.ts';
import { checkPermissions, checkTogether, relyingOn, withApis } from './check-permissions.ts';
import * as hooks from './hooks.ts';

// What permissions need of APIs is a question of its own: a role is planned where APIs cannot be read.
const {
  references: _references,
  naming: _naming,
  ...described
} = describedKind<DeclaredRole, LiveRole>(description, hooks);

export const roles: ResourceKind<DeclaredRole, LiveRole> = {
  ...described,
  // `Auditor (rol_Vd7aLp20x)` is how reports name a role that the files have by its id.
  completeKey: (name) => / \((rol_\w+)\)$/.exec(name)?.[1] ?? name,
  operations: [...described.operations, listRoleUsers, listRoleGroups],
  reading: withApis(described.reading),
  decide: (input) => checkPermissions(input, described.decide(input)),
  checkTogether,
  relyingOn,
  holderCounts: hooks.holderCounts,
};
