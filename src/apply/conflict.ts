import { findingTraits } from '../model/findings.ts';
import type { MovedItem } from '../model/kind.ts';
import type { PerformedAction } from '../model/outcome.ts';
import type { Conflict } from '../model/outcomes.generated.ts';
import type { Action } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { type ChangedField, changedFields } from '../values/changed-fields.ts';
import { isRecord } from '../values/is-record.ts';
import { listOf } from '../values/list-of.ts';
import { compareText } from '../values/text-order.ts';
import type { Comparison } from './compare-plans.ts';

/** Most fields that a message names; the document has both values. */
const namedFields = 3;
/** Most characters of a value in a message. */
const valueLength = 60;

/** How the files declare an item now. */
export interface Declared {
  /** Whether it is as it was when the action was planned. */
  readonly isSame: boolean;
  /** Null if they do not declare it, or leave it alone. */
  readonly value: Readonly<Record<string, unknown>> | null;
}

/** What a plan that was made again shows about an action that is planned in another way now. */
type Changed = Omit<Comparison & { readonly state: 'changed' }, 'state'>;

type Moved = Changed & { readonly declared: Declared };

/**
 * The outcome of an action whose item changed since it was planned: it is left alone.
 *
 *   planned  update p: 100 -> 50, now p is 80            conflict, the tenant: configuration.limit was 100, is 80
 *   planned  update p: 100 -> 50, the files have 60 now  conflict, the files: configuration.limit was 50, is 60
 */
export function conflictOutcome(action: Action, moved: Moved): PerformedAction {
  return leftAlone(action, 'it changed after it was planned', action, moved);
}

/** The outcome of an action whose request has just read another item than the planned one. */
export function movedOutcome(action: Action, { before, notes }: MovedItem): PerformedAction {
  const now = { ...action, before: { ...before } };
  return conflictOutcome(action, { now, finding: null, notes, declared: { isSame: true, value: action.after } });
}

/** The outcome of a removal, if another client has changed what replaces it since that was sent. */
export function grantChanged(action: Action, grant: Action, changed: Changed): PerformedAction {
  const why = `${grant.id}, which it relies on, was changed after it was sent`;
  return leftAlone(action, why, grant, { ...changed, declared: { isSame: true, value: null } });
}

/** With the values then and now of an action that changed, and in words which sides did. */
function leftAlone({ id }: Action, why: string, action: Action, moved: Moved): PerformedAction {
  const { now, finding, notes, declared } = moved;
  const live = now?.before ?? null;
  const fields = now === null ? [] : changedFields(action.before, live);
  // Only the files can keep the item.
  const isKept = finding !== null && findingTraits(finding).byFiles === true;
  const isFiles = !declared.isSame || (finding === null ? now === null : isKept);
  const isTenant = !isFiles || fields.length > 0;
  const inFiles = (): string => {
    if (isKept) return finding.message;
    if (declared.isSame) return `they do not manage ${action.kind} any more`;
    if (action.after !== null && declared.value === null) return 'they do not declare it any more';
    if (action.after === null && declared.value !== null) return 'they declare it now';
    const others = now === null ? [] : changedFields(action.after, now.after);
    return others.length === 0 ? 'they declare something else now' : fieldsText(others);
  };
  const onTenant = (): string => {
    if (now === null) return finding?.message ?? 'plan again to see it';
    const [isNew, wasNew] = [now.action === 'create', action.action === 'create'];
    if (isNew && !wasNew) return 'it does not exist any more';
    if (wasNew && !isNew) return `it exists now${live === null ? '' : `, as ${asText(live)}`}`;
    if (fields.length > 0) return fieldsText(fields);
    return notes[0] === undefined ? `another ${now.action} is needed now` : `now it ${notes[0]}`;
  };
  const conflict: Conflict = {
    moved: isFiles ? (isTenant ? 'both' : 'files') : 'tenant',
    before: action.before,
    now: live,
    declared: { before: action.after, now: now?.after ?? declared.value },
  };
  const sides = [
    ...(isFiles ? [`the files changed: ${inFiles()}`] : []),
    ...(isTenant ? [`the tenant changed: ${onTenant()}`] : []),
  ];
  const message = `not sent, because ${why}; ${sides.join('; ')}`;
  return { id, outcome: 'conflict', status: null, message, conflict };
}

function fieldsText(changed: readonly ChangedField[]): string {
  const all = changed.toSorted((one, other) => compareText(one.path.join('.'), other.path.join('.')));
  // The service sets times with every change.
  const others = all.filter(({ before, now }) => !isTime(before) && !isTime(now));
  const fields = others.length > 0 ? others : all;
  const rest = fields.length - namedFields;
  const named = fields.slice(0, namedFields).map(fieldText).join('; ');
  return rest > 0 ? `${named}; and ${rest} more` : named;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
}

function fieldText({ path, before, now }: ChangedField): string {
  const name = path.length === 0 ? 'it' : path.join('.');
  if (Array.isArray(before) && Array.isArray(now)) {
    const [gone, added] = [membersOnlyIn(before, now), membersOnlyIn(now, before)];
    const changes = [...named(gone, 'gone'), ...named(added, 'new')];
    if (changes.length > 0) return `in ${name}, ${changes.join(', ')}`;
  }
  return `${name} was ${asText(before)}, is ${asText(now)}`;
}

function membersOnlyIn(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const known = new Set(other.map((member) => canonicalJson(member)));
  return list.filter((member) => !known.has(canonicalJson(member)));
}

/** `https://orders.example/ read:a is new`: the values of a flat member name it. */
function named(members: readonly unknown[], what: string): readonly string[] {
  if (members.length === 0) return [];
  const texts = members.map((member) => {
    const values = isRecord(member) ? Object.values(member) : [];
    const isFlat = values.length > 0 && values.every((value) => typeof value === 'string');
    return isFlat ? values.join(' ') : asText(member);
  });
  return [`${listOf(texts, namedFields)} ${members.length === 1 ? 'is' : 'are'} ${what}`];
}

function asText(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= valueLength ? text : `${text.slice(0, valueLength)}…`;
}
