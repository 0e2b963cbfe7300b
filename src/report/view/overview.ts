import { isDifference } from '../../model/findings.ts';
import { openRefusals } from '../../model/refusals.ts';
import { planOf, type ViewedDocument } from '../document.ts';
import { quantity, thousands } from '../wording.ts';
import { itemOf } from './action-rows.ts';
import type { PlanView } from './plan-view.ts';

const nouns = { plan: 'change', drift: 'difference', outcomes: 'change' } as const;

/** Items that change; for drift, what differs. */
export function changesOf(document: ViewedDocument): number {
  const { actions, findings } = planOf(document);
  const items = new Set(actions.map(itemOf)).size;
  return document.type === 'drift' ? items + findings.filter(isDifference).length : items;
}

/** `The same 3 changes on 198 tenants`. */
export function titleOf(document: ViewedDocument, tenants: number): string {
  const count = changesOf(document);
  const noun = nouns[document.type];
  const on = quantity(tenants, 'tenant');
  return count === 0 ? on : `The same ${count === 1 ? noun : quantity(count, noun)} on ${on}`;
}

export function isCritical(document: ViewedDocument): boolean {
  return (
    document.type === 'plan' &&
    document.plan.actions.some(({ effects }) => effects.some(({ severity }) => severity === 'critical'))
  );
}

export function isRefused(document: ViewedDocument): boolean {
  return document.type === 'plan' && openRefusals(document.plan.refusals).length > 0;
}

function isFailed(document: ViewedDocument): boolean {
  return document.type === 'outcomes' && document.outcomes.outcomes.some(({ outcome }) => outcome !== 'done');
}

/** How many tenants are what; `failed` more have no document. */
export function totalsOf(documents: readonly ViewedDocument[], failed: number, isDivided: boolean): Partial<PlanView> {
  const noun = nouns[documents[0]?.type ?? 'plan'];
  const count = (wanted: (document: ViewedDocument) => boolean) => documents.filter(wanted).length;
  const counts = [
    [failed + count(isFailed), 'failed'],
    [count(isRefused), 'refused'],
    [count((one) => !planOf(one).complete), 'incomplete'],
    [count(isCritical), 'to check first'],
    [count((one) => changesOf(one) > 0), `with ${noun}s`],
    [count((one) => changesOf(one) === 0), `without ${noun}s`],
  ] as const;
  const requests = documents.reduce((sum, one) => sum + (one.type === 'plan' ? one.plan.summary.requests : 0), 0);
  const search = 'Some tenants are in several groups: search for the name of one to see all its changes.';
  return {
    headline: counts.flatMap(([of, what]) => (of === 0 ? [] : `${thousands(of)} ${what}`)),
    sentences: isDivided ? [search] : [],
    sections: [],
    remarks: [],
    closing: [],
    sends: requests === 0 ? '' : `Apply sends ${quantity(requests, 'request')} in total.`,
  };
}
