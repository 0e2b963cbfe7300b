import { type Item, itemId } from '../model/action-identity.ts';
import { findingTraits, isDifference } from '../model/findings.ts';
import type { Decision } from '../model/kind.ts';
import type { Action, FieldChange, Finding, Origin, PartOrigin } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { type ChangedField, changedFields } from '../values/changed-fields.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { memoized } from '../values/memoized.ts';
import { memberPath } from '../values/part-path.ts';
import type { FileChanges } from './file-changes.ts';

/**
 * Where the differences of a three-way plan come from. The files of the base are decided on the same live state: what
 * that decision changes is how the tenant differs from the base.
 *
 *   base 100, now 50, live 100     the base has nothing to do                  change
 *   base 100, now 100, live 80     the base plans the same: 80 -> 100          drift
 *   base 100, now 50, live 80      the base plans another: 80 -> 100           both
 *   base [a], now [a, b], live []  the base adds a, not b                      both
 *   undeclared, and kept by a rule of the base alone                         change
 *
 * An action is compared by its smallest parts, so a role that gains what the files add, and loses what was
 * added by hand, has an action of each origin. `findings`: of the base, with those that connect kinds.
 */
export function openOrigins(changes: FileChanges, decisions: readonly Decision[], findings: readonly Finding[]) {
  const actions = groupBy(
    decisions.flatMap((decision) => decision.actions),
    itemId,
  );
  const found = groupBy(findings, itemId);
  /** The differences of the base; found when they are asked for. */
  const read = memoized((id: string): BaseItem => {
    const ofItem = (actions.get(id) ?? []).filter(({ reason }) => reason !== 'rotated');
    // What a rule of the base kept is no difference: only a change of that rule plans anything for it.
    const differing = (found.get(id) ?? []).filter(
      (finding) => isDifference(finding) && findingTraits(finding).about !== 'kept',
    );
    const parts = [...ofItem.flatMap(partsOf), ...differing.flatMap(({ changes = [] }) => changes.map(partOfChange))];
    return {
      parts: new Map(parts.map(({ path, target }) => [path, target])),
      differs: ofItem.length + differing.length > 0,
    };
  });
  const itemOf = (item: Item) => read(itemId(item));
  const sameFindings = new Set(findings.map(findingText));
  const isNew = ({ kind, key }: Item) => changes.isNewSection(kind) || changes.isNewItem(kind, key);
  const fromFiles = (item: Item, differs: boolean): Origin => {
    if (!differs) return 'change';
    return changes.isChanged(item.kind, item.key) ? 'both' : 'drift';
  };
  const ofParts = (item: Item, parts: readonly Part[]): Origin => {
    const base = itemOf(item);
    const origins = new Set(parts.map((part) => originOf(part, base)));
    if (origins.size === 0) return fromFiles(item, base.differs);
    // A difference of the base that has no request: only its declaration shows whether the files want another one.
    if (base.parts.size === 0 && base.differs) return fromFiles(item, true);
    const [first] = origins;
    return origins.size === 1 && first !== undefined ? first : 'both';
  };
  const ofEntire = (action: Action): Origin => {
    // Nothing moved: the command line asks for it.
    if (action.reason === 'rotated') return null;
    if (isNew(action)) return 'change';
    const parts = partsOf(action);
    if (action.reason !== 'unreadable') return ofParts(action, parts);
    const { parts: known } = itemOf(action);
    return parts.every(({ path, target }) => known.get(path) === target) ? null : 'change';
  };
  const ofEntireFinding = (finding: Finding): Origin => {
    const { kind, key } = finding;
    if (kind === 'tenant') return changes.header.some(({ field }) => key.startsWith(field)) ? 'change' : null;
    if (key === '*') return null;
    const isState = isDifference(finding) || findingTraits(finding).live === 'undeclared';
    if (!isState) return changes.isChanged(kind, key) ? 'change' : null;
    if (isNew(finding)) return 'change';
    if (sameFindings.has(findingText(finding))) return 'drift';
    // What the tenant alone leads to, the base leads to as well.
    if (finding.severity === 'error') return 'change';
    return finding.changes === undefined
      ? fromFiles(finding, itemOf(finding).differs)
      : ofParts(finding, finding.changes.map(partOfChange));
  };
  return {
    ofAction(action: Action): Pick<Action, 'origin' | 'part_origins'> {
      const origin = ofEntire(action);
      if (origin !== 'both') return { origin };
      const parts = partOriginsOf(partsOf(action), itemOf(action));
      return parts.length === 0 ? { origin } : { origin, part_origins: parts };
    },
    ofFinding(finding: Finding): Pick<Finding, 'origin'> & Partial<Finding> {
      const { kind, key, message } = finding;
      const secrets = findingTraits(finding).about === 'secret' ? changes.changedSecrets(kind, key) : [];
      if (secrets.length === 0) return { origin: ofEntireFinding(finding) };
      // The tenant shows nothing of it, and no request follows from it. What to do is first, where a report cuts the rest.
      const why = `${message}; the files name another variable than the base`;
      return { origin: 'change', severity: 'warning', message: why, changes: [...secrets] };
    },
  };
}

function findingText({ code, kind, key, message, changes = [] }: Finding): string {
  return canonicalJson({ code, kind, key, message, changes });
}

export type Origins = ReturnType<typeof openOrigins>;

/** One smallest difference: a value that a place of the item gets. */
interface Part {
  /** Where: a field of the changes, after a dot, or a JSON pointer; '' for the item itself. */
  readonly path: string;
  /** What it becomes, as JSON or a word. */
  readonly target: string;
}

const absent = 'absent';

/** What the base would do to an item. */
interface BaseItem {
  readonly parts: ReadonlyMap<string, string>;
  /** Whether the item is not as the base declares it. */
  readonly differs: boolean;
}

/** The item itself: it is created or deleted. */
const entire = '';

function originOf({ path, target }: Part, { parts }: BaseItem): Origin {
  const same = parts.get(path);
  if (same === target) return 'drift';
  if (same !== undefined || parts.has(entire) || (path === entire && parts.size > 0)) return 'both';
  return [...parts.keys()].some((other) => isBelow(other, path) || isBelow(path, other)) ? 'both' : 'change';
}

/** Which part is whose, where that is known: the item itself is no part. */
function partOriginsOf(parts: readonly Part[], base: BaseItem): PartOrigin[] {
  // Without a request of the base, only its declaration shows that it differs.
  if (base.parts.size === 0) return [];
  return parts.flatMap((part) => {
    const { path } = part;
    if (path === entire) return [];
    const origin = originOf(part, base);
    if (!path.startsWith('.')) return [{ part: path, origin }];
    const declared = origin === 'both' ? base.parts.get(path) : undefined;
    const isKnown = declared !== undefined && declared !== absent;
    return [{ part: path.slice(1), origin, ...(isKnown && { base: JSON.parse(declared) as unknown }) }];
  });
}

function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && (path[above.length] === '.' || path[above.length] === '/');
}

/** The smallest differences of an action. */
function partsOf(action: Action): readonly Part[] {
  const { before, after, changes } = action;
  if (action.action === 'create') return [{ path: entire, target: canonicalJson(after) }];
  // One of several items with the same identity has a part of its own.
  if (action.action === 'delete') return [{ path: entire, target: `deleted ${action.part ?? ''}` }];
  // The live item of a listing has fields that no file declares; its changes leave them out.
  return changes !== undefined && !isSameShape(before, after)
    ? changes.map(partOfChange)
    : changedFields(before ?? {}, after ?? {}).flatMap(partsOfField);
}

function isSameShape(before: object | null, after: object | null): boolean {
  return before !== null && after !== null && Object.keys(before).every((name) => Object.hasOwn(after, name));
}

function partOfChange({ field, after }: FieldChange): Part {
  return { path: `.${field}`, target: after === undefined ? absent : canonicalJson(after) };
}

/** A list is a set, and each of its members a part. */
function partsOfField({ path, before, now }: ChangedField): readonly Part[] {
  const pointer = jsonPointer(...path);
  if (Array.isArray(before) || Array.isArray(now)) {
    const [old, present] = [textsOf(before), textsOf(now)];
    const changed = [...new Set([...present, ...old])].filter((text) => old.has(text) !== present.has(text));
    return changed.map((text) => ({ path: memberPath(pointer, text), target: old.has(text) ? absent : 'present' }));
  }
  const [old, present] = [canonicalJson(before ?? null), canonicalJson(now ?? null)];
  return old === present ? [] : [{ path: pointer, target: present }];
}

function textsOf(list: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(list) ? list.map(canonicalJson) : []);
}
