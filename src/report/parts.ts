import { asOnAnyTenant, itemId } from '../model/action-identity.ts';
import type { Action, Plan, Refusal } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { planOf, type ViewedDocument, warningsOf } from './document.ts';
import { itemOf } from './view/action-rows.ts';
import { classOf } from './view/findings.ts';

/** A part of a document, which others can have as well. */
interface Part {
  /** JSON: equal for equal parts. */
  readonly is: unknown;
  /** Members of the lists of the document. */
  readonly members: readonly object[];
}

/** JSON: what every part of a document depends on. */
export function frameOf(document: ViewedDocument): unknown {
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
export function partsOf(document: ViewedDocument): readonly Part[] {
  const { actions, findings, refusals, review, base, left_out: leftOut } = planOf(document);
  const refused = refusals.map((one) => {
    const { code, kind, message, approve, approved_by: approval } = one;
    return { is: [code, kind, message, review ?? approve, approval?.by], members: [one] };
  });
  if (document.type === 'outcomes') {
    const { outcomes, verification } = document.outcomes;
    const shown = findings.filter((one) => ['error', 'difference'].includes(classOf(one)));
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
export function restricted(
  document: ViewedDocument,
  members: ReadonlySet<object>,
  title: string | null,
): ViewedDocument {
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
