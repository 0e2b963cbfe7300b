import { findingTraits } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { cutName } from '../cut-text.ts';
import { classOf } from './findings.ts';
import { kindRank, nounOf } from './items.ts';
import type { Fact, PlanView } from './plan-view.ts';

export function tenantOf({ tenant }: Plan): PlanView['tenant'] {
  return { name: cutName(tenant.name), baseUrl: cutName(tenant.base_url), api: cutName(tenant.api) };
}

/**
 * Where the files are, what the plan was restricted to, and compared with. Places in reports are below the folder, which
 * is '' for the repository itself.
 */
export function planFacts({ tenant, selection, base, left_out }: Plan, folder = ''): Fact[] {
  const facts = [
    { label: 'files', text: folder },
    // What differs from the base can be thousands of items, and is what the report is about.
    { label: 'only', text: selection.changed ? changedText(left_out) : selection.only.join(', ') },
    { label: 'except', text: selection.except.join(', ') },
    { label: 'rotate', text: selection.rotate.join(', ') },
    { label: 'api', text: tenant.api === 'full' ? '' : tenant.api },
    {
      label: 'base',
      text:
        base === null
          ? ''
          : `${base.ref} at ${base.commit.slice(0, 12)}${base.behind ? ', and has newer changes' : ''}`,
    },
  ];
  return facts.filter(({ text }) => text !== '').map(({ label, text }) => ({ label, text: cutName(text) }));
}

/** A changed header selects everything. */
function changedText(leftOut: Plan['left_out']): string {
  return leftOut.length === 0 ? '' : 'what differs from the base; unchanged items were not checked';
}

/** Nouns of the kinds that were not fully read, in the order of the kinds; '' if all were. */
export function uncheckedKinds(plan: Plan, kinds: readonly AnyKind[]): string {
  const unchecked = plan.findings.filter(
    (finding) => classOf(finding) === 'unchecked' && !findingTraits(finding).ofFields,
  );
  const unreadable = plan.actions.filter(({ reason }) => reason === 'unreadable');
  const names = [...plan.summary.unreadable, ...[...unchecked, ...unreadable].map(({ kind }) => kind)];
  return nounsOf(names, kinds) || (plan.complete ? '' : 'part of the tenant');
}

/** What a statement about the tenant is not about. */
export function exceptions(plan: Plan, kinds: readonly AnyKind[]): string[] {
  const unread = uncheckedKinds(plan, kinds);
  const fields = plan.findings.filter((finding) => findingTraits(finding).ofFields).map(({ kind }) => kind);
  return [
    ...(unread === '' ? [] : [`what cannot be read: ${unread}`]),
    ...(fields.length === 0 ? [] : [`fields that this version does not expect: ${nounsOf(fields, kinds)}`]),
  ];
}

function nounsOf(names: readonly string[], kinds: readonly AnyKind[]): string {
  const rank = kindRank(kinds);
  const ordered = [...new Set(names)].sort((a, b) => rank(a) - rank(b));
  return ordered.map((name) => nounOf(name, kinds)).join(', ');
}
