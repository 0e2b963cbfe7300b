import type { ResourceKind } from '../../model/kind.ts';
import { operations } from '../../service/roles/operations.ts';
import { shapes } from '../../service/roles/shapes.generated.ts';
import type { DeclaredRole } from '../../service/roles/types.generated.ts';
import { check } from './check.ts';
import { checkTogether, relyingOn } from './check-permissions.ts';
import { decide, roleKey } from './decide.ts';
import { describe } from './describe.ts';
import { head } from './head.ts';
import type { LiveRole } from './match-roles.ts';
import { access, canonical } from './permission-pair.ts';
import { pull } from './pull.ts';
import { holderCounts, reading } from './read.ts';

export const roles: ResourceKind<DeclaredRole, LiveRole> = {
  ...head,
  // `Auditor (rol_Vd7aLp20x)` is how reports name a role that the files have by its id.
  completeKey: (name) => / \((rol_\w+)\)$/.exec(name)?.[1] ?? name,
  operations,
  section: shapes.section,
  // An item with both is named by its id.
  identity: ['name', 'id'],
  keyOf: (role) => roleKey(role as DeclaredRole),
  canonical,
  check,
  checkTogether,
  reading,
  decide,
  relyingOn,
  describe,
  access,
  holderCounts,
  pull,
};
