import { isDeepStrictEqual } from 'node:util';
import type { Action, Plan } from '../../../src/model/plan.generated.ts';
import type { Seed } from '../../../src/model/seed.generated.ts';
import { groupBy } from '../../../src/values/group-by.ts';
import { memberOf } from '../../../src/values/json-pointer.ts';
import { type Effect, effectsBetween, type Item, rolesOf } from '../effects.ts';
import type { ForeignStep, History, Invariant, RequestStep, Violation } from '../history.ts';
import type { RoleNames } from '../meaning.ts';
import { clientsOf, connectionsOf, grantsOf, protectionsOf } from './applications.ts';

/** One of the invariants, or a part of it: all its violations in one run. */
export type Check = (history: History) => Violation[];

export function violation(invariant: Invariant, message: string): Violation {
  return { invariant, message };
}

export function requestsOf({ steps }: History): RequestStep[] {
  return steps.filter((step) => step.type === 'request');
}

export function foreignOf({ steps }: History): ForeignStep[] {
  return steps.filter((step) => step.type === 'foreign');
}

export function isWrite({ method, operation }: RequestStep): boolean {
  return method !== 'GET' && operation !== 'token';
}

export function writesOf(history: History): RequestStep[] {
  return requestsOf(history).filter(isWrite);
}

export function nameOf({ method, path, query }: RequestStep): string {
  return `${method} ${path}${query}`;
}

/** What a write is of: the action of the plan with its method, its path and its body with the secrets in place. */
export function actionOf(
  step: RequestStep,
  plan: Plan | null,
  environment: History['environment'],
): Action | undefined {
  if (plan === null) return undefined;
  const sameLine = actionsByLine(plan).get(`${step.method} ${step.path}`) ?? [];
  return sameLine.find(({ request }) => {
    const { live = [] } = request;
    return isDeepStrictEqual(without(filledBody(request, environment), live), without(step.body, live));
  });
}

const actionsByLine = onceFor((plan: Plan) =>
  groupBy(plan.actions, ({ request }) => `${request.method} ${request.path}`),
);

/** The steps that carried out, or tried to carry out, an action. */
export function stepsOf(action: Action, history: History): RequestStep[] {
  return stepsByAction(history).get(action) ?? [];
}

const stepsByAction = onceFor((history: History) =>
  groupBy(writesOf(history), (step) => actionOf(step, history.told.plan, history.environment)),
);

/** Every check asks for the same, and histories are long. */
export function onceFor<Asked extends object, Result>(find: (asked: Asked) => Result): (asked: Asked) => Result {
  const known = new WeakMap<Asked, Result>();
  return (asked) => {
    const result = known.get(asked) ?? find(asked);
    known.set(asked, result);
    return result;
  };
}

function filledBody({ body, secrets = [] }: Action['request'], environment: History['environment']): unknown {
  if (body === undefined) return undefined;
  const filled = structuredClone(body);
  for (const { pointer, env } of secrets) {
    const names = pointer.split('/').slice(1);
    const last = names.pop() ?? '';
    const parent = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], filled);
    (parent as Record<string, unknown>)[last] = environment[env];
  }
  return filled;
}

/** A body without the values that are read before it is sent. */
function without(body: unknown, pointers: readonly string[]): unknown {
  if (pointers.length === 0) return body;
  const left = structuredClone(body);
  for (const pointer of pointers) {
    const names = pointer.split('/').slice(1);
    const last = names.pop() ?? '';
    const parent = names.reduce<unknown>((value, name) => memberOf(value, name), left);
    if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last);
  }
  return left;
}

export const effectsOf: (step: { readonly before: Seed; readonly after: Seed }) => Effect[] = onceFor((step) =>
  effectsBetween(step.before, step.after),
);

/** The states that a reading could have shown before the first write. */
export function statesWhilePlanning(history: History): Seed[] {
  const firstWrite = history.steps.findIndex((step) => step.type === 'request' && isWrite(step));
  const planning = firstWrite === -1 ? history.steps : history.steps.slice(0, firstWrite);
  // Where changes become visible late, what others changed in the run before may not be seen yet.
  const late = history.lagMs > 0 ? history.earlierChanges.map(({ before }) => before) : [];
  return [...late, history.before, ...planning.flatMap((step) => (step.type === 'foreign' ? [step.after] : []))];
}

export function itemsOf(state: Seed, kind: Action['kind']): readonly Item[] {
  if (kind === 'rate_limit_policies') return state.rate_limit_policies ?? [];
  if (kind === 'roles') return rolesOf(state);
  if (kind === 'resource_servers') return (state.resource_servers ?? []) as Item[];
  if (kind === 'clients') return clientsOf(state);
  if (kind === 'client_grants') return grantsOf(state);
  if (kind === 'connections') return connectionsOf(state);
  if (kind === 'attack_protection') return protectionsOf(state);
  return kind === 'event_streams' ? (state.event_streams ?? []) : [];
}

/** What matches an item to its declaration. */
export function identityOf(kind: Action['kind'], item: Item): string {
  if (kind === 'resource_servers') return item.identifier ?? '';
  if (kind === 'client_grants') return `${memberOf(item, 'client_id')}/${memberOf(item, 'audience')}`;
  return (kind === 'rate_limit_policies' ? item.consumer_selector : item.name) ?? '';
}

/** The identity that a creation is of. */
export function createdIdentity({ kind, request }: Action): string {
  return identityOf(kind, { id: '', ...request.body });
}

/** The names that each role had in a run and before it, by its id. */
export const roleNames = onceFor(({ before, steps, earlierChanges }: History): ReadonlyMap<string, RoleNames> => {
  const names = new Map<string, { readonly id: string; readonly names: Set<string> }>();
  const changes = [...earlierChanges, ...steps].filter((step) => step.before !== step.after);
  for (const state of [before, ...changes.flatMap((step) => [step.before, step.after])])
    for (const { id, name } of state.roles ?? []) {
      const known = names.get(id) ?? { id, names: new Set() };
      names.set(id, known);
      known.names.add(name);
    }
  return names;
});
