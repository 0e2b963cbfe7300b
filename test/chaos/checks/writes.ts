/** I1, I3, I4, I9 and J1: what was written, against what was planned. */

import { isDeepStrictEqual } from 'node:util';
import type { Action } from '../../../src/model/plan.generated.ts';
import type { Seed } from '../../../src/model/seed.generated.ts';
import { type Effect, withoutStamps } from '../effects.ts';
import type { History, RequestStep, Violation } from '../history.ts';
import { heldTexts, isManaged, isProtected, mayKeep, meantRole, textsOf } from '../meaning.ts';
import { goesWithClient, isApplication, whyKept, wrongLosses } from './applications.ts';
import { isRefused } from './guards.ts';
import {
  actionOf,
  type Check,
  createdIdentity,
  effectsOf,
  foreignOf,
  identityOf,
  isWrite,
  itemsOf,
  nameOf,
  requestsOf,
  roleNames,
  statesWhilePlanning,
  stepsOf,
  violation,
  writesOf,
} from './steps-and-items.ts';
import { lastChange, oldestKnowledgeMs } from './targets.ts';

/** I1: every write is a request of the plan, and changes nothing but what that request names. */
export const onlyPlannedWrites: Check = (history) => {
  const { command, told, environment } = history;
  const writes = writesOf(history);
  if (command === 'plan') return writes.map((step) => violation('I1', `a plan sent ${nameOf(step)}`));
  const reads = requestsOf(history).filter((step) => !isWrite(step) && effectsOf(step).length > 0);
  const changed = reads.map((step) => violation('I1', `${nameOf(step)} changed the tenant`));
  if (!told.readable) return changed;
  const strange = writes.flatMap((step) => {
    const action = actionOf(step, told.plan, environment);
    if (action === undefined) return [violation('I1', `${nameOf(step)} is no request of the plan`)];
    const beside = effectsOf(step).filter((effect) => !isTarget(effect, action));
    return beside.map(({ kind, target }) =>
      violation('I1', `${nameOf(step)} changed ${kind} ${target}, which it does not name`),
    );
  });
  return [...changed, ...strange];
};

function isTarget(effect: Effect, action: Action): boolean {
  if (goesWithClient(effect, action)) return true;
  if (effect.kind !== action.kind) return false;
  if (action.action === 'create')
    return (
      effect.change === 'created' &&
      effect.item !== undefined &&
      identityOf(effect.kind, effect.item) === createdIdentity(action)
    );
  return action.request.path.split('/').includes(encodeURIComponent(effect.target));
}

/** I3: what is taken away is in the plan as it was read, and the files do not want it. */
export const onlyMeantLosses: Check = (history) => {
  const losses = writesOf(history).flatMap((step) => effectsOf(step).map((effect) => ({ step, effect })));
  return losses.flatMap(({ step, effect }) => {
    if (isApplication(effect)) return applicationFaults(history, step, effect);
    if (effect.change === 'deleted') return deletedFaults(history, step, effect);
    if (effect.kind === 'roles') return pairFaults(history, effect);
    if (effect.kind === 'resource_servers') return scopeFaults(effect);
    return effect.kind === 'prompts' ? textFaults(history, step, effect) : [];
  });
};

function applicationFaults(history: History, step: RequestStep, effect: Effect): Violation[] {
  const { meaning, told, environment } = history;
  const name = `${effect.kind} ${effect.item?.name ?? ''} (${effect.target})`;
  if (meaning.applications === null)
    return [violation('I3', `${name} was changed, and its section is not in the files`)];
  const action = actionOf(step, told.plan, environment);
  if (action !== undefined && action.kind !== effect.kind && goesWithClient(effect, action)) return [];
  if (effect.change !== 'deleted')
    return wrongLosses(effect, meaning.applications, step.before).map((lost) =>
      violation('I3', `${name} lost ${lost}, which the files do not take away`),
    );
  const why = whyKept(effect, meaning.applications, step.before);
  return why === null ? [] : [violation('I3', `${name} was deleted, but ${why}`)];
}

function deletedFaults(history: History, step: RequestStep, { kind, target, item }: Effect): Violation[] {
  const { meaning, told } = history;
  if (item === undefined) return [violation('I3', `${kind} ${target} was deleted`)];
  const identity = identityOf(kind, item);
  const name = `${kind} ${identity} (${target})`;
  const faults: string[] = [];
  if (!isManaged(meaning, kind)) faults.push('its section is not in the files');
  if (isProtected(meaning, kind, identity)) faults.push('it is protected');
  if (meaning.keep.includes(kind)) faults.push('undeclared keeps its kind');
  if (kind === 'roles') faults.push('no role is declared absent');
  const isDeclared =
    kind === 'event_streams'
      ? meaning.streams?.some((stream) => stream.name === identity)
      : identity in (meaning.policies ?? {});
  const others = itemsOf(step.after, kind).filter((other) => identityOf(kind, other) === identity);
  if (isDeclared && others.length === 0 && !lostItsTwin(history, step, kind, identity))
    faults.push('it is declared, and there is no other of its identity');
  if (told.readable) {
    const action = told.plan?.actions.find(
      (planned) => planned.action === 'delete' && planned.before?.['id'] === target,
    );
    if (action === undefined) faults.push('the plan does not delete it');
    else if (!wasRead(action, history)) faults.push('it never was as the plan says');
  }
  return faults.map((fault) => violation('I3', `${name} was deleted, but ${fault}`));
}

/** Whether another client deleted the other item of an identity, too late for a reading before this request. */
function lostItsTwin(history: History, step: RequestStep, kind: Action['kind'], identity: string): boolean {
  const count = (state: Seed) => itemsOf(state, kind).filter((item) => identityOf(kind, item) === identity).length;
  const change = lastChange(history, (state) => count(state) > 1, step);
  const action = actionOf(step, history.told.plan, history.environment);
  return change?.type === 'foreign' && step.at - change.at - history.lagMs <= oldestKnowledgeMs(history, step, action);
}

/** Whether a plan's word for what is live was true at some moment before the first write. */
function wasRead({ kind, before }: Action, history: History): boolean {
  return statesWhilePlanning(history).some((state) =>
    itemsOf(state, kind).some(
      (item) => before !== null && isDeepStrictEqual(withoutStamps(item), withoutStamps(before)),
    ),
  );
}

function pairFaults(history: History, { target, lost }: Effect): Violation[] {
  const role = roleNames(history).get(target) ?? { id: target, names: [] };
  return lost
    .filter((pair) => mayKeep(history.meaning, role, pair))
    .map((pair) => violation('I3', `role ${target} lost ${pair}, which the files do not take away`));
}

/** The files declare every scope. */
function scopeFaults({ target, lost }: Effect): Violation[] {
  return lost.map((scope) => violation('I3', `the API ${target} lost ${scope}, which the files do not take away`));
}

/** A put replaces everything, so what others added after the reading goes with it: only what was read is judged. */
function textFaults(history: History, step: RequestStep, { target: prompt, lost }: Effect): Violation[] {
  const { meaning } = history;
  const declared = meaning.prompts?.[prompt];
  const wanted = new Set(textsOf(prompt, declared ?? {}).map(([name]) => name));
  const isKept = declared === undefined || isProtected(meaning, 'prompts', prompt);
  const read = statesWhilePlanning(history).map(heldTexts);
  const now = heldTexts(step.after);
  const gone = [...heldTexts(step.before).keys()].filter(
    (name) => !now.has(name) && lost.some((text) => text.startsWith(`${name}=`)),
  );
  return gone
    .filter((name) => read.every((texts) => texts.has(name)))
    .flatMap((name) => {
      if (wanted.has(name)) return [violation('I3', `the text ${name} was taken away, but it is declared`)];
      return isKept && meaning.api === 'full'
        ? [violation('I3', `the text ${name} was taken away, but the files keep it`)]
        : [];
    });
}

/** I4: an action has one effect at most, however often it is sent. What others change in between is theirs. */
export const oneEffectEach: Check = (history) => {
  const { told } = history;
  return (told.plan?.actions ?? []).flatMap((action) => {
    // What goes with a client is no effect of its own.
    const effects = stepsOf(action, history)
      .flatMap(effectsOf)
      .filter(({ kind }) => kind === action.kind);
    const others = foreignOf(history).flatMap(effectsOf);
    const isUndone = (effect: Effect) =>
      others.some(({ target, change }) => target === effect.target && change === 'deleted');
    const created = effects.filter(({ change }) => change === 'created');
    // What another client deleted meanwhile is missing, and may be created again.
    if (!created.slice(0, -1).every(isUndone)) return [violation('I4', `${action.id} created ${created.length} items`)];
    const isTouched = others.some(({ target }) => effects.some((effect) => effect.target === target));
    return effects.length > 1 && !isTouched ? [violation('I4', `${action.id} had ${effects.length} effects`)] : [];
  });
};

/** I9: nothing is written before the reading is over, and nothing when the files, the plan or a guard say no. */
export const nothingBeforeTime: Check = (history) => {
  const { told, meaning, command, isSaved } = history;
  const [first] = writesOf(history);
  if (first === undefined || command === 'plan') return [];
  const faults: string[] = [];
  const isConflict = told.outcomes?.some(({ outcome }) => outcome === 'conflict') ?? false;
  if (told.code === 3 || (told.code === 4 && told.readable && !isConflict))
    faults.push(`the command exited with ${told.code}`);
  if (told.plan !== null) {
    if (!told.plan.complete) faults.push('the plan is not complete');
    if (isRefused(history)) faults.push('a guard refuses the plan');
  }
  if (told.code !== null && told.readable && told.plan === null) faults.push('no plan was told');
  const requests = requestsOf(history);
  const before = requests
    .slice(0, requests.indexOf(first))
    .filter(({ status }) => status !== null && (status < 300 || status === 404));
  const listings = [
    ['rate_limit_policies', meaning.policies, /^\/rate-limit-policies$/],
    // A saved plan reads a single stream by its id, and 404 shows that it is gone.
    ['event_streams', meaning.streams, /^\/event-streams(\/[^/]+)?$/],
    ...(meaning.api === 'full' && managesLiveRole(history)
      ? // A saved plan reads a role by its id, which may show that it has another name.
        [['roles', meaning.roles, isSaved ? /^\/roles\/[^/]+/ : /^\/roles\/[^/]+\/permissions$/] as const]
      : []),
  ] as const;
  const planned = told.plan?.actions ?? [];
  const isNew = ({ needs }: Action) => planned.some(({ id, action }) => action === 'create' && needs.includes(id));
  const isRead = (action: Action) =>
    action.kind !== 'roles' || ((action.action === 'add' || action.action === 'remove') && !isNew(action));
  const isNeeded = (kind: string) => !isSaved || planned.some((action) => action.kind === kind && isRead(action));
  for (const [kind, section, path] of listings) {
    if (section !== null && isNeeded(kind) && !before.some((step) => step.method === 'GET' && path.test(step.path)))
      faults.push(`${kind} was not read before`);
  }
  return faults.map((fault) => violation('I9', `${nameOf(first)} was sent, but ${fault}`));
};

/** Whether a role was live all the time before the first write of which the files declare permissions. */
function managesLiveRole(history: History): boolean {
  const [first = [], ...others] = statesWhilePlanning(history).map(({ roles = [] }) => roles);
  return first
    .filter(({ id, name }) => others.every((roles) => roles.some((role) => role.id === id && role.name === name)))
    .some(({ id, name }) => {
      const role = meantRole(history.meaning, id, name);
      return role !== undefined && (role.permissions !== null || role.absent.length > 0);
    });
}

/** J1: the journal on disk has an intent for a write when it arrives. */
export const intentsComeFirst: Check = (history) =>
  writesOf(history)
    .filter(({ intended }) => intended === false)
    .map((step) => violation('J1', `${nameOf(step)} arrived, and the journal had no intent for it`));

/**
 * L1: nothing is planned as created that was live from the first reading to the first write. A saved plan is of an
 * earlier time: its items are compared before they are sent.
 */
export const nothingLiveIsCreated: Check = (history) => {
  if (history.isSaved) return [];
  const creations = (history.told.plan?.actions ?? []).filter(({ action }) => action === 'create');
  const states: Seed[] = statesWhilePlanning(history);
  const isLive = (action: Action, state: Seed) => {
    const names = [createdIdentity(action), ...(action.kind === 'roles' ? formerNames(action, history) : [])];
    return itemsOf(state, action.kind).some((item) => names.includes(identityOf(action.kind, item)));
  };
  return creations
    .filter((action) => states.every((state) => isLive(action, state)))
    .map((action) => violation('L1', `${action.id} is planned as created, but it was live all the time`));
};

/** A role that is renamed is live under its old name. */
function formerNames(action: Action, { meaning }: History): string[] {
  const meant = meaning.roles?.find(({ id, name }) => id === null && name === createdIdentity(action));
  return meant?.renamedFrom === undefined ? [] : [meant.renamedFrom];
}
