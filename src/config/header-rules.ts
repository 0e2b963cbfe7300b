// What the header forbids: references in its own rules, a rule that was replaced, and items that contradict it, each other or
// themselves.
import { locationText, type Place, placeText } from '../diagnostics/source-text.ts';
import type { FileSource } from '../model/file-source.ts';
import type { AnyKind, KindHead } from '../model/kind.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { matcherOfAny, matchesWildcard } from '../values/selector.ts';
import { type Declared, type JoinedHeader, type JoinedSection, nameOf, namePlace, placeBelow } from './declared.ts';
import { stateOf, withoutOldName } from './desired-items.ts';
import type { Problem, Report } from './errors/problem.ts';
import { isReference, splitReferences } from './variables/references.ts';
import { asWritten, keyPlace, locate, nodeAt, type YamlFile } from './yaml/yaml-file.ts';

/** Fields of the header that name the tenant. All others are rules about what may be changed. */
const names = new Set(['name', 'base_url']);

/**
 * Reports references in rules of the header. A value from an option, the environment or another file would change what
 * is allowed, and approve what is refused, past the review of the header.
 */
export function checkRules(file: YamlFile, report: Report): void {
  const { tenant } = file.value;
  if (file.written.size === 0 || typeof tenant !== 'object' || tenant === null) return;
  for (const [name, value] of Object.entries(tenant)) {
    if (names.has(name)) continue;
    for (const pointer of leaves(value, jsonPointer('tenant', name))) {
      const reference = splitReferences(file.written.get(nodeAt(file, pointer)) ?? '').find(isReference);
      if (reference === undefined) continue;
      report({
        at: locate(file, pointer).target,
        code: 'CONFIG_VARIABLE_IN_RULE',
        message: `"${name}" contains the reference ${reference.written}. A rule of the header is written without references, so that a review of the header shows it.`,
        hint: 'write the value itself; of the header, only "name" and "base_url" can contain references',
      });
    }
  }
}

function* leaves(value: unknown, pointer: string): Generator<string> {
  if (typeof value !== 'object' || value === null) yield pointer;
  else for (const [name, member] of Object.entries(value)) yield* leaves(member, pointer + jsonPointer(name));
}

/** Reports a layer that says the files are of another tenant than the project does. */
export function checkAssertion({ tenant, placeOf }: JoinedHeader, entry: FileSource['entry'], report: Report): void {
  const place = placeOf('/base_url');
  const [own, other] = [tenant.base_url, entry?.values.base_url];
  if (entry === undefined || place === null || own === undefined || other === undefined || own === other) return;
  report({
    code: 'CONFIG_PROJECT',
    message: `A layer says that its files belong to another tenant than the project does, at ${locationText(entry.source)}.`,
    hint: 'delete "base_url" here',
    at: keyPlace(place.file, place.pointer),
  });
}

const replaced = 'keep_undeclared';

/** Reports `keep_undeclared`, which kept items and parts of declared items: what to write depends on its kinds. */
export function checkReplacedRule({ tenant, placeOf }: JoinedHeader, kinds: readonly KindHead[], report: Report): void {
  const place = placeOf(jsonPointer(replaced));
  if (place === null || !Object.hasOwn(tenant, replaced)) return;
  const named: unknown = memberOf(tenant, replaced);
  const names: readonly unknown[] = Array.isArray(named) ? named : [];
  const deleting = kinds.filter(({ name, undeclared }) => undeclared === 'delete' && names.includes(name));
  const line = `undeclared: { ${deleting.map(({ name }) => `${name}: report`).join(', ')} }`;
  report({
    code: 'CONFIG_UNKNOWN_FIELD',
    message: `"${replaced}" is no longer a field of "tenant". "undeclared" replaces it: one setting for each kind, for items only. Parts of a declared item, such as permissions, are an exact set.`,
    hint: `${deleting.length === 0 ? 'delete it' : `write ${line} instead`}; it kept parts of declared items as well, so declare those that are to stay`,
    at: keyPlace(place.file, place.pointer),
  });
}

/** Reports items that contradict the header, each other or themselves. */
export function checkStates(section: JoinedSection, header: JoinedHeader, report: Report): void {
  const { kind, declared } = section;
  checkRenames(section, report);
  const patterns = protectPatterns(header.tenant, kind);
  const isProtected = matcherOfAny(patterns);
  for (const item of declared) {
    const state = stateOf(item.value);
    if (state === 'unmanaged') checkUnmanaged(item, kind, report);
    const names = [item.key, kind.shortKey?.(item.key) ?? nameOf(item)];
    if (state !== 'absent' || !names.some(isProtected)) continue;
    const index = patterns.findIndex((pattern) => names.some((name) => matchesWildcard(pattern, name)));
    report(absentProtected(item, kind, header, index));
  }
}

/** The header is not valid if an error was reported for it. */
function protectPatterns({ protect }: TenantHeader, { name }: AnyKind): readonly string[] {
  const patterns: unknown = memberOf(protect, name);
  return Array.isArray(patterns) ? patterns.map(String) : [];
}

function absentProtected(item: Declared, kind: AnyKind, { tenant, placeOf }: JoinedHeader, index: number): Problem {
  const place = placeOf(jsonPointer('protect', kind.name, index));
  const value = protectPatterns(tenant, kind)[index];
  // Values of references must not be shown.
  const pattern = place === null ? value : asWritten(place.file, place.pointer, value);
  const rule = place === null ? '' : ` at ${placeText(locate(place.file, place.pointer).value)}`;
  return {
    code: 'CONFIG_ABSENT_PROTECTED',
    message: `The item is declared absent, but protect.${kind.name} contains "${pattern}"${rule}, so it is never deleted.`,
    hint: `delete "absent: true", or remove "${pattern}" from protect.${kind.name}`,
    at: keyPlaceBelow(item, '/absent'),
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
    at: keyPlaceBelow(item, jsonPointer(first)),
  });
}

function keyPlaceBelow(item: Declared, below: string): Place {
  const { file, pointer } = placeBelow(item, below);
  return keyPlace(file, pointer);
}

/**
 * Reports each `renamed_from` that names no other item, or one that the files need for something else. The texts do not
 * show the name: it may come from a variable, and the excerpt shows its place.
 */
function checkRenames({ declared, layerOf }: JoinedSection, report: Report): void {
  const byKey = new Map(declared.map((item) => [item.key, item]));
  const firsts = new Map<string, Place>();
  for (const item of declared) {
    const { renamedFrom = null } = withoutOldName(item.value);
    if (renamedFrom === null) continue;
    const { file, pointer } = placeBelow(item, '/renamed_from');
    const isAbsent = stateOf(item.value) === 'absent';
    // A later layer may give up what an earlier one renames.
    if (isAbsent && placeBelow(item, '/absent').file !== file) continue;
    const at = locate(file, pointer).value;
    const refuse = (message: string, hint: string) => report({ code: 'CONFIG_RENAME', message, hint, at });
    const [other, first] = [byKey.get(renamedFrom), firsts.get(renamedFrom)];
    if (isAbsent) refuse('An absent item cannot be renamed.', 'delete "renamed_from" or "absent: true"');
    else if (item.named !== 'name')
      refuse('The item is identified by its id, so its "name" alone renames it.', 'delete "renamed_from"');
    else if (other === item)
      refuse('The item has this name in the files.', 'write its name on the tenant, or delete "renamed_from"');
    else if (other !== undefined) {
      const places = other.places.map((place) => placeText(namePlace({ ...other, places: [place] }))).join(' and at ');
      if (other.places.every((place) => layerOf(place.file) > layerOf(file)))
        refuse(
          `A later layer overrides the item under this name, at ${places}. With a rename, an override needs the new name.`,
          'write the new name there, or delete "renamed_from"',
        );
      else
        refuse(
          `This name is also declared at ${places}. A name that a rename frees cannot be used again in the same apply.`,
          'rename in an apply of its own first, then delete "renamed_from" and declare the other item',
        );
    } else if (first !== undefined)
      refuse(
        `Another item is renamed from this name as well, at ${placeText(first)}. An item has one new name.`,
        'delete one of the two',
      );
    firsts.set(renamedFrom, first ?? at);
  }
}
