import type { Plan } from '../../model/plan.generated.ts';
import {
  type ChecksReport,
  type Group,
  planOf,
  type ViewContext,
  type ViewedDocument,
  warningsOf,
} from '../document.ts';
import { cutName, quantity } from '../wording.ts';
import { composeChecks } from './compose-checks.ts';
import { composeDrift } from './compose-drift.ts';
import { composeOutcomes } from './compose-outcomes.ts';
import { composePlan } from './compose-plan.ts';
import { namingKinds } from './items.ts';
import { type Fact, type OwnView, type PlanView, type Row, viewOf } from './plan-view.ts';
import { shortNames } from './short-names.ts';

/** What people read about a plan, its drift or its outcomes. */
export function composeView(document: ViewedDocument | ChecksReport, context: ViewContext): PlanView {
  if (document.type === 'checks') return composeChecks(document.tenants);
  const plan = planOf(document);
  const { group } = document;
  const { shortOf = shortNames([document], context.kinds) } = context;
  const kinds = namingKinds(context.kinds, [...plan.actions, ...plan.findings], shortOf);
  const own = ownView(document, { ...context, kinds, shortOf, ...(group && { group }) });
  const tenant = { name: cutName(plan.tenant.name), baseUrl: cutName(plan.tenant.base_url) };
  const view = viewOf(tenant, { facts: factsOf(plan, context.folder), ...own });
  return group === undefined ? view : groupView(view, group, document);
}

function ownView(document: ViewedDocument, named: ViewContext): OwnView {
  switch (document.type) {
    case 'plan':
      return composePlan(document.plan, named);
    case 'drift':
      return composeDrift(document.plan, named);
    case 'outcomes':
      return composeOutcomes(document.outcomes, named);
  }
}

function factsOf({ tenant, selection, base, left_out }: Plan, folder = ''): Fact[] {
  // What differs from the base can be thousands of items, and is what the report is about. A changed header selects all.
  const changed = left_out.length === 0 ? '' : 'what differs from the base; unchanged items were not checked';
  const facts = {
    files: folder,
    only: selection.changed ? changed : selection.only.join(', '),
    except: selection.except.join(', '),
    rotate: selection.rotate.join(', '),
    api: tenant.api === 'full' ? '' : tenant.api,
    base: base === null ? '' : baseText(base),
  };
  return Object.entries(facts).flatMap(([label, text]) => (text === '' ? [] : { label, text: cutName(text) }));
}

function baseText({ ref, commit, behind }: NonNullable<Plan['base']>): string {
  return `${ref} at ${commit.slice(0, 12)}${behind ? ', and has newer changes' : ''}`;
}

/** What is another one for each tenant, or covers what is in other groups. */
const ofTenant: ReadonlySet<string> = new Set(['id', 'request', 'digest']);

/** What a group is that has no total: warnings are not in every format. */
function noteText(document: ViewedDocument): string {
  const { length } = warningsOf(document);
  return length === 0 ? 'notes' : quantity(length, 'warning');
}

/** A view with the names of its tenants, in annotations as well, and without what only one of them has. */
function groupView(view: PlanView, { tenants, isPart, also = [], shown }: Group, document: ViewedDocument): PlanView {
  const isOne = tenants.length === 1;
  // The run has one approval for all tenants with equal refusals.
  const sections = view.sections.map((one) =>
    one.name === 'refused' && (planOf(document).review !== undefined || !isOne) ? { ...one, notes: [] } : one,
  );
  const more = also.length === 0 ? [] : [{ label: 'also', text: also.join('; ') }];
  const headline = view.headline.length === 0 ? [noteText(document)] : view.headline;
  const own = { ...view, headline, sections, facts: [...view.facts, ...more], ...(isPart && { sends: '' }) };
  if (isOne) return own;
  const lines = [`on ${quantity(tenants.length, 'tenant')}: ${tenants.join(', ')}`];
  const shared = sections.map((section) => ({
    ...section,
    rows: section.rows.map(({ details, annotation, ...row }) => ({
      ...row,
      details: (of: Row) => details(of).filter(({ label }) => !ofTenant.has(label)),
      annotation: annotation && { ...annotation, lines },
    })),
  }));
  const closing = view.closing.filter(({ label }) => !ofTenant.has(label));
  return { ...own, tenants, sections: shared, sends: '', closing, ...shown };
}
