import type { PerformedAction } from '../model/outcome.ts';
import type { Conflict } from '../model/outcomes.generated.ts';
import type { Action } from '../model/plan.generated.ts';
import { changedFields, type FieldValues, newNotes } from './compare-fresh.ts';

/** Most fields that a message names; the document has both values. */
const namedFields = 3;
/** Most characters of a value in a message. */
const valueLength = 60;

/**
 * The outcome of an action whose item changed since it was planned: it is left alone.
 *
 *   planned  update p: 100 -> 50, now p is 80     conflict: configuration.limit was 100, is 80
 */
export function conflictOutcome(action: Action, { moved, now }: Moved): PerformedAction {
  const conflict: Conflict = { moved, before: action.before, now: now?.before ?? null };
  return {
    id: action.id,
    outcome: 'conflict',
    status: null,
    message: `not sent, because it changed after it was planned: ${describe(action, now, conflict)}`,
    conflict,
  };
}

interface Moved {
  /** The side that changed. */
  readonly moved: Conflict['moved'];
  /** The action that is planned for the item now, or null. */
  readonly now: Action | null;
}

function describe(action: Action, now: Action | null, { moved, before, now: live }: Conflict): string {
  if (moved === 'files') return 'the files declare something else now';
  if (now === null) return 'the tenant needs attention; run tenant-sync plan to see it';
  if (now.action === 'create') return 'it does not exist any more';
  if (action.action === 'create') return `it exists now${live === null ? '' : `, as ${asText(live)}`}`;
  const fields = changedFields(before, live);
  const [note] = newNotes(action, now);
  if (fields.length === 0) return note === undefined ? `another ${now.action} is needed now` : `now it ${note}`;
  const rest = fields.length - namedFields;
  const named = fields.slice(0, namedFields).map(fieldText).join('; ');
  return rest > 0 ? `${named}; and ${rest} more` : named;
}

function fieldText({ field, before, now }: FieldValues): string {
  const name = field === '' ? 'it' : field;
  return `${name} was ${asText(before)}, is ${asText(now)}`;
}

function asText(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= valueLength ? text : `${text.slice(0, valueLength)}…`;
}
