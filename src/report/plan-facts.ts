import type { Plan } from '../model/plan.generated.ts';
import { cutName } from './cut-text.ts';
import type { Fact } from './report.ts';

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
