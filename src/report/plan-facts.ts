import type { AnyKind } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import { cutName } from './cut-text.ts';
import type { Fact } from './report.ts';
import { classOf, kindTitle } from './sections.ts';

/** The first line: whose plan it is, and whether it can be trusted to be whole. */
export function planFacts({ tenant, complete, selection }: Plan): Fact[] {
  const selected = [
    { label: 'only', text: selection.only.join(', ') },
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

/** What could not be read, a secret apart, in words: titles of kinds, in the order of the kinds; '' when everything was read. */
export function uncheckedKinds(plan: Plan, kinds: readonly AnyKind[]): string {
  const unchecked = plan.findings
    .filter((finding) => classOf(finding) === 'unchecked' && finding.code !== 'LIVE_SECRET_NOT_COMPARED')
    .map(({ kind }) => kind);
  const blind = plan.actions.filter(({ reason }) => reason === 'unreadable').map(({ kind }) => kind);
  const names = new Set([...plan.summary.unreadable, ...unchecked, ...blind]);
  const order = new Map(kinds.map(({ name }, index) => [name, index]));
  const rank = (name: Plan['summary']['unreadable'][number]): number => order.get(name) ?? kinds.length;
  const titles = [...names].sort((a, b) => rank(a) - rank(b)).map((name) => kindTitle(name, kinds).toLowerCase());
  if (titles.length === 0 && !plan.complete) return 'a part of the tenant';
  return titles.join(', ');
}
