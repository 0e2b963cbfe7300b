/** I5: what was reported, against what happened. */
import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '../../../src/model/outcomes.generated.ts';
import type { Action } from '../../../src/model/plan.generated.ts';
import type { Seed } from '../../../src/model/seed.generated.ts';
import { memberOf } from '../../../src/values/json-pointer.ts';
import { scopesOf } from '../effects.ts';
import type { History } from '../history.ts';
import { silentLies } from '../lies.ts';
import { heldPairs } from '../meaning.ts';
import { pairsOf, roleOf } from './access.ts';
import { hasClients } from './applications.ts';
import {
  type Check,
  createdIdentity,
  effectsOf,
  foreignOf,
  identityOf,
  itemsOf,
  stepsOf,
  violation,
  writesOf,
} from './steps-and-items.ts';
import { isReadable, withoutEmpty } from './targets.ts';

export const honestReport: Check = (history) =>
  [...codeFaults(history), ...outcomeFaults(history)].map((message) => violation('I5', message));

function codeFaults(history: History): string[] {
  const { told, signal, command } = history;
  const { code, outcomes, texts, verification } = told;
  const faults: string[] = [];
  if (texts.some((text) => text.includes('INTERNAL_ERROR'))) faults.push('it told a fault of its own');
  if (code === null) return faults;
  if (signal !== null && code !== 128 + signal) faults.push(`signal ${signal} stopped it, and it exited with ${code}`);
  if (signal === null && code > 128) faults.push(`no signal stopped it, and it exited with ${code}`);
  if (command === 'plan' || outcomes === null) return faults;
  const count = (...wanted: readonly Outcome['outcome'][]) =>
    outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
  const open = outcomes.length - count('done');
  const isUnread = verification?.result === 'not_read';
  if (code === 0 && open > 0) faults.push(`it exited with 0, and ${open} actions are not done`);
  if (code === 0 && isUnread) faults.push('it exited with 0, and what it wrote was not read');
  const isError = told.plan?.findings.some(({ severity }) => severity === 'error') ?? false;
  if (code === 1 && open === 0 && !isUnread && !isError) faults.push('it exited with 1, and every action is done');
  if (code === 4 && writesOf(history).length > 0) {
    if (count('conflict') === 0) faults.push('it exited with 4 after a write, and there is no conflict');
    if (count('failed', 'unknown') > 0) faults.push('it exited with 4, and actions failed');
  }
  const unmet = verification?.not_shown ?? [];
  const believed = outcomes.filter(({ id, outcome }) => outcome === 'done' && unmet.includes(id));
  return [...faults, ...believed.map(({ id }) => `${id} is reported as done and as not as intended`)];
}

function outcomeFaults(history: History): string[] {
  const { told, command } = history;
  if (command === 'plan' || !told.readable || told.code === null) return [];
  if (told.outcomes === null || told.plan === null)
    return writesOf(history).length > 0 ? ['it wrote, and told no outcome'] : [];
  const planned = told.plan.actions.map(({ id }) => id);
  const said = told.outcomes.map(({ id }) => id);
  if (!isDeepStrictEqual(said, planned))
    return [`the plan has ${planned.join(', ')}, and outcomes were told for ${said.join(', ')}`];
  return told.plan.actions.flatMap((action, index) => {
    const outcome = told.outcomes?.[index];
    const fault = outcome === undefined ? null : faultOf(action, outcome, history);
    return fault === null ? [] : [`${action.id} is told as ${outcome?.outcome}, but ${fault}`];
  });
}

function faultOf(action: Action, { outcome }: Outcome, history: History): string | null {
  const tries = stepsOf(action, history);
  const [first] = tries;
  if (outcome === 'unknown') return first === undefined ? 'it was never sent' : null;
  // A request that is refused for its token is sent again after a reading.
  if (outcome === 'not_attempted') return tries.every(({ status }) => status === 401) ? null : 'it was sent';
  if (outcome === 'done') return takesEffect(action, history) ? null : 'it never took effect';
  if (first === undefined || outcome === 'conflict') return null;
  // Where changes become visible late, a reading does not show what was carried out just now.
  const others = foreignOf(history).some((step) => effectsOf(step).some(({ kind }) => kind === action.kind));
  return !others && history.lagMs === 0 && tries.some((step) => effectsOf(step).length > 0)
    ? 'it was carried out'
    : null;
}

/** By a request, or without one because others did it; where it is said that nothing was read, the response is believed. */
function takesEffect(action: Action, history: History): boolean {
  const tries = stepsOf(action, history);
  const [first] = tries;
  const since = first === undefined ? history.steps : history.steps.slice(history.steps.indexOf(first));
  if (since.some(({ after }) => isReached(action, after))) return true;
  const isRead = isReadable(action, history) && history.told.verification?.not_read.includes(action.id) !== true;
  return !isRead && tries.some(({ lie }) => lie !== null && silentLies.has(lie));
}

/** Whether a state is as an action wants it. */
export function isReached(action: Action, state: Seed): boolean {
  const { kind, request } = action;
  switch (action.action) {
    case 'create':
      return itemsOf(state, kind).some((item) => identityOf(kind, item) === createdIdentity(action));
    case 'update': {
      // Another client may have created the item again, as the files want it.
      const same = action.before === null ? null : identityOf(kind, action.before as never);
      return itemsOf(state, kind).some(
        (item) =>
          (request.path.endsWith(`/${encodeURIComponent(item.id)}`) || identityOf(kind, item) === same) &&
          isWithin(withoutSecrets(request), item),
      );
    }
    case 'delete':
      return itemsOf(state, kind).every(({ id }) => !request.path.endsWith(`/${encodeURIComponent(id)}`));
    case 'add': {
      if (kind === 'resource_servers') return definesAll(action, state);
      if (kind === 'connections') return hasClients(action, state);
      const held = heldPairs(state).get(roleOf(action));
      return pairsOf(action).every((pair) => held?.has(pair));
    }
    case 'remove': {
      if (kind === 'connections') return hasClients(action, state);
      const held = heldPairs(state).get(roleOf(action));
      return pairsOf(action).every((pair) => !held?.has(pair));
    }
    case 'put': {
      const partials = state.prompts?.[action.key]?.partials ?? {};
      return isDeepStrictEqual(withoutEmpty(partials), withoutEmpty(request.body ?? {}));
    }
  }
}

function definesAll({ request }: Action, state: Seed): boolean {
  const defined = scopesOf(state).get(request.path.split('/').at(-1) ?? '');
  const wanted = (memberOf(request.body, 'scopes') ?? []) as readonly { readonly value: string }[];
  return wanted.every(({ value }) => defined?.has(value));
}

/** The tenant never shows a secret again. */
function withoutSecrets({ body, secrets = [] }: Action['request']): unknown {
  const hidden = new Set(secrets.map(({ pointer }) => pointer.split('/').at(-1)));
  return JSON.parse(JSON.stringify(body ?? {}, (name, value: unknown) => (hidden.has(name) ? undefined : value)));
}

/** Whether every field of one value is in the other; objects may have more. */
function isWithin(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return isDeepStrictEqual(wanted, found);
  if (typeof found !== 'object' || found === null) return false;
  return Object.entries(wanted).every(([name, value]) => isWithin(value, Reflect.get(found, name)));
}
