import { findingTraits, isDifference } from '../../model/findings.ts';
import type { Action, FieldChange, Finding, Plan } from '../../model/plan.generated.ts';
import type { ViewContext } from '../document.ts';
import { totalText } from '../wording.ts';
import { actionRows, type PartVerbs } from './action-rows.ts';
import {
  findingRow,
  findingRows,
  findingsOf,
  incompleteNotes,
  isUndeclared,
  remarksOf,
  undeclaredRow,
} from './findings.ts';
import { agreement, noneOf, troubles, uncheckedKinds } from './headline.ts';
import { byKind, sorted } from './items.ts';
import { type OwnView, Row } from './plan-view.ts';

/** What drift says in place of the verbs of a plan. The code agrees with the heading of the section. */
const states = {
  undeclared: { code: 'LIVE_UNDECLARED', says: 'is on the tenant, but not in the files' },
  missing: { code: 'LIVE_MISSING', says: 'is in the files, but not on the tenant' },
  different: { code: 'LIVE_DIFFERENT', says: 'differs from the files' },
  'not-compared': { code: 'LIVE_NOT_CHECKED', says: 'cannot be compared' },
} as const;
const duplicate = { code: 'LIVE_DUPLICATE', says: 'is on the tenant more than once' };

/** How the tenant differs from the files in one item: the name of a section. */
type DriftState = keyof typeof states;

const driftVerbs: PartVerbs = {
  lost: 'also has',
  gained: 'lacks',
  deletes: 'also has',
  adds: 'lacks',
  changes: 'differs in',
};
/** What a plan calls before and after. */
const sides: Readonly<Record<string, string>> = { before: 'tenant', after: 'files' };
/** Details of the request that would fix the difference, and of what it would lead to. */
const ofRequest: ReadonlySet<string> = new Set(['request', 'id', 'reason', 'note', 'effect']);

/** The same plan from the tenant's side: items that are undeclared, missing or different there. */
export function composeDrift(plan: Plan, { kinds, group }: ViewContext): OwnView {
  const isPart = group?.isPart ?? false;
  const undeclared = plan.findings.filter(isUndeclared);
  const rows = [
    ...actionRows(plan.actions.map(seenFromTenant), kinds, driftVerbs).map(driftRow),
    ...plan.findings.flatMap((finding) => {
      const state = stateOfFinding(finding);
      return state === null ? [] : findingRow(seenFromTenant(finding), state, kinds);
    }),
  ];
  const count = (wanted: DriftState) => rows.filter(({ section }) => section === wanted).length;
  const counts = [
    [count('undeclared') + undeclared.length, 'not in the files'],
    [count('missing'), 'missing'],
    [count('different'), 'different'],
  ] as const;
  rows.push(...byKind(undeclared, kinds).map(([kind, ofKind]) => undeclaredRow(kind, ofKind, kinds)));
  const isSame = counts.every(([number]) => number === 0);
  const errors = findingsOf(plan, 'error');
  const unread = uncheckedKinds(plan, kinds);
  const leading = troubles(plan);
  const none = group?.isNote ? '' : noneOf(plan, 'differences');
  const kept = findingsOf(plan, 'kept').filter((finding) => !isDifference(finding));
  return {
    name: 'drift',
    headline: [...leading, totalText('difference', counts, none)].filter((text) => text !== ''),
    // Errors are no agreement.
    sentences:
      isSame && errors.length === 0 && !isPart
        ? agreement(plan, kinds, { agrees: 'No drift', state: 'Drift' }, group)
        : unread === ''
          ? []
          : [`Not compared, because they cannot be read: ${unread}.`],
    rows: [...findingRows(findingsOf(plan, 'error', 'unchecked', 'rule'), kinds), ...sorted(rows, kinds)],
    notes: { 'not-checked': incompleteNotes(plan) },
    remarks: remarksOf(plan, kept, kinds),
  };
}

/**
 * From the files to the tenant: drift reports a state, not the change that would fix it. A request that cannot be
 * compared has one side alone.
 *
 *   plan   limit 80 → 100   the files have 100
 *   drift  limit 100 → 80
 */
function seenFromTenant<Of extends Action | Finding>(about: Of): Of {
  if (about.changes === undefined || ('reason' in about && about.reason === 'unreadable')) return about;
  return { ...about, changes: about.changes.map(seenChange) };
}

function seenChange({ field, before, after }: FieldChange): FieldChange {
  return { field, ...(after !== undefined && { before: after }), ...(before !== undefined && { after: before }) };
}

/** A state has no verb, and no request. */
function driftRow(row: Row): Row {
  const { actions } = row;
  const section = stateOf(actions, row);
  const isDuplicate = actions.some(({ reason }) => reason === 'duplicate');
  return new Row({
    ...row,
    section,
    sign: undefined,
    verb: null,
    texts: row.texts.map(({ before, after, ...change }) => ({ ...change, before: after, after: before })),
    details: () =>
      row
        .details(row)
        .flatMap(({ label, text }) => (ofRequest.has(label) ? [] : { label: sides[label] ?? label, text })),
    annotation: {
      level: section === 'not-compared' ? 'notice' : 'warning',
      ...(isDuplicate ? duplicate : states[section]),
    },
  });
}

const stateOfVerb = { delete: 'undeclared', add: 'missing', change: 'different' } as const;

/** A request planned because a kind cannot be read proves no difference. A prompt exists, whatever its texts are. */
function stateOf(actions: readonly Action[], { section, verb }: Row): DriftState {
  if (section === 'unread') return 'not-compared';
  if (verb === null || (verb === 'delete' && actions.some(({ action }) => action === 'put'))) return 'different';
  return stateOfVerb[verb];
}

/** Null for what is no difference. Of an item that the files declare, only a part may be undeclared. */
function stateOfFinding(finding: Finding): DriftState | null {
  const { live } = findingTraits(finding);
  if (!isDifference(finding) || isUndeclared(finding) || live === undefined || live === 'unmanaged') return null;
  return live === 'undeclared' && finding.source !== null ? 'different' : live;
}
