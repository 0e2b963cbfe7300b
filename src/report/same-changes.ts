import { asOnAnyTenant, itemId } from '../model/action-identity.ts';
import { isDifference } from '../model/findings.ts';
import { isRefusal } from '../model/outcome.ts';
import type { Action, Effect, Finding, Plan, Refusal } from '../model/plan.generated.ts';
import { openRefusals } from '../model/refusals.ts';
import { withCountRanges, withoutCounts } from '../values/count-ranges.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { inNaturalOrder } from '../values/text-order.ts';
import {
  type DiagnosticsReport,
  type Documents,
  isViewed,
  planOf,
  type ReportDocument,
  type ViewedDocument,
  warningsOf,
} from './document.ts';
import { sameErrors } from './of-tenants.ts';
import { itemOf, type SharedEffect } from './view/action-rows.ts';
import { classOf, type FindingClass, findingsOf } from './view/findings.ts';
import { requestsOf } from './view/headline.ts';
import type { PlanView } from './view/plan-view.ts';
import { countsOf, cutName, quantity } from './wording.ts';

/**
 * Documents of several tenants as one report: the totals and errors, then a document for each set of tenants, with exactly
 * what they have in common. Tenants that failed or are refused come first, then what is critical, then what most tenants
 * share, and last the tenants without any change. `notBegun`: how many more the run did not begin.
 * Documents that are not each about another tenant stay as they are.
 */
export function sameChanges(documents: Documents, notBegun = 0): Documents {
  const failed = documents.filter(isOfFailed);
  const errors = documents.filter((one) => !isViewed(one) && !isOfFailed(one));
  const tenants = inNaturalOrder(documents.filter(isViewed), nameOf);
  const names = new Set([...tenants.map(nameOf), ...failed.map(({ tenant }) => tenant)]);
  if (names.size + notBegun < 2 || new Set(tenants.map(nameOf)).size < tenants.length) return documents;
  const unchanged = new Set(tenants.filter((one) => traitsOf(one).isUnchanged));
  const ranked = groupsOf(tenants).map((group) => [rankOf(group, unchanged), group] as const);
  const groups = titled(
    ranked
      .sort(([one, { tenants: of }], [other, { tenants: ofOther }]) => one - other || ofOther.length - of.length)
      .map(([, group]) => group),
  );
  const report = groups.map((group) => groupDocument(group, groups));
  const title = quantity(names.size + notBegun, 'tenant');
  const changing = groups.flatMap(({ document, tenants: of }) => (traitsOf(document).changes > 0 ? of : []));
  const isDivided = new Set(changing).size < changing.length;
  // The last checks of tenants say how many are what, and more.
  const hasTotals = errors.some(({ type }) => type === 'checks');
  const overview = tenants.slice(0, hasTotals ? 0 : 1).map((first) => ({
    ...titledAs(restricted(first, new Map()), title),
    group: {
      ...{ tenants: [], isPart: false, isNote: false },
      shown: totalsOf(tenants, { failed: failed.length, notBegun, isDivided }),
    },
  }));
  const { shared, left } = sameErrors(failed, names.size + notBegun);
  const counts = [[names.size, 'failed'] as const, [notBegun, 'not begun'] as const];
  const totals = overview.length > 0 || hasTotals ? {} : { totals: [title, ...countsOf(counts)] };
  const common = failed.slice(0, shared.length > 0 || 'totals' in totals ? 1 : 0).map(({ command }) => {
    return { type: 'diagnostics', command, diagnostics: shared, files: 0, ...totals } as const;
  });
  return [...overview, ...common, ...errors, ...left, ...report];
}

/** Errors are all that there is of a tenant. */
function isOfFailed(document: ReportDocument): document is DiagnosticsReport {
  return document.type === 'diagnostics' && document.tenant !== undefined;
}

function nameOf(document: ViewedDocument): string {
  return planOf(document).tenant.name;
}

/** What some tenants have in common, as a document of the first one. */
interface Shared {
  readonly tenants: readonly ViewedDocument[];
  readonly document: ViewedDocument;
  /** Whether it has nothing but notes, and does not state that its tenants have no changes. */
  readonly isNote: boolean;
}

/** Notes come after the changes of their tenants, or after the statement that these have none. */
function rankOf({ document, tenants, isNote }: Shared, unchanged: ReadonlySet<ViewedDocument>): number {
  const { isFailed, isRefused, isConflict, isCritical, changes } = traitsOf(document);
  const isNotApplied = isRefused || isConflict || !planOf(document).complete;
  const isChanging = tenants.some((tenant) => !unchanged.has(tenant));
  return [isFailed, isNotApplied, isCritical, changes > 0, isChanging, !isNote, true].indexOf(true);
}

function groupsOf(tenants: readonly ViewedDocument[]): Shared[] {
  const found = tenants.flatMap((document, index) =>
    Array.from(membersByKey(document), ([key, { members, isNote }]) => ({ document, index, key, members, isNote })),
  );
  const byKey = groupBy(found, ({ key }) => key);
  const bySet = groupBy(byKey.values(), (same) => same.map(({ index }) => index).join());
  return [...bySet.values()].flatMap((parts) => {
    const ofSet = parts[0]?.map(({ document }) => document) ?? [];
    const members = new Map(
      parts.flatMap((same) =>
        (same[0]?.members ?? []).map((first, index) => {
          const others = same.slice(1).flatMap(({ members: [...other] }) => other[index] ?? []);
          return [first, others.length === 0 ? first : withRanges(first, others)] as const;
        }),
      ),
    );
    const isNote = parts.every((same) => same[0]?.isNote);
    return ofSet.slice(0, 1).map((first) => ({ tenants: ofSet, document: restricted(first, members, ofSet), isNote }));
  });
}

/** A group of several tenants has a title as its name. The second one with the same changes says so: others refer to it. */
function titled(groups: readonly Shared[]): readonly Shared[] {
  const counts = new Map<string, number>();
  return groups.map((group) => {
    const { tenants, document } = group;
    if (tenants.length === 1) return group;
    const title = titleOf(document, tenants.length);
    if (traitsOf(document).changes === 0) return { ...group, document: titledAs(document, title) };
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return { ...group, document: titledAs(document, count === 1 ? title : `${title} (${count})`) };
  });
}

/** The same key for the same part of another document. Without any change, there is one more, whatever the notes are. */
function membersByKey(document: ViewedDocument) {
  const frame = fingerprint(frameOf(document));
  const scopes = fingerprint(planOf(document).scopes.plan);
  const all = partsOf(document);
  // Two duplicates of an item are one part that is there twice.
  const same = groupBy(all, ({ is }) => fingerprint(is));
  const keys = [...same].map(([is, parts]) => {
    const members = parts.flatMap((part) => part.members);
    return [
      `${frame} ${scopes} ${is} ${parts.length}`,
      { members, isNote: parts.every((part) => part.isNote) },
    ] as const;
  });
  return new Map(all.every(({ isNote }) => isNote) ? [[frame, { members: [], isNote: false }], ...keys] : keys);
}

/** The document of a group, with the names of its tenants. */
function groupDocument(group: Shared, groups: readonly Shared[]): ViewedDocument {
  const { tenants, document } = group;
  const own = new Set(tenants);
  const others = groups.filter((one) => one !== group && one.tenants.some((tenant) => own.has(tenant)));
  const names = tenants.map((tenant) => cutName(nameOf(tenant)));
  const changing = others.filter((one) => traitsOf(one.document).changes > 0);
  const also = changing.map((one) => nameOf(one.document).replace(/^T/, 't'));
  // A change that no action makes is no statement about what other groups have.
  const isNote = group.isNote || changing.length > 0;
  return {
    ...document,
    group: { tenants: names, isPart: others.length > 0, isNote, also: names.length === 1 ? also : [] },
  };
}

const nouns = { plan: 'change', drift: 'difference', outcomes: 'change' } as const;

/** What decides about the place of a document, and what the totals count. */
function traitsOf(document: ViewedDocument) {
  const plan = planOf(document);
  const { actions, findings, refusals } = plan;
  const isPlan = document.type === 'plan';
  const items = new Set(actions.map(itemOf)).size;
  const outcomes = document.type === 'outcomes' ? document.outcomes.outcomes : [];
  const notDone = new Set(outcomes.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'done'));
  const isUnsent = outcomes.length > 0 && outcomes.every(isRefusal);
  const isConflict = notDone.has('conflict') && !notDone.has('failed') && !notDone.has('unknown');
  const isFailed =
    (notDone.size > 0 && !isUnsent && !isConflict) ||
    (document.type !== 'drift' && findingsOf(plan, 'error').length > 0);
  /** Items that change; for drift, what differs. */
  const changes = document.type === 'drift' ? items + findings.filter(isDifference).length : items;
  return {
    isFailed,
    isRefused: (isUnsent && plan.complete) || (isPlan && openRefusals(refusals).length > 0),
    /** What others changed was left alone, with what depends on it. */
    isConflict,
    isCritical: isPlan && actions.some(({ effects }) => effects.some(({ severity }) => severity === 'critical')),
    changes,
    /** Of what failed or is incomplete, it is not known. */
    isUnchanged: changes === 0 && !isFailed && plan.complete,
  };
}

/** `The same 3 changes on 198 tenants`. */
function titleOf(document: ViewedDocument, tenants: number): string {
  const { changes } = traitsOf(document);
  const noun = nouns[document.type];
  const on = quantity(tenants, 'tenant');
  return changes === 0 ? on : `The same ${changes === 1 ? noun : quantity(changes, noun)} on ${on}`;
}

/** How many tenants are what; `failed` and `notBegun` more have no document. */
function totalsOf(
  documents: readonly ViewedDocument[],
  { failed, notBegun, isDivided }: { readonly failed: number; readonly notBegun: number; readonly isDivided: boolean },
): Partial<PlanView> {
  const noun = nouns[documents[0]?.type ?? 'plan'];
  const traits = documents.map(traitsOf);
  const counts = [
    [failed + traits.filter(({ isFailed }) => isFailed).length, 'failed'],
    [traits.filter(({ isRefused }) => isRefused).length, 'refused'],
    [traits.filter(({ isConflict }) => isConflict).length, 'in conflict'],
    [documents.filter((one) => !planOf(one).complete).length, 'incomplete'],
    [traits.filter(({ isCritical }) => isCritical).length, 'to check first'],
    [traits.filter(({ changes }) => changes > 0).length, `with ${noun}s`],
    [traits.filter(({ isUnchanged }) => isUnchanged).length, `without ${noun}s`],
    [notBegun, 'not begun'],
  ] as const;
  const requests = documents.reduce((sum, one) => sum + (one.type === 'plan' ? requestsOf(one.plan) : 0), 0);
  return {
    headline: countsOf(counts),
    sentences: isDivided ? ['A tenant can appear in more than one group.'] : [],
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
  /** Whether it is about what stays, and neither a change nor a reason for none. */
  readonly isNote: boolean;
}

/** JSON: what every part of a document depends on. */
function frameOf(document: ViewedDocument): unknown {
  const { tenant, base, complete, selection, scopes, summary, left_out: leftOut } = planOf(document);
  return [
    [document.type, tenant.api, scopes.plan.length > 0, summary.unreadable, leftOut.filter(isUnread)],
    base && [base.ref, base.commit, base.behind, base.valid],
    // What differs from the base is selected item by item.
    selection.changed === true || selection,
    // An incomplete plan has nothing in common with others.
    complete || tenant,
  ];
}

/** Items with all of their actions, and everything else one by one. Outcomes are one part: they are verified together. */
function partsOf(document: ViewedDocument): readonly Part[] {
  const { actions, complete, findings, refusals, review, base, left_out: leftOut } = planOf(document);
  const refused = refusals.map((one) => {
    const { code, kind, message, approve, approved_by: approval } = one;
    // The code of a review covers what is refused, so only counts can be other ones.
    const what = review === undefined ? [message, approve] : [withoutCounts(message), review];
    return { is: [code, kind, ...what, approval?.by], members: [one], isNote: approval !== null };
  });
  if (document.type === 'outcomes') {
    const { outcomes, verification } = document.outcomes;
    const unchecked = complete ? [] : findingsOf(planOf(document), 'unchecked');
    const shown = [...findingsOf(planOf(document), 'error', 'difference'), ...unchecked];
    const members = [...actions, ...shown, ...outcomes, ...refusals];
    const is = [verification, refused.map((one) => one.is), [...actions, ...shown, ...outcomes].map(shared)];
    return members.length === 0 ? [] : [{ is, members, isNote: false }];
  }
  const header = document.type === 'plan' && base !== null ? [...base.header, ...base.sections] : [];
  const isNote = (one: Finding) => (document.type === 'drift' ? !isDifference(one) : !changing.has(classOf(one)));
  const notes = [...header, ...leftOut.filter((one) => !isUnread(one)), ...warningsOf(document)];
  const partOf = (members: readonly object[], isNote: boolean) => ({ is: members.map(shared), members, isNote });
  return [
    ...Array.from(groupBy(actions, itemOf).values(), (ofItem) => partOf(ofItem, false)),
    ...findings.map((one) => partOf([one], isNote(one))),
    ...notes.map((one) => partOf([one], true)),
    ...(document.type === 'drift' ? [] : refused),
  ];
}

/** Findings of a plan that are more than a note. */
const changing: ReadonlySet<FindingClass> = new Set(['error', 'difference', 'unsent']);

function isUnread({ what }: Plan['left_out'][number]): boolean {
  return what === 'not_read';
}

/** Ids, states and requests differ by tenant, and so do counts and places in the files. */
const ofTenant: ReadonlySet<string> = new Set('id needs request precondition desired sources more_groups'.split(' '));

function shared(member: object): unknown {
  const fields = Object.entries(member).filter(([name]) => !ofTenant.has(name));
  return Object.fromEntries(
    fields.map(([name, value]) => {
      if ((name === 'before' || name === 'after') && 'request' in member) return [name, asOnAnyTenant(value)];
      if (name === 'conflict')
        return [name, { ...value, before: asOnAnyTenant(value.before), now: asOnAnyTenant(value.now) }];
      if (name === 'effects') return [name, value.map(shared)];
      return [name, ['source', 'users', 'groups'].includes(name) ? value !== null : value];
    }),
  );
}

/** A member of several tenants, with the counts of all of them. The others are equal to the first, except for counts. */
function withRanges(first: Partial<Action & Refusal>, others: readonly Partial<Action & Refusal>[]): object {
  const { effects, approve, message = '' } = first;
  if (effects !== undefined) {
    const ofOthers = (index: number) => others.flatMap((other) => other.effects?.[index] ?? []);
    return { ...first, effects: effects.map((effect, index) => withMost(effect, ofOthers(index))) };
  }
  if (approve === undefined) return first;
  return { ...first, message: withCountRanges([message, ...others.flatMap((other) => other.message ?? [])]) };
}

function withMost(effect: Effect, others: readonly Effect[]): SharedEffect {
  const all = [effect, ...others];
  const counted = (['users', 'groups'] as const).filter((name) => effect[name] !== undefined);
  const bound = (of: (...counts: number[]) => number) =>
    Object.fromEntries(counted.map((name) => [name, of(...all.map(({ [name]: count = 0 }) => count))]));
  const hasMore = all.some(({ more_groups }) => more_groups);
  return { ...effect, ...bound(Math.min), most: bound(Math.max), ...(hasMore && { more_groups: true }) };
}

/** A document with only these members, each as the value of the map. */
function restricted(
  document: ViewedDocument,
  members: ReadonlyMap<object, object>,
  tenants = [document],
): ViewedDocument {
  const only = <Of extends object>(list: readonly Of[]) =>
    list.flatMap((one) => (members.get(one) as Of | undefined) ?? []);
  const { actions, findings, refusals, left_out: leftOut, base, ...whole } = planOf(document);
  const plan = {
    ...whole,
    // Tenants without changes may manage other kinds.
    scopes: { ...whole.scopes, plan: [...new Set(tenants.flatMap((one) => planOf(one).scopes.plan))] },
    actions: only(actions),
    findings: only(findings),
    refusals: only(refusals),
    left_out: leftOut.filter((one) => isUnread(one) || members.has(one)),
    base: base && { ...base, header: only(base.header), sections: only(base.sections) },
    summary: { ...whole.summary, requests: only(actions).length },
  };
  if (document.type !== 'outcomes') return { ...document, plan, diagnostics: only(document.diagnostics) };
  return { ...document, outcomes: { ...document.outcomes, plan, outcomes: only(document.outcomes.outcomes) } };
}

/** A document that several tenants share: the title is its name, and it has no live ids. */
function titledAs(document: ViewedDocument, title: string): ViewedDocument {
  const whole = planOf(document);
  const plan = {
    ...whole,
    tenant: { ...whole.tenant, name: title, base_url: '' },
    actions: whole.actions.map((one) => ({
      ...one,
      before: asOnAnyTenant(one.before),
      after: asOnAnyTenant(one.after),
    })),
    refusals: whole.refusals.map((one) => ({ ...one, items: namesOf(one, whole.actions) })),
  };
  return document.type === 'outcomes'
    ? { ...document, outcomes: { ...document.outcomes, plan } }
    : { ...document, plan };
}

/** Items that are deleted have their ids in a refusal. */
function namesOf({ items }: Refusal, actions: readonly Action[]): string[] {
  const names = new Map(actions.map((action) => [`${itemId(action)}#${action.before?.['id']}`, itemId(action)]));
  return items.map((item) => names.get(item) ?? item);
}
