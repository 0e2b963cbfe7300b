import { isDifference } from '../model/findings.ts';
import { openRefusals } from '../model/refusals.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { inNaturalOrder } from '../values/text-order.ts';
import { type Documents, isViewed, planOf, type ViewedDocument } from './document.ts';
import { frameOf, partsOf, restricted } from './parts.ts';
import { itemOf } from './view/action-rows.ts';
import type { PlanView } from './view/plan-view.ts';
import { countsOf, cutName, quantity } from './wording.ts';

/**
 * Documents of several tenants as one report: the totals and errors, then a document for each set of tenants, with exactly
 * what they have in common. What is critical or refused comes first, then what most tenants share. Documents that are not
 * each about another tenant stay as they are.
 */
export function sameChanges(documents: Documents): Documents {
  const errors = documents.filter((one) => !isViewed(one));
  const tenants = inNaturalOrder(documents.filter(isViewed), nameOf);
  if (tenants.length < 2 || new Set(tenants.map(nameOf)).size < tenants.length) return documents;
  const groups = groupsOf(tenants).sort(
    (one, other) => rankOf(one) - rankOf(other) || other.tenants.length - one.tenants.length,
  );
  const report = groups.map((group) => groupDocument(group, groups));
  const failed = errors.filter((one) => one.type === 'diagnostics' && one.tenant !== undefined).length;
  const title = quantity(tenants.length + failed, 'tenant');
  const isDivided = report.some(({ group }) => group?.isPart);
  // The last checks of tenants say how many are what, and more.
  const hasTotals = errors.some(({ type }) => type === 'checks');
  const overview = tenants.slice(0, hasTotals ? 0 : 1).map((first) => ({
    ...restricted(first, new Set(), title),
    group: { tenants: [], isPart: false, shown: totalsOf(tenants, failed, isDivided) },
  }));
  return [...overview, ...errors, ...report];
}

function nameOf(document: ViewedDocument): string {
  return planOf(document).tenant.name;
}

/** What some tenants have in common, as a document of the first one. */
interface Shared {
  readonly tenants: readonly ViewedDocument[];
  readonly document: ViewedDocument;
}

function rankOf({ document }: Shared): number {
  return [isCritical(document), isRefused(document), changesOf(document) > 0, true].indexOf(true);
}

function groupsOf(tenants: readonly ViewedDocument[]): Shared[] {
  const shared = new Map<string, { readonly indices: number[]; readonly members: readonly object[] }>();
  for (const [index, document] of tenants.entries()) {
    for (const [key, members] of membersByKey(document)) {
      const one = shared.get(key) ?? { indices: [], members };
      one.indices.push(index);
      shared.set(key, one);
    }
  }
  const bySet = groupBy(shared.values(), ({ indices }) => indices.join());
  return [...bySet].flatMap(([set, parts]) => {
    const ofSet = set.split(',').flatMap((index) => tenants[Number(index)] ?? []);
    const members = new Set(parts.flatMap((part) => part.members));
    return ofSet.slice(0, 1).map((first) => {
      const document = restricted(first, members, null);
      const title = titleOf(document, ofSet.length);
      return { tenants: ofSet, document: ofSet.length === 1 ? document : restricted(first, members, title) };
    });
  });
}

/** The same key for the same part of another document; without any part, that of what all of them depend on. */
function membersByKey(document: ViewedDocument): ReadonlyMap<string, readonly object[]> {
  const frame = fingerprint(frameOf(document));
  // Two duplicates of an item are one part that is there twice.
  const same = groupBy(partsOf(document), ({ is }) => fingerprint(is));
  if (same.size === 0) return new Map([[frame, []]]);
  return new Map(
    [...same].map(([is, parts]) => [`${frame} ${is} ${parts.length}`, parts.flatMap(({ members }) => members)]),
  );
}

/** The document of a group, with the names of its tenants. */
function groupDocument(group: Shared, groups: readonly Shared[]): ViewedDocument {
  const { tenants, document } = group;
  const own = new Set(tenants);
  const others = groups.filter((one) => one !== group && one.tenants.some((tenant) => own.has(tenant)));
  const names = tenants.map((tenant) => cutName(nameOf(tenant)));
  const changing = others.filter((one) => changesOf(one.document) > 0 || isRefused(one.document));
  const also = changing.map((one) => nameOf(one.document).replace(/^T/, 't'));
  return { ...document, group: { tenants: names, isPart: others.length > 0, also: names.length === 1 ? also : [] } };
}

const nouns = { plan: 'change', drift: 'difference', outcomes: 'change' } as const;

/** Items that change; for drift, what differs. */
function changesOf(document: ViewedDocument): number {
  const { actions, findings } = planOf(document);
  const items = new Set(actions.map(itemOf)).size;
  return document.type === 'drift' ? items + findings.filter(isDifference).length : items;
}

/** `The same 3 changes on 198 tenants`. */
function titleOf(document: ViewedDocument, tenants: number): string {
  const count = changesOf(document);
  const noun = nouns[document.type];
  const on = quantity(tenants, 'tenant');
  return count === 0 ? on : `The same ${count === 1 ? noun : quantity(count, noun)} on ${on}`;
}

function isCritical(document: ViewedDocument): boolean {
  return (
    document.type === 'plan' &&
    document.plan.actions.some(({ effects }) => effects.some(({ severity }) => severity === 'critical'))
  );
}

function isRefused(document: ViewedDocument): boolean {
  return document.type === 'plan' && openRefusals(document.plan.refusals).length > 0;
}

function isFailed(document: ViewedDocument): boolean {
  return document.type === 'outcomes' && document.outcomes.outcomes.some(({ outcome }) => outcome !== 'done');
}

/** How many tenants are what; `failed` more have no document. */
function totalsOf(documents: readonly ViewedDocument[], failed: number, isDivided: boolean): Partial<PlanView> {
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
    headline: countsOf(counts),
    sentences: isDivided ? [search] : [],
    sections: [],
    remarks: [],
    closing: [],
    sends: requests === 0 ? '' : `Apply sends ${quantity(requests, 'request')} in total.`,
  };
}
