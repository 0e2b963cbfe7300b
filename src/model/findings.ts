import type { FindingCode } from './codes.generated.ts';
import type { Finding, Severity } from './plan.generated.ts';

/** What a code of a finding means wherever something is decided by it. */
export interface FindingTraits {
  /** Where nothing else is stated. */
  readonly severity: Severity;
  /**
   * What it is about: an error of the files that only the tenant shows, a difference that no action fixes, an item or a
   * part that is kept as configured, a secret that cannot be compared, something else that could not be checked, or a rule
   * of the files that may not be meant as it is written.
   */
  readonly about: 'error' | 'difference' | 'kept' | 'secret' | 'unchecked' | 'rule';
  /** How the item, or a part of it, is on the tenant, compared with the files. Absent if the finding does not show it. */
  readonly live?: 'missing' | 'different' | 'undeclared' | 'unmanaged';
  /** Whether a reading failed, so that nothing is known of the item. */
  readonly isUnread?: true;
  /** Whether it is about fields of an item that was read. */
  readonly ofFields?: true;
  /** Whether `drift` counts it: what is kept is a difference only if no pattern or item in the files names it. */
  readonly differs?: true;
  /** Whether nothing but the files can make it appear. A name that changes on the tenant can lead to a protected one. */
  readonly byFiles?: true;
}

const traits: Readonly<Record<FindingCode, FindingTraits>> = {
  LIVE_NOT_FOUND: { severity: 'error', about: 'error', differs: true },
  LIVE_SYSTEM_API: { severity: 'error', about: 'error', differs: true },
  LIVE_RESERVED: { severity: 'error', about: 'error', differs: true },
  LIVE_AMBIGUOUS: { severity: 'error', about: 'error', differs: true },
  LIVE_DECLARED_TWICE: { severity: 'error', about: 'error', differs: true },
  LIVE_REFERENCED: { severity: 'error', about: 'error', differs: true },
  LIVE_RENAME_CONFLICT: { severity: 'error', about: 'error', differs: true },
  LIVE_MISSING: { severity: 'warning', about: 'difference', live: 'missing', differs: true },
  LIVE_DIFFERENT: { severity: 'warning', about: 'difference', live: 'different', differs: true },
  LIVE_UNDECLARED: { severity: 'note', about: 'kept', live: 'undeclared', differs: true, byFiles: true },
  LIVE_UNDECLARABLE: { severity: 'note', about: 'kept', live: 'undeclared' },
  LIVE_UNDELETABLE: { severity: 'warning', about: 'difference', live: 'undeclared', differs: true },
  LIVE_PROTECTED: { severity: 'note', about: 'kept', live: 'undeclared' },
  LIVE_UNMANAGED: { severity: 'note', about: 'kept', live: 'unmanaged', byFiles: true },
  LIVE_DUPLICATE: { severity: 'warning', about: 'difference', live: 'different', differs: true },
  LIVE_UNREADABLE: { severity: 'warning', about: 'unchecked', isUnread: true },
  /** A note where nothing is declared. */
  LIVE_NOT_ON_TENANT: { severity: 'error', about: 'unchecked' },
  LIVE_SCOPE_MISSING: { severity: 'warning', about: 'unchecked', isUnread: true },
  LIVE_FORBIDDEN: { severity: 'warning', about: 'unchecked', isUnread: true },
  LIVE_LISTING_INCOMPLETE: { severity: 'warning', about: 'unchecked', isUnread: true },
  LIVE_NOT_CHECKED: { severity: 'note', about: 'unchecked' },
  LIVE_UNEXPECTED_FIELD: { severity: 'warning', about: 'unchecked', ofFields: true },
  LIVE_SECRET_NOT_COMPARED: { severity: 'note', about: 'secret' },
  LIVE_NEAR_PERMISSION: { severity: 'warning', about: 'rule' },
  LIVE_UNKNOWN_SCREEN: { severity: 'warning', about: 'rule' },
  LIVE_NEAR_NAME: { severity: 'warning', about: 'rule' },
  LIVE_RENAMED: { severity: 'note', about: 'rule' },
  RULE_GUARD_WIDENED: { severity: 'note', about: 'rule' },
  RULE_UNMATCHED: { severity: 'warning', about: 'rule' },
};

/** A saved plan of a later version may have another code. */
const unknown: FindingTraits = { severity: 'warning', about: 'difference', live: 'different', differs: true };

export function findingTraits({ code }: Pick<Finding, 'code'>): FindingTraits {
  return Object.hasOwn(traits, code) ? traits[code] : unknown;
}

/** What can be done about live items of a kind that the files do not declare. */
export function undeclaredRemedies(kind: string): string {
  return `add to the files with pull, or set undeclared: { ${kind}: ignore }`;
}

/** True for a difference between files and tenant, whether it can be fixed or not, and for an error that only the tenant shows. */
export function isDifference(finding: Pick<Finding, 'code' | 'severity'>): boolean {
  return finding.severity === 'error' || findingTraits(finding).differs === true;
}
