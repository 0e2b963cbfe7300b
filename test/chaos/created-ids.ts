import { isDeepStrictEqual } from 'node:util';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { createdIdentity, effectsOf, identityOf, itemsOf } from './checks/steps-and-items.ts';
import type { RequestStep, Step } from './history.ts';

const references = /\{result:([^{}]+):(?:client_)?id\}/g;

/** A plan whose requests have the ids of what was created, where they refer to it, as they are sent. */
export function withCreatedIds(plan: Plan | null, steps: readonly Step[], after: Seed): Plan | null {
  if (plan === null) return null;
  const byId = new Map(plan.actions.map((action) => [action.id, action]));
  const actions = plan.actions.map((action) => {
    const text = JSON.stringify(action.request);
    const request = text.replace(references, (whole, name: string) => {
      const creation = byId.get(JSON.parse(`"${name}"`));
      return (creation && createdId(creation, steps, after)) ?? whole;
    });
    return request === text ? action : { ...action, request: JSON.parse(request) as Action['request'] };
  });
  return { ...plan, actions };
}

/** As the response named it; without a response, as the item was created; else that of whoever created it. */
function createdId(creation: Action, steps: readonly Step[], after: Seed): string | undefined {
  const isOwn = (step: Step): step is RequestStep =>
    step.type === 'request' && step.method === 'POST' && isDeepStrictEqual(step.body, creation.request.body);
  const last = steps.filter(isOwn).findLast((step) => idOf(step) !== undefined);
  const same = itemsOf(after, creation.kind).find(
    (item) => identityOf(creation.kind, item) === createdIdentity(creation),
  );
  return last === undefined ? same?.id : idOf(last);
}

function idOf(step: RequestStep): string | undefined {
  return step.answeredId ?? effectsOf(step).find(({ change }) => change === 'created')?.target;
}
