/** F1, F2, C1 and V1: what others change during an apply, and what is in effect at its end. */
import type { Outcome } from '../../../src/model/outcomes.generated.ts';
import type { Action } from '../../../src/model/plan.generated.ts';
import type { Effect } from '../effects.ts';
import type { History, RequestStep, Violation } from '../history.ts';
import { pairsOf } from './access.ts';
import { isReached } from './report.ts';
import {
  actionOf,
  type Check,
  effectsOf,
  foreignOf,
  nameOf,
  requestsOf,
  stepsOf,
  violation,
  writesOf,
} from './steps-and-items.ts';
import {
  isAbout,
  isAsPlanned,
  isComplete,
  isReadable,
  lastChange,
  lastOfPermissions,
  lastReading,
  oldestKnowledgeMs,
  targetIn,
} from './targets.ts';

const overwriting: ReadonlySet<Action['action']> = new Set(['update', 'put', 'remove', 'delete']);

/**
 * F1: nothing is overwritten or deleted that others changed before the plan was confirmed, or longer ago than a reading may be old
 * and takes.
 */
export const freshKnowledge: Check = (history) =>
  writesOf(history).flatMap((step) => {
    const action = actionOf(step, history.told.plan, history.environment);
    const why = action === undefined ? null : staleness(step, action, history);
    return why === null ? [] : [violation('F1', `${nameOf(step)} was sent, but ${why}`)];
  });

/** F2: no role loses what could not be read when it was last asked for. */
export const readKnowledge: Check = (history) =>
  writesOf(history).flatMap((step) => {
    const action = actionOf(step, history.told.plan, history.environment);
    if (action?.kind !== 'roles' || !taking.has(action.action) || !isReadable(action, history)) return [];
    const last = lastOfPermissions(history, step, action);
    if (last?.status === 200) return [];
    const why = last === undefined ? 'were never read' : `were last read with ${nameOf(last)} → ${last.status}`;
    return [violation('F2', `${nameOf(step)} was sent, and the permissions ${why}`)];
  });

const taking: ReadonlySet<Action['action']> = new Set(['remove', 'delete']);

function staleness(step: RequestStep, action: Action, history: History): string | null {
  const isExempt = !overwriting.has(action.action) || !isReadable(action, history);
  if (isExempt || isAsPlanned(action, step.before)) return null;
  const change = lastChange(history, (state) => targetIn(state, action), step);
  if (change === null) return 'its target never was as planned';
  if (change.type === 'request') return null;
  const visibleAt = change.at + history.lagMs;
  const firstRead = requestsOf(history).find(({ method }) => method === 'GET');
  if (firstRead !== undefined && change.order < firstRead.order && visibleAt <= firstRead.at)
    return 'another client changed its target before anything was read';
  if (history.confirmedAt !== null && visibleAt <= history.confirmedAt)
    return 'another client changed its target before the plan was confirmed';
  const age = step.at - visibleAt;
  return age > oldestKnowledgeMs(history, step, action) ? `another client changed its target ${age} ms earlier` : null;
}

/** C1: a conflict is reported only for what others changed, and nothing was written there. */
export const onlyRealConflicts: Check = (history) => {
  const others = [...history.earlierChanges, ...foreignOf(history)].flatMap(effectsOf);
  // A list without an item that is there looks like the work of others.
  const isMisread = history.steps.some((step) => step.type === 'request' && step.fault === 'drop_item');
  return actionsWith('conflict', history).flatMap((action): Violation[] => {
    if (stepsOf(action, history).some((step) => effectsOf(step).length > 0))
      return [violation('C1', `${action.id} is reported as a conflict, but it was carried out`)];
    const relied = [action, ...reliedOn(action, history)];
    const isNamed = namedBy(history.told.outcomes?.find(({ id }) => id === action.id)?.message ?? '');
    if (isMisread || others.some((effect) => isNamed(effect) || relied.some((one) => isAbout(effect, one)))) return [];
    return [violation('C1', `${action.id} is reported as a conflict, but no other client changed it`)];
  });
};

/** Whether a conflict names the item: the action needs something of it now, names it and it is gone, or it applies in its place. */
function namedBy(message: string): (effect: Effect) => boolean {
  const needed = Array.from(message.matchAll(/needs \w+ of ([^\s#]+)[^;]* before it/g), ([, id = '']) => id);
  const applying = /falls back to (\S+): /.exec(message)?.[1];
  const missing = /the [a-z ]+ "([^"]+)" is not on the tenant/.exec(message)?.[1];
  return ({ kind, item }) =>
    Object.values(item ?? {}).some(
      (value) =>
        value === applying ||
        value === missing ||
        needed.some((id) => id.startsWith(`${kind}/`) && id.endsWith(`/${value}`)),
    );
}

/** What a removal must see before it is sent, so that a change of it is a conflict of the removal. */
export function reliedOn(removal: Action, { told }: History): Action[] {
  const lost = new Set(pairsOf(removal));
  const isGrant = ({ kind, action, request }: Action) =>
    kind === removal.kind &&
    ((removal.action === 'delete' && action === 'create') ||
      (action === 'add' && pairsOf({ ...removal, request }).some((pair) => lost.has(pair))));
  const needs = new Set(removal.needs);
  return (told.plan?.actions ?? []).filter((action) => needs.has(action.id) || isGrant(action));
}

/** V1: exit code 0 means that everything is in effect, except for what others undid after it was verified. */
export const verifiedAtTheEnd: Check = (history) => {
  const { command, told } = history;
  if (command === 'plan' || told.code !== 0 || !told.readable) return [];
  return actionsWith('done', history)
    .filter((action) => isReadable(action, history) && !isReached(action, history.after))
    .flatMap((action) => {
      const why = undoneUnseen(action, history);
      return why === null ? [] : [violation('V1', `${action.id} is verified, but ${why}`)];
    });
};

function undoneUnseen(action: Action, history: History): string | null {
  const undone = lastChange(history, (state) => isReached(action, state));
  if (undone === null) return 'it never took effect';
  if (undone.type === 'request') return `${nameOf(undone)} undid it`;
  const last = stepsOf(action, history).at(-1);
  if (last === undefined) return null;
  // Where policies are deleted, one that applies in place of them is read once more. That verifies nothing.
  const deletes = history.told.plan?.actions.some((one) => one.kind === action.kind && one.action === 'delete');
  const readings = (deletes ? [isComplete, undefined] : [undefined]).map((isWanted) =>
    lastReading(history, action, Number.POSITIVE_INFINITY, isWanted),
  );
  const reading = readings.find((one) => one !== null && one.order > last.order) ?? null;
  if (reading === null) return 'it was undone, and nothing was read after it';
  return undone.order < reading.order && undone.at + history.lagMs <= reading.startedAt
    ? 'another client undid it before it was read'
    : null;
}

function actionsWith(wanted: Outcome['outcome'], { told }: History): Action[] {
  const ids = new Set((told.outcomes ?? []).filter(({ outcome }) => outcome === wanted).map(({ id }) => id));
  return (told.plan?.actions ?? []).filter(({ id }) => ids.has(id));
}
