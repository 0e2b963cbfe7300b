/** I2 and G1: what roles hold, and what takes away waiting for what grants. */
import type { Action } from '../../../src/model/plan.generated.ts';
import type { Seed } from '../../../src/model/seed.generated.ts';
import { memberOf } from '../../../src/values/json-pointer.ts';
import type { History, Violation } from '../history.ts';
import { heldPairs, mayKeep, pairName } from '../meaning.ts';
import { hasClients } from './applications.ts';
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
  roleNames,
  violation,
} from './steps-and-items.ts';

/** I2: a pair that a role held before and shall hold is there at every moment. What others take away is theirs. */
export const noLostPermission: Check = (history) => {
  const { steps } = history;
  const kept = keptPairs(history);
  const violations: Violation[] = [];
  for (const step of steps) {
    for (const { kind, target, lost } of effectsOf(step)) {
      if (kind !== 'roles') continue;
      const own = kept.get(target) ?? new Set();
      for (const pair of lost) {
        if (step.type === 'request' && own.has(pair))
          violations.push(violation('I2', `role ${target} lost ${pair} by ${nameOf(step)}`));
        own.delete(pair);
      }
    }
  }
  return violations;
};

function keptPairs(history: History): Map<string, Set<string>> {
  const { meaning, before } = history;
  const names = roleNames(history);
  return new Map(
    [...heldPairs(before)].map(([id, pairs]) => {
      const role = names.get(id) ?? { id, names: [] };
      return [id, new Set([...pairs].filter((pair) => mayKeep(meaning, role, pair)))];
    }),
  );
}

/**
 * G1: no removal arrives for a role that has not got what the plan adds to it, or of a permission that another role has not got
 * yet, and no deletion for a kind of which something planned is not created. Where others change the same role or kind, nothing
 * can be said.
 */
export const grantsFirst: Check = (history) => {
  const { told, steps, environment } = history;
  const touched = new Set(
    foreignOf(history).flatMap((step) =>
      effectsOf(step).flatMap(({ kind, target, item }) => [
        kind,
        target,
        ...(item === undefined ? [] : [identityOf(kind, item)]),
      ]),
    ),
  );
  return steps.flatMap((step) => {
    if (step.type === 'foreign' || !isWrite(step)) return [];
    const taking = actionOf(step, told.plan, environment);
    const missing =
      taking === undefined
        ? []
        : missingGrants(taking, told.plan?.actions ?? [], step.before).filter((grant) => !isTouched(grant, touched));
    return missing.map((grant) => violation('G1', `${taking?.id} was sent before ${grant.id} was done`));
  });
};

function missingGrants(taking: Action, actions: readonly Action[], state: Seed): Action[] {
  if (taking.action === 'remove') {
    const lost = new Set(pairsOf(taking));
    const isOwn = ({ kind, key, ...action }: Action) =>
      kind === taking.kind && (key === taking.key || pairsOf({ kind, key, ...action }).some((pair) => lost.has(pair)));
    return actions.filter((action) => action.action === 'add' && isOwn(action) && !holdsAll(action, state));
  }
  if (taking.action !== 'delete') return [];
  const isThere = (action: Action) =>
    itemsOf(state, action.kind).some((item) => identityOf(action.kind, item) === createdIdentity(action));
  return actions.filter((action) => action.action === 'create' && action.kind === taking.kind && !isThere(action));
}

function holdsAll(action: Action, state: Seed): boolean {
  if (action.kind === 'connections') return hasClients(action, state);
  const held = heldPairs(state).get(roleOf(action)) ?? new Set();
  return pairsOf(action).every((pair) => held.has(pair));
}

function isTouched(grant: Action, touched: ReadonlySet<string>): boolean {
  return grant.action === 'add' ? touched.has(roleOf(grant)) || touched.has(grant.key) : touched.has(grant.kind);
}

/** The id in the path of a request about a role. */
export function roleOf({ request }: Action): string {
  return decodeURIComponent(request.path.split('/')[2] ?? '');
}

export function pairsOf({ request }: Action): string[] {
  return ((memberOf(request.body, 'permissions') ?? []) as Parameters<typeof pairName>[0][]).map(pairName);
}
