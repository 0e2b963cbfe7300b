// `absent: true` and `unmanaged: true` on an item, for every kind: what they mean for its value, and what contradicts
// them.
import { placeText } from '../diagnostics/source-text.ts';
import type { AnyKind, ItemState } from '../model/kind.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { matcherOfAny, matchesWildcard } from '../values/selector.ts';
import type { Declared } from './desired-items.ts';
import type { Problem, Report } from './errors/problem.ts';
import type { JoinedHeader, JoinedSection } from './join-files.ts';
import { nameOf } from './join-files.ts';
import { asWritten, keyPlace, locate } from './yaml/yaml-file.ts';

const flags = ['unmanaged', 'absent'] as const;

export function stateOf(item: unknown): ItemState {
  return flags.find((flag) => memberOf(item, flag) === true) ?? 'present';
}

/** The item without its flags; of an item that is not present, what identifies it. */
export function statedValue(item: unknown, { identity }: Pick<AnyKind, 'identity'>): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const isPresent = stateOf(item) === 'present';
  if (isPresent && !flags.some((flag) => Object.hasOwn(item, flag))) return item;
  const keeps = (name: string) => (isPresent ? !flags.some((flag) => flag === name) : identity.includes(name));
  return Object.fromEntries(Object.entries(item).filter(([name]) => keeps(name)));
}

/** Reports what contradicts the state of an item. */
export function checkStates({ kind, declared }: JoinedSection, header: JoinedHeader, report: Report): void {
  const patterns = protectPatterns(header.tenant, kind);
  const isProtected = matcherOfAny(patterns);
  for (const item of declared) {
    const state = stateOf(item.value);
    if (state === 'unmanaged') checkUnmanaged(item, kind, report);
    if (state !== 'absent' || !isProtected(nameOf(item))) continue;
    const index = patterns.findIndex((pattern) => matchesWildcard(pattern, nameOf(item)));
    report(absentProtected(item, kind, header, index));
  }
}

/** The header is not valid if an error was reported for it. */
function protectPatterns({ protect }: TenantHeader, { name }: AnyKind): readonly string[] {
  const patterns: unknown = memberOf(protect, name);
  return Array.isArray(patterns) ? patterns.map(String) : [];
}

function absentProtected(item: Declared, kind: AnyKind, { tenant, file }: JoinedHeader, index: number): Problem {
  const pointer = jsonPointer('tenant', 'protect', kind.name, index);
  const value = protectPatterns(tenant, kind)[index];
  // Values of references must not be shown.
  const pattern = file === null ? value : asWritten(file, pointer, value);
  const rule = file === null ? '' : ` at ${placeText(locate(file, pointer).value)}`;
  return {
    code: 'CONFIG_ABSENT_PROTECTED',
    message: `The item is declared absent, but protect.${kind.name} contains "${pattern}"${rule}, so it is never deleted.`,
    hint: `delete "absent: true", or remove "${pattern}" from protect.${kind.name}`,
    at: keyPlace(item.file, `${item.pointer}/absent`),
  };
}

function checkUnmanaged(item: Declared, { identity }: AnyKind, report: Report): void {
  const names = Object.keys(item.value as object).filter((name) => name !== 'unmanaged' && !identity.includes(name));
  const [first] = names;
  if (first === undefined) return;
  const quoted = names.map((name) => `"${name}"`).join(', ');
  report({
    code: 'CONFIG_UNMANAGED_FIELDS',
    message: `An item with "unmanaged: true" is left alone, so it declares nothing else, but this one has ${quoted}.`,
    hint: `delete ${quoted}, or delete "unmanaged: true" to manage the item`,
    at: keyPlace(item.file, item.pointer + jsonPointer(first)),
  });
}
