import type { KnownKind } from '../../model/kind.ts';
import { isAvailable, type Operation } from '../../model/operation.ts';
import type { Outcome } from '../../model/outcomes.generated.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { listOf } from '../../values/list-of.ts';
import type { ViewContext } from '../document.ts';
import { cutName, quantity } from '../wording.ts';
import { actionRows } from './action-rows.ts';
import {
  approvalFacts,
  classOf,
  findingRows,
  findingsOf,
  headerRows,
  incompleteNotes,
  refusalRow,
  remarksOf,
} from './findings.ts';
import { conclusionOf, headlineOf, originSentences, requestsOf } from './headline.ts';
import type { Fact, OwnView } from './plan-view.ts';
import { effectRows } from './shared-rows.ts';

/** A plan for people: refusals and losses come first. */
export function composePlan(plan: Plan, context: ViewContext): OwnView {
  const { kinds, scopes = false, group, ended = [], shortOf = (name) => name } = context;
  const { base, findings, refusals } = plan;
  const requests = requestsOf(plan);
  const items = actionRows(plan.actions, kinds);
  const shownRules = new Set(base?.header.map(({ field }) => field));
  const shown = findings.filter((finding) => classOf(finding) !== 'rule' || !shownRules.has(finding.key));
  return {
    name: 'plan',
    headline: headlineOf(plan, items, group?.isNote),
    sentences: [
      ...originSentences(plan, items),
      ...(group?.isPart || ended.length > 0 ? [] : conclusionOf(plan, kinds, group)),
      ...endedSentences(ended),
    ],
    rows: refusals
      .map((refusal) => refusalRow(refusal, kinds))
      .concat(headerRows(plan, kinds), findingRows(shown, kinds), items, effectRows(items, kinds, shortOf)),
    notes: { refused: approvalFacts(plan), 'not-checked': incompleteNotes(plan, 'apply refuses this plan; ') },
    remarks: remarksOf(plan, findingsOf(plan, 'kept'), kinds),
    sends: requests === 0 ? '' : `Apply sends ${quantity(requests, 'request')}.`,
    closing: [...(scopes ? scopeFacts(plan, kinds) : []), { label: 'digest', text: cutName(plan.digest) }],
  };
}

/** What a saved plan has and is not shown. */
function endedSentences(ended: readonly Outcome[]): string[] {
  const isLive = ({ outcome }: Outcome) => outcome === 'done';
  const live = ended.filter(isLive);
  const others = ended.filter((one) => !isLive(one));
  const ids = (these: readonly Outcome[]) => listOf(these.map(({ id }) => cutName(id)));
  return [
    ...(others.length > 0
      ? [`Not sent, because of changes by others, or because live state cannot be read: ${ids(others)}.`]
      : []),
    ...(live.length > 0 ? [`Already in place, not sent: ${ids(live)}.`] : []),
  ];
}

/** What the kinds of the plan need, whatever it changes; without the optional ones, less is shown beside it. */
function scopeFacts({ scopes, tenant }: Plan, kinds: readonly KnownKind[]): Fact[] {
  const isPlanned = ({ scope }: Operation) => scopes.plan.includes(scope);
  const planned = kinds.filter(({ reading }) => reading?.operations.every(isPlanned) === true);
  const operations = planned
    .flatMap((kind) => [...(kind.operations ?? []), ...(kind.reading?.optional ?? [])])
    .filter((operation) => isAvailable(operation, tenant.api));
  const writes = operations.filter(({ method }) => method !== 'GET');
  const others = operations.filter((operation) => !writes.includes(operation) && !isPlanned(operation));
  const text = (all: readonly string[]) => [...new Set(all)].sort().join(' ') || 'none';
  const scopesOf = (of: readonly Operation[]) => of.map(({ scope }) => scope);
  return [
    { label: 'plan needs', text: text(scopes.plan) },
    { label: 'apply needs', text: text([...scopes.plan, ...scopesOf(writes)]) },
    { label: 'counts and names (optional) need', text: text(scopesOf(others)) },
  ];
}
