import { type Doubtful, type Resolution, resolveUnknown } from '../apply/resolve-unknown.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { RecordedAction, RecordedApply } from '../model/recorded-apply.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { Prepared } from './prepare.ts';

/** Whether the last apply left something to tell. */
export function isUnsettled(last: RecordedApply | null): last is RecordedApply {
  return last !== null && (last.summary === null || doubtfulOf(last).length > 0);
}

/** What the last apply left, before anything is read. Lines of talk. */
export function tellLastApply(last: RecordedApply): string[] {
  const doubtful = doubtfulOf(last);
  const ended = last.summary === null ? 'was stopped before its end' : 'ended in doubt';
  const counts = [
    `${last.actions.filter(({ outcome }) => outcome === 'done').length} done`,
    `${doubtful.length} of unknown outcome`,
  ];
  return [`The last apply, of ${last.started}, ${ended}: ${counts.join(', ')}.`];
}

const words: Readonly<Record<Resolution, string>> = {
  not_needed: 'is no longer needed',
  needed: 'was not carried out and is in this plan',
  unknown: 'stays unknown',
};

/** What the plan that was made now says about it, by id. */
function settleLast(last: RecordedApply, plan: Plan, { desired }: Prepared): ReadonlyMap<string, Resolution> {
  return resolveUnknown(doubtfulOf(last), plan, new Set(desired.sections.keys()));
}

/** The same for people. Lines of talk. */
export function tellSettlements(last: RecordedApply, plan: Plan, prepared: Prepared): string[] {
  const settlements = settleLast(last, plan, prepared);
  const ids = new Set(plan.actions.map(({ id }) => id));
  return shortened(
    doubtfulOf(last).map(({ id, isRequest }) => {
      const settlement = settlements.get(id) ?? 'unknown';
      if (settlement !== 'unknown') return `  ${id} ${words[settlement]}`;
      if (plan.actions.some(({ request }) => isRequest(request)))
        return `  ${id} ${words.unknown}, so it is sent again, which does no harm`;
      return ids.has(id)
        ? `  ${id} ${words.unknown}, and this plan sends another request for it`
        : `  ${id} ${words.unknown}`;
    }),
  );
}

/** Where an apply goes on, what its first part left in doubt is known by now. A journal that fails says so itself, before anything is sent. */
export async function recordSettled(
  journal: JournalWriter,
  last: RecordedApply,
  plan: Plan,
  prepared: Prepared,
): Promise<void> {
  for (const [id, settlement] of settleLast(last, plan, prepared)) {
    if (settlement === 'not_needed')
      await journal.outcome({ id, outcome: 'done', status: null, message: null }).catch(() => {});
  }
}

function doubtfulOf({ actions }: RecordedApply): Doubtful[] {
  return actions
    .filter(({ outcome }: RecordedAction) => outcome === null || outcome === 'unknown')
    .map((action) => ({ ...action, isRequest: (request) => fingerprint(request) === action.request }));
}

const shown = 20;

function shortened(lines: readonly string[]): string[] {
  return lines.length > shown ? [...lines.slice(0, shown), `  and ${lines.length - shown} more`] : [...lines];
}
