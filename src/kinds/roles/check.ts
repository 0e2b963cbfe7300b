import { problem } from '../../diagnostics/problem.ts';
import { locationText } from '../../diagnostics/source-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredItem } from '../../model/kind.ts';
import type { ApiLevel } from '../../model/operation.ts';
import type { DeclaredRole } from '../../service/roles/types.generated.ts';
import { keepsName } from './match-roles.ts';
import { pairKey } from './permission-pair.ts';

type Report = (diagnostic: Diagnostic) => void;
type List = 'permissions' | 'absent_permissions';

/**
 * Rules that a schema cannot express: an item declares something, no duplicate pair, no pair both present and absent, no name if roles cannot be
 * listed.
 */
export function check(item: DesiredItem<DeclaredRole>, report: Report, api: ApiLevel): void {
  if (item.value.name !== undefined && api === 'documented') report({ ...nameUnsupported, source: item.at('/name') });
  if (item.state !== 'present') return;
  const declares = Object.keys(item.value).some((field) => field !== 'id' && field !== 'name');
  if (!declares && !keepsName(item)) report({ ...nothingDeclared, source: item.at('') });
  const present = checkRepeats(item, 'permissions', report);
  checkRepeats(item, 'absent_permissions', report);
  for (const [index, pair] of (item.value.absent_permissions ?? []).entries()) {
    const wanted = present.get(pairKey(pair));
    if (wanted === undefined) continue;
    const first = locationText(item.at(`/permissions/${wanted}`));
    const message = `This permission is in both permissions (${first}) and absent_permissions of the same role.`;
    const source = item.at(`/absent_permissions/${index}`);
    report({ ...problem('CONFIG_CONTRADICTION', message, 'remove it from one of the two lists'), source });
  }
}

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

/** The first index of each pair of a list; later ones are reported. */
function checkRepeats(item: DesiredItem<DeclaredRole>, list: List, report: Report): Map<string, number> {
  const seen = new Map<string, number>();
  for (const [index, pair] of (item.value[list] ?? []).entries()) {
    const first = seen.get(pairKey(pair));
    if (first === undefined) {
      seen.set(pairKey(pair), index);
      continue;
    }
    const message = `This permission is listed twice in ${list}, first at ${locationText(item.at(`/${list}/${first}`))}.`;
    const source = item.at(`/${list}/${index}`);
    report({ ...problem('CONFIG_DUPLICATE_PERMISSION', message, 'remove one of the two entries'), source });
  }
  return seen;
}
