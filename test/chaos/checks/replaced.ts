/** U1, P1 and S1: what users, consumers and receivers of events have at every moment, whatever the responses were. */
import { isDeepStrictEqual } from 'node:util';
import type { Seed } from '../../../src/model/seed.generated.ts';
import { memberOf } from '../../../src/values/json-pointer.ts';
import type { History, RequestStep, Violation } from '../history.ts';
import { heldPairs, type Meaning, mayKeep, meantRole, type RoleNames } from '../meaning.ts';
import {
  actionOf,
  type Check,
  effectsOf,
  foreignOf,
  isWrite,
  nameOf,
  roleNames,
  violation,
} from './steps-and-items.ts';

/**
 * U1: a user who has two roles keeps every permission that one of them had and one of them shall have. Every pair of roles is
 * taken for a user; of many roles, those that follow each other.
 */
export const usersKeepAccess: Check = (history) => {
  const { meaning, before, steps } = history;
  if (meaning.api !== 'full') return [];
  const users = usersOf(before).map((roles) => ({ roles, kept: keptByUser(history, roles) }));
  return steps.flatMap((step) => {
    if (step.before === step.after || !effectsOf(step).some(({ kind }) => kind === 'roles')) return [];
    const held = heldPairs(step.after);
    return users.flatMap(({ roles, kept }) => {
      const lost = [...kept].filter((pair) => !roles.some((role) => held.get(role)?.has(pair)));
      for (const pair of lost) kept.delete(pair);
      return step.type === 'foreign'
        ? []
        : lost.map((pair) => violation('U1', `a user of ${roles.join(' and ')} lost ${pair} by ${nameOf(step)}`));
    });
  });
};

const mostRoles = 5;

function usersOf({ roles = [] }: Seed): (readonly [string, string])[] {
  const ids = roles.map(({ id }) => id);
  return ids.flatMap((one, index) =>
    ids.slice(index + 1, ids.length > mostRoles ? index + 2 : undefined).map((other) => [one, other] as const),
  );
}

/** What the user has and shall have. What others take from one of the roles, or give to it, is theirs. */
function keptByUser(history: History, roles: readonly string[]): Set<string> {
  const { meaning, before } = history;
  const held = heldPairs(before);
  const touched = new Set(
    [...history.earlierChanges, ...foreignOf(history)].flatMap((step) =>
      effectsOf(step).flatMap(({ kind, target, lost, gained }) =>
        kind === 'roles' && roles.includes(target) ? [...lost, ...gained] : [],
      ),
    ),
  );
  const has = roles.flatMap((role) => [...(held.get(role) ?? [])]);
  const names = roleNames(history);
  const known = roles.map((id) => names.get(id) ?? { id, names: [] });
  const shallHave = (pair: string) =>
    known.some(
      (role) => isGranted(history, role, pair) || (held.get(role.id)?.has(pair) && mayKeep(meaning, role, pair)),
    );
  return new Set(has.filter((pair) => shallHave(pair) && !touched.has(pair)));
}

/** Whether the plan gives a role what the files want it to have. */
function isGranted({ told, meaning }: History, { id: roleId, names }: RoleNames, pair: string): boolean {
  const isMeant = [...names].every((name) => meantRole(meaning, roleId, name)?.permissions?.includes(pair) === true);
  if (!isMeant) return false;
  return (told.plan?.actions ?? []).some(
    ({ action, request }) =>
      action === 'add' &&
      request.path.includes(roleId) &&
      JSON.stringify(request.body).includes(pair.split(' ')[0] ?? ''),
  );
}

/**
 * P1: a consumer never falls back to what neither the tenant nor the files had for it: while its policy is there, to that policy
 * before or after its change; without it, only to a group or `default` that has everything which the plan creates.
 */
export const fallbacksAreMeant: Check = (history) => {
  const { meaning, before, steps, told } = history;
  if (meaning.policies === null || foreignOf(history).some(isAboutPolicies)) return [];
  if (history.earlierChanges.some(isAboutPolicies)) return [];
  const created = new Set(
    (told.plan?.actions ?? []).flatMap(({ kind, action, request }) =>
      kind === 'rate_limit_policies' && action === 'create'
        ? [String(memberOf(request.body, 'consumer_selector'))]
        : [],
    ),
  );
  return steps.flatMap((step) => {
    if (step.type === 'foreign' || !isWrite(step) || !isAboutPolicies(step)) return [];
    return changedFallbacks(step, { before, meaning, created });
  });
};

function isAboutPolicies(step: { readonly before: Seed; readonly after: Seed }): boolean {
  return effectsOf(step).some(({ kind }) => kind === 'rate_limit_policies');
}

interface Policies {
  readonly before: Seed;
  readonly meaning: Meaning;
  /** Selectors that the plan creates. */
  readonly created: ReadonlySet<string>;
}

function changedFallbacks(step: RequestStep, { before, meaning, created }: Policies): Violation[] {
  const [old, now] = [configurationsOf(before), configurationsOf(step.after)];
  const isKnown = (selector: string, configuration: unknown) =>
    [...(old.get(selector) ?? []), meaning.policies?.[selector]].some((one) => isDeepStrictEqual(one, configuration));
  const invented = [...now].filter(
    ([selector, all]) => !all.every((configuration) => isKnown(selector, configuration)),
  );
  const missing = [...created].filter((selector) => !now.has(selector));
  const deleted = effectsOf(step).filter(({ kind, change }) => kind === 'rate_limit_policies' && change === 'deleted');
  return [
    ...invented.map(([selector]) => violation('P1', `${selector} got a configuration of nobody by ${nameOf(step)}`)),
    ...deleted.flatMap(({ item }) =>
      missing.map((selector) =>
        violation('P1', `${item?.consumer_selector} fell back by ${nameOf(step)} before ${selector} was created`),
      ),
    ),
  ];
}

/** All configurations of a selector: others may have made two policies of it. */
function configurationsOf({ rate_limit_policies: policies = [] }: Seed): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const { consumer_selector: selector, configuration } of policies)
    found.set(selector, [...(found.get(selector) ?? []), configuration]);
  return found;
}

/** S1: while one stream replaces another, some enabled stream has the events that both of them have. */
export const eventsAreHandedOver: Check = (history) => {
  const { meaning, told, steps, environment } = history;
  if (meaning.streams === null || foreignOf(history).some(isAboutStreams)) return [];
  const created = new Set(
    (told.plan?.actions ?? []).flatMap(({ kind, action, key }) =>
      kind === 'event_streams' && action === 'create' ? [key] : [],
    ),
  );
  const heirs = meaning.streams.filter(({ name, status }) => created.has(name) && status === 'enabled');
  return steps.flatMap((step) => {
    if (step.type === 'foreign' || !isWrite(step) || actionOf(step, told.plan, environment)?.action !== 'delete')
      return [];
    const [had, has] = [eventsOf(step.before), eventsOf(step.after)];
    return heirs
      .flatMap(({ events }) => events)
      .filter((event) => had.has(event) && !has.has(event))
      .map((event) => violation('S1', `no enabled stream has ${event} after ${nameOf(step)}`));
  });
};

function isAboutStreams(step: { readonly before: Seed; readonly after: Seed }): boolean {
  return effectsOf(step).some(({ kind }) => kind === 'event_streams');
}

function eventsOf({ event_streams: streams = [] }: Seed): Set<string> {
  return new Set(
    streams
      .filter(({ status }) => status !== 'disabled')
      .flatMap(({ subscriptions = [] }) => subscriptions.map(({ event_type }) => event_type)),
  );
}
