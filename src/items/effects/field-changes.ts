import type { Field, Fields } from '../../model/field.ts';
import type { Effect } from '../../model/plan.generated.ts';
import { isRecord } from '../../values/is-record.ts';
import { elementName } from '../comparable.ts';
import { hasField, membersOf } from '../members.ts';

/** An effect on the item of the action. */
export type ItemEffect = Pick<Effect, 'code' | 'severity' | 'message'>;

export type Values = Readonly<Record<string, unknown>>;

/** A marked field before and after an action; undefined if it is absent, null if it is not set any more. */
export interface FieldChange {
  readonly field: Field;
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  /** The fields of the object that has it, and what the files declare of that object. */
  readonly beside: Fields;
  readonly declared: Values;
}

/** Whether a field is of a class of effects by itself. */
export function isMarked({ login, address, script }: Field): boolean {
  return login !== undefined || address !== undefined || script === true;
}

/**
 * The declared fields that are marked, in objects and elements too. What the files leave out is unmanaged, so it does not
 * change; an object that is not set any more takes all of its fields with it.
 */
export function fieldChanges(
  fields: Fields,
  before: Values,
  after: Values,
  path: readonly string[] = [],
): FieldChange[] {
  const around = { ...before, ...after };
  return Object.keys(after).flatMap((name): FieldChange[] => {
    const field = fields[name];
    if (field === undefined || !hasField(field, isMarked)) return [];
    const sides = { before: before[name], after: after[name] };
    return inField({ field, path: [...path, name], ...sides, beside: fields, declared: after }, around);
  });
}

function inField(change: FieldChange, around: Values): FieldChange[] {
  const { field, path, before, after } = change;
  if (isMarked(field)) return [change];
  if (Array.isArray(after)) return inList(change, field.items ?? {}, after, Array.isArray(before) ? before : []);
  const members = membersOf(field, isRecord(after) ? after : (before ?? {}), around);
  const now = isRecord(before) ? before : {};
  // Every field of an object that is not set any more is not set either.
  const then = isRecord(after) ? after : Object.fromEntries(Object.keys(now).map((name) => [name, null]));
  return members === null ? [] : fieldChanges(members, now, then, path);
}

function inList({ field, path }: FieldChange, items: Field, after: readonly unknown[], before: readonly unknown[]) {
  const byName = new Map(before.map((element) => [elementName(field, element), element]));
  return after.flatMap((element) => {
    const name = elementName(field, element);
    const declared = isRecord(element) ? element : {};
    const now = byName.get(name);
    const members = membersOf(items, declared);
    return members === null ? [] : fieldChanges(members, isRecord(now) ? now : {}, declared, [...path, name]);
  });
}

export function nameOf({ path }: FieldChange): string {
  return path.join('.');
}

/** Whether a field is another one or in it. */
export function isBelow(one: string, other: string): boolean {
  return `${one}.`.startsWith(`${other}.`);
}
