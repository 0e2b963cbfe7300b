import { problem } from '../../diagnostics/problem.ts';
import { locationText } from '../../diagnostics/source-text.ts';
import { repeats } from '../../items/members.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredItem } from '../../model/kind.ts';
import type { ApiLevel } from '../../model/operation.ts';
import { pairKey } from '../../service/roles/permissions.ts';
import type { DeclaredRole } from '../../service/roles/types.generated.ts';
import { keepsName } from './match-roles.ts';

type Report = (diagnostic: Diagnostic) => void;

/**
 * Rules that a schema cannot express: an item declares something, no duplicate pair, no pair both present and absent, no
 * more than a role can have, no name if roles cannot be listed.
 */
export function check(item: DesiredItem<DeclaredRole>, report: Report, api: ApiLevel): void {
  if (item.value.name !== undefined && api === 'documented') report({ ...nameUnsupported, source: item.at('/name') });
  if (item.state !== 'present') return;
  const declares = Object.keys(item.value).some((field) => field !== 'id' && field !== 'name');
  if (!declares && !keepsName(item)) report({ ...nothingDeclared, source: item.at('') });
  const { permissions = [], absent_permissions: absent = [] } = item.value;
  for (const [list, pairs] of Object.entries({ permissions, absent_permissions: absent })) {
    if (pairs.length > mostPermissions) report({ ...tooMany, source: item.at(`/${list}`) });
    for (const found of repeats(item, list, pairs.map(pairKey), (index) => `/${list}/${index}`)) report(found);
  }
  const present = new Map(permissions.map((pair, index) => [pairKey(pair), index]));
  for (const [index, pair] of absent.entries()) {
    const wanted = present.get(pairKey(pair));
    if (wanted === undefined) continue;
    const first = locationText(item.at(`/permissions/${wanted}`));
    const message = `This permission is in both permissions (${first}) and absent_permissions of the same role.`;
    const source = item.at(`/absent_permissions/${index}`);
    report({ ...problem('CONFIG_CONTRADICTION', message, 'remove it from one of the two lists'), source });
  }
}

/** Of a role (public facts 2.4). One request contains all of them. */
const mostPermissions = 1_000;

const tooMany = problem(
  'CONFIG_TOO_LONG',
  'More than 1,000 permissions are listed here. A role can have 1,000, and one request is for 1,000.',
  'list fewer: divide permissions among several roles, and leave out absent ones that the role cannot get',
);

/** A misspelt name would never be noticed. */
const nothingDeclared = problem(
  'CONFIG_ROLE_EMPTY',
  'The role has neither a description nor permissions nor absent_permissions, so the item declares nothing about it.',
  'add one of the three (permissions: [] removes all), or delete the item: roles that are not listed are left alone',
);

const nameUnsupported = problem(
  'CONFIG_ROLE_NAME_UNSUPPORTED',
  'A role can be identified by name only if roles can be listed; api: documented has no operation that lists them.',
  "use the role's id instead of its name, or set api: full",
);
