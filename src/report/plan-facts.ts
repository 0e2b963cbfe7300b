import type { AnyKind } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import { cutName } from './cut-text.ts';
import type { Fact } from './report.ts';
import { classOf, nounOf } from './sections.ts';

/** The first line: the tenant of a plan, and whether its live state is complete. */
export function planFacts({ tenant, complete, selection }: Plan): Fact[] {
  const selected = [
    { label: 'only', text: selection.changed ? onlyChanges : selection.only.join(', ') },
    { label: 'except', text: selection.except.join(', ') },
    { label: 'rotate', text: selection.rotate.join(', ') },
  ];
  return [
    { label: 'tenant', text: tenant.name },
    { label: 'base URL', text: tenant.base_url },
    { label: 'api', text: tenant.api },
    { label: 'plan', text: complete ? 'complete' : 'INCOMPLETE' },
    ...selected.filter(({ text }) => text !== ''),
  ].map(({ label, text }) => ({ label, text: cutName(text) }));
}

/**
 * Nouns of the kinds that were not fully read, in the order of the kinds; '' if all were. A secret that cannot be
 * compared does not count.
 */
export function uncheckedKinds(plan: Plan, kinds: readonly AnyKind[]): string {
  const unchecked = plan.findings
    .filter((finding) => classOf(finding) === 'unchecked' && finding.code !== 'LIVE_SECRET_NOT_COMPARED')
    .map(({ kind }) => kind);
  const unreadable = plan.actions.filter(({ reason }) => reason === 'unreadable').map(({ kind }) => kind);
  const names = new Set([...plan.summary.unreadable, ...unchecked, ...unreadable]);
  const order = new Map(kinds.map(({ name }, index) => [name, index]));
  const rank = (name: Plan['summary']['unreadable'][number]): number => order.get(name) ?? kinds.length;
  const titles = [...names].sort((a, b) => rank(a) - rank(b)).map((name) => nounOf(name, kinds));
  if (titles.length === 0 && !plan.complete) return 'part of the tenant';
  return titles.join(', ');
}

const onlyChanges = 'what differs from the base; unchanged items were not checked';
