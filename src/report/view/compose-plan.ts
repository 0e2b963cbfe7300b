import type { AnyKind } from '../../model/kind.ts';
import { isAvailable, type Operation } from '../../model/operation.ts';
import type { Outcome } from '../../model/outcomes.generated.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import type { ViewContext } from '../document.ts';
import { cutName, quantity } from '../wording.ts';
import { type ActionRow, actionRows } from './action-rows.ts';
import { findingsOf, refusalSections } from './findings.ts';
import { conclusionOf, headlineOf, originSentences, originsOf, type Place, placeOfItem } from './headline.ts';
import { type Fact, type PlanView, section } from './plan-view.ts';
import { endOf, errorSection, findingRows, headerSection, sortedRows, viewOf } from './sections.ts';
import { effectRows } from './shared-rows.ts';

/** A plan for people: refusals and losses come first. */
export function composePlan(plan: Plan, context: ViewContext): PlanView {
  const { kinds, scopes = false, folder, isPart = false, ended = [] } = context;
  const items = actionRows(plan.actions, kinds);
  const origins = plan.base === null ? null : originsOf(plan, items);
  return viewOf(plan, folder, {
    name: 'plan',
    headline: headlineOf(plan, items, isPart),
    sentences: [
      ...(origins === null ? [] : originSentences(origins, plan.base?.behind === true)),
      ...(isPart || ended.length > 0 ? [] : conclusionOf(plan, kinds)),
      ...endedSentences(ended),
    ],
    ...planSections(plan, items, kinds),
    sends: plan.summary.requests === 0 ? '' : `Apply sends ${quantity(plan.summary.requests, 'request')}.`,
    closing: [...(scopes ? scopeFacts(plan, kinds) : []), { label: 'digest', text: cutName(plan.digest) }],
  });
}

/** What a saved plan has and is not shown. */
function endedSentences(ended: readonly Outcome[]): string[] {
  const isLive = ({ outcome }: Outcome) => outcome === 'done';
  const live = ended.filter(isLive);
  const others = ended.filter((one) => !isLive(one));
  const ids = (these: readonly Outcome[]) => listOf(these.map(({ id }) => cutName(id)));
  return [
    ...(others.length > 0 ? [`Not sent, because others changed it or it cannot be read: ${ids(others)}.`] : []),
    ...(live.length > 0 ? [`Not sent, because it is in place: ${ids(live)}.`] : []),
  ];
}

function planSections(
  plan: Plan,
  items: readonly ActionRow[],
  kinds: readonly AnyKind[],
): Pick<PlanView, 'sections' | 'remarks'> {
  const effectsOf = effectRows(items, kinds);
  const byPlace = groupBy(items, placeOfItem);
  const rows = (place: Place, wanted: (item: ActionRow) => boolean = () => true) => {
    const own = (byPlace.get(place) ?? []).filter(wanted);
    return sortedRows(
      own.map(({ row }) => row),
      kinds,
    );
  };
  const withAccess = (wanted: 'lost' | 'gained') => [
    ...rows('access', ({ access }) => access === wanted),
    ...effectsOf(wanted),
  ];
  const found = (wanted: 'unsent' | 'difference') => findingRows(findingsOf(plan, wanted), kinds);
  const header = headerSection(plan, kinds);
  const end = endOf(plan, kinds, findingsOf(plan, 'kept'), header);
  const sections = [
    section('critical', effectsOf('critical')),
    ...refusalSections(plan, kinds),
    header,
    errorSection(plan, kinds),
    section('lost', withAccess('lost')),
    section('gained', withAccess('gained')),
    section('effects', effectsOf('others')),
    section('deletions', rows('delete')),
    section('changes', rows('change')),
    section('additions', rows('add')),
    section('unsent', found('unsent')),
    section('unread', rows('unread')),
    section('not-fixable', found('difference')),
  ];
  return { sections: [...sections, ...end.sections], remarks: end.remarks };
}

/** What the kinds of the plan need, whatever it changes; without the optional ones, less is shown beside it. */
function scopeFacts({ scopes, tenant }: Plan, kinds: readonly AnyKind[]): Fact[] {
  const isPlanned = ({ scope }: Operation) => scopes.plan.includes(scope);
  const planned = kinds.filter(({ reading }) => reading?.operations.every(isPlanned) === true);
  const operations = planned
    .flatMap((kind) => [...kind.operations, ...(kind.reading?.optional ?? [])])
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
