import { asOnAnyTenant, itemId } from '../model/action-identity.ts';
import { isDifference } from '../model/findings.ts';
import type { Action, Plan, Refusal } from '../model/plan.generated.ts';
import { openRefusals } from '../model/refusals.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { inNaturalOrder } from '../values/text-order.ts';
import { type Documents, isViewed, planOf, type ViewedDocument, warningsOf } from './document.ts';
import { itemOf } from './view/action-rows.ts';
import { findingsOf } from './view/findings.ts';
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
  const groups = titled(
    groupsOf(tenants).sort((one, other) => rankOf(one) - rankOf(other) || other.tenants.length - one.tenants.length),
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
  readonly members: ReadonlySet<object>;
  readonly document: ViewedDocument;
}

/** The last rank has no changes. */
function rankOf({ document }: Shared): number {
  const { isCritical, isRefused, changes } = traitsOf(document);
  return [isCritical, isRefused, changes > 0, true].indexOf(true);
}

function groupsOf(tenants: readonly ViewedDocument[]): Shared[] {
  const found = tenants.flatMap((document, index) =>
    Array.from(membersByKey(document), ([key, members]) => ({ document, index, key, members })),
  );
  const byKey = groupBy(found, ({ key }) => key);
  const bySet = groupBy(byKey.values(), (same) => same.map(({ index }) => index).join());
  return [...bySet.values()].flatMap((parts) => {
    const ofSet = parts[0]?.map(({ document }) => document) ?? [];
    const members = new Set(parts.flatMap(([first]) => first?.members ?? []));
    return ofSet.slice(0, 1).map((first) => ({ tenants: ofSet, members, document: restricted(first, members, null) }));
  });
}

/** A group of several tenants has a title as its name. The second one with the same title says so, because others refer to it. */
function titled(groups: readonly Shared[]): readonly Shared[] {
  const counts = new Map<string, number>();
  return groups.map((group) => {
    const { tenants, members, document } = group;
    if (tenants.length === 1) return group;
    const title = titleOf(document, tenants.length);
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return { ...group, document: restricted(document, members, count === 1 ? title : `${title} (${count})`) };
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
  const changing = others.filter((one) => rankOf(one) < 3);
  const also = changing.map((one) => nameOf(one.document).replace(/^T/, 't'));
  return { ...document, group: { tenants: names, isPart: others.length > 0, also: names.length === 1 ? also : [] } };
}

const nouns = { plan: 'change', drift: 'difference', outcomes: 'change' } as const;

/** What decides about the place of a document, and what the totals count. */
function traitsOf(document: ViewedDocument) {
  const { actions, findings, refusals } = planOf(document);
  const isPlan = document.type === 'plan';
  const items = new Set(actions.map(itemOf)).size;
  return {
    isFailed: document.type === 'outcomes' && document.outcomes.outcomes.some(({ outcome }) => outcome !== 'done'),
    isRefused: isPlan && openRefusals(refusals).length > 0,
    isCritical: isPlan && actions.some(({ effects }) => effects.some(({ severity }) => severity === 'critical')),
    /** Items that change; for drift, what differs. */
    changes: document.type === 'drift' ? items + findings.filter(isDifference).length : items,
  };
}

/** `The same 3 changes on 198 tenants`. */
function titleOf(document: ViewedDocument, tenants: number): string {
  const { changes } = traitsOf(document);
  const noun = nouns[document.type];
  const on = quantity(tenants, 'tenant');
  return changes === 0 ? on : `The same ${changes === 1 ? noun : quantity(changes, noun)} on ${on}`;
}

/** How many tenants are what; `failed` more have no document. */
function totalsOf(documents: readonly ViewedDocument[], failed: number, isDivided: boolean): Partial<PlanView> {
  const noun = nouns[documents[0]?.type ?? 'plan'];
  const traits = documents.map(traitsOf);
  const counts = [
    [failed + traits.filter(({ isFailed }) => isFailed).length, 'failed'],
    [traits.filter(({ isRefused }) => isRefused).length, 'refused'],
    [documents.filter((one) => !planOf(one).complete).length, 'incomplete'],
    [traits.filter(({ isCritical }) => isCritical).length, 'to check first'],
    [traits.filter(({ changes }) => changes > 0).length, `with ${noun}s`],
    [traits.filter(({ changes }) => changes === 0).length, `without ${noun}s`],
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

/** A part of a document, which others can have as well. */
interface Part {
  /** JSON: equal for equal parts. */
  readonly is: unknown;
  /** Members of the lists of the document. */
  readonly members: readonly object[];
}

/** JSON: what every part of a document depends on. */
function frameOf(document: ViewedDocument): unknown {
  const { tenant, base, complete, selection, scopes, summary, left_out: leftOut } = planOf(document);
  return [
    [document.type, tenant.api, scopes.plan, summary.unreadable, leftOut.filter(isUnread)],
    base && [base.ref, base.commit, base.behind, base.valid],
    // What differs from the base is selected item by item.
    selection.changed === true || selection,
    // An incomplete plan has nothing in common with others.
    complete || tenant,
  ];
}

/** Items with all of their actions, and everything else one by one. Outcomes are one part: they are verified together. */
function partsOf(document: ViewedDocument): readonly Part[] {
  const { actions, findings, refusals, review, base, left_out: leftOut } = planOf(document);
  const refused = refusals.map((one) => {
    const { code, kind, message, approve, approved_by: approval } = one;
    return { is: [code, kind, message, review ?? approve, approval?.by], members: [one] };
  });
  if (document.type === 'outcomes') {
    const { outcomes, verification } = document.outcomes;
    const shown = findingsOf(planOf(document), 'error', 'difference');
    const members = [...actions, ...shown, ...outcomes, ...refusals];
    const is = [verification, refused.map((one) => one.is), [...actions, ...shown, ...outcomes].map(shared)];
    return members.length === 0 ? [] : [{ is, members }];
  }
  const header = document.type === 'plan' && base !== null ? [...base.header, ...base.sections] : [];
  const others = [...findings, ...header, ...leftOut.filter((one) => !isUnread(one)), ...warningsOf(document)];
  const parts = [...groupBy(actions, itemOf).values(), ...others.map((one) => [one])];
  return [
    ...parts.map((members) => ({ is: members.map(shared), members })),
    ...(document.type === 'drift' ? [] : refused),
  ];
}

function isUnread({ what }: Plan['left_out'][number]): boolean {
  return what === 'not_read';
}

/** Ids, states and requests differ by tenant, and so do places in the files. */
const ofTenant: ReadonlySet<string> = new Set('id needs request precondition desired sources'.split(' '));

function shared(member: object): unknown {
  const fields = Object.entries(member).filter(([name]) => !ofTenant.has(name));
  return Object.fromEntries(
    fields.map(([name, value]) => {
      if (name === 'before' && 'request' in member) return [name, asOnAnyTenant(value)];
      if (name === 'effects') return [name, value.map(shared)];
      return [name, name === 'source' ? value !== null : value];
    }),
  );
}

/** A document with only these members. If several tenants share it, their title is its name, and it has no live ids. */
function restricted(document: ViewedDocument, members: ReadonlySet<object>, title: string | null): ViewedDocument {
  const only = <Of extends object>(list: readonly Of[]) => list.filter((one) => members.has(one));
  const { actions, findings, refusals, left_out: leftOut, base, ...whole } = planOf(document);
  const plan = {
    ...whole,
    tenant: title === null ? whole.tenant : { ...whole.tenant, name: title, base_url: '' },
    actions: only(actions).map((one) => (title === null ? one : { ...one, before: asOnAnyTenant(one.before) })),
    findings: only(findings),
    refusals: only(refusals).map((one) => (title === null ? one : { ...one, items: namesOf(one, actions) })),
    left_out: leftOut.filter((one) => isUnread(one) || members.has(one)),
    base: base && { ...base, header: only(base.header), sections: only(base.sections) },
    summary: { ...whole.summary, requests: only(actions).length },
  };
  if (document.type !== 'outcomes') return { ...document, plan, diagnostics: only(document.diagnostics) };
  return { ...document, outcomes: { ...document.outcomes, plan, outcomes: only(document.outcomes.outcomes) } };
}

/** Items that are deleted have their ids in a refusal. */
function namesOf({ items }: Refusal, actions: readonly Action[]): string[] {
  const names = new Map(actions.map((action) => [`${itemId(action)}#${action.before?.['id']}`, itemId(action)]));
  return items.map((item) => names.get(item) ?? item);
}
